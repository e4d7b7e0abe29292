"""A session offers its profile's tools, plus and minus what the settings say."""

import pytest

from caramelo_tui.composition import offered_tools
from caramelo_tui.config.settings import TOOL_NAMES, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.tools.profiles import known_names, profile_names


def names(settings: Settings) -> list[str]:
    return [tool.spec.name for tool in offered_tools(settings)]


@pytest.mark.parametrize("profile", [CARAMELO, CORE])
def test_a_profile_offers_exactly_its_names_in_order(profile: str) -> None:
    assert names(Settings(profile=profile)) == list(profile_names(profile))


def test_one_session_never_offers_both_vocabularies() -> None:
    own = {profile: set(known_names(profile)) for profile in (CARAMELO, CORE)}
    assert "read_file" not in own[CARAMELO]
    assert "file_read" not in own[CORE]
    with pytest.raises(ConfigError, match=r"tools\.enable.*'read_file'.*other profile.*file_read"):
        offered_tools(Settings(enabled_tools=("read_file",)))


def test_single_tools_are_taken_off_and_added() -> None:
    assert "bash" not in names(Settings(disabled_tools=("bash",)))
    assert names(Settings(enabled_tools=("task_done",)))[-1] == "task_done"
    both = Settings(enabled_tools=("task_done",), disabled_tools=("task_done",))
    assert "task_done" not in names(both)


def test_a_tool_of_the_other_profile_may_be_disabled_without_effect() -> None:
    settings = Settings(profile=CORE, disabled_tools=("bash",))
    assert names(settings) == list(profile_names(CORE))


def test_the_configuration_knows_every_name() -> None:
    assert {*known_names(CARAMELO), *known_names(CORE)} == set(TOOL_NAMES)


@pytest.mark.parametrize("profile", [CARAMELO, CORE])
def test_each_profile_offers_fifteen_tools(profile: str) -> None:
    assert len(profile_names(profile)) == 15
