"""The table of keys is whole, and agrees with the rooms below."""

from dataclasses import fields

import pytest

from caramelo_tui.config.keys import KEYS, is_table, key_of, unknown_key
from caramelo_tui.config.settings import TOOL_NAMES, Settings
from caramelo_tui.domain.policy_settings import PolicySettings
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.tools.profiles import CARAMELO_TOOLS, CORE_TOOLS, FINISH_TOOL, SHARED_TOOLS


def test_every_field_of_the_settings_has_a_key_and_every_key_a_field() -> None:
    # Where the mode was set is no setting of its own; which endpoint is used is a part of the
    # provider's name.
    named = {field.name for field in fields(Settings)} - {"mode_origin", "endpoint_name"}
    assert {key.field for key in KEYS} == named


def test_no_key_variable_or_flag_stands_twice() -> None:
    for column in (
        [key.name for key in KEYS],
        [key.variable for key in KEYS if key.variable],
        [key.flag for key in KEYS if key.flag],
    ):
        assert len(column) == len(set(column))


def test_defaults_are_those_of_the_settings() -> None:
    for profile in (CARAMELO, CORE):
        settings = Settings(profile=profile)
        for key in KEYS:
            if key.field in {"policy", "web", "roles", "endpoints", "profile"}:
                continue
            own = settings.run_turns if key.field == "turns" else getattr(settings, key.field)
            assert key.default_in(profile) == own, key.name


@pytest.mark.parametrize("profile", [CARAMELO, CORE])
def test_defaults_of_the_line_limits_are_those_of_the_policy(profile: str) -> None:
    limits = DiffLedger(PolicySettings(), profile=profile).limits
    for name, limit in [
        ("max_diff_lines", limits.deny_above),
        ("require_approval_above", limits.ask_above),
    ]:
        key = key_of(("policy", name))
        assert key is not None
        assert key.default_in(profile) == (limit.lines if limit else None)


def test_the_names_that_may_be_disabled_hold_the_offered_tools() -> None:
    assert set(TOOL_NAMES) == {*CARAMELO_TOOLS, *SHARED_TOOLS, *CORE_TOOLS, FINISH_TOOL}
    assert len(TOOL_NAMES) == len(set(TOOL_NAMES))


def test_only_what_tightens_is_left_to_a_workspace() -> None:
    assert {key.name for key in KEYS if key.tighten} == {
        "approval.mode",
        "tools.disable",
        "policy.protected_paths",
        "policy.blocked_commands",
        "policy.max_diff_lines",
        "policy.require_approval_above",
        "policy.protected_path_action",
        "limits.turns",
        "limits.stall_s",
        "limits.context_compact_at",
    }


def test_a_role_of_any_name_is_found() -> None:
    key = key_of(("roles", "writer", "model"))
    assert key is not None
    assert key.name == "roles.*.model"
    assert key_of(("roles", "model")) is None
    assert is_table(("roles", "writer"))
    assert is_table(("tools", "run_command"))
    assert not is_table(("roles", "writer", "model"))
    assert not is_table(("toools",))


def test_the_nearest_key_is_named() -> None:
    assert "did you mean provider.key_command?" in unknown_key(("provider", "key_comand"))
    assert "did you mean roles.fast.provider?" in unknown_key(("roles", "fast", "providr"))
    assert unknown_key(("zzz",)) == "unknown key"
    assert "roles.NAME.model" in unknown_key(("zzz",), lists_known=True)
