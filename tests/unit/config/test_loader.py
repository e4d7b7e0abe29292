"""Settings come from the right layer, and a wrong value says what is allowed."""

from pathlib import Path

import pytest

from caramelo_tui.config.loader import KEYS, load_settings
from caramelo_tui.config.settings import TOOL_NAMES, ProviderName, Settings
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.tools.profiles import CARAMELO_TOOLS


def load(
    tmp_path: Path,
    text: str | None = None,
    *,
    environment: dict[str, str] | None = None,
    flags: dict[str, str | None] | None = None,
    is_file_required: bool = False,
) -> Settings:
    file = tmp_path / "config.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return load_settings(
        user_file=file,
        is_file_required=is_file_required,
        environment=environment or {},
        flags=flags or {},
    )


def test_settings_are_the_defaults_without_any_layer(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()


def test_each_layer_wins_over_the_one_below(tmp_path: Path) -> None:
    text = '[provider]\nmodel = "file"\n'
    assert load(tmp_path, text).model == "file"
    environment = {"CARAMELO_MODEL": "variable"}
    assert load(tmp_path, text, environment=environment).model == "variable"
    flags: dict[str, str | None] = {"--model": "flag"}
    assert load(tmp_path, text, environment=environment, flags=flags).model == "flag"


def test_every_key_of_the_file_sets_its_field(tmp_path: Path) -> None:
    text = """
[provider]
name = "openai"
model = "m"
base_url = "http://127.0.0.1:1/v1"
key_env = "MY_VAR"
[tools]
profile = "caramelo"
disable = ["bash"]
[approval]
mode = "auto-all"
[limits]
turns = 20
stall_s = 12.5
[commands]
env_allow = ["A_TOKEN"]
[ui]
theme = "mono"
"""
    assert load(tmp_path, text) == Settings(
        provider=ProviderName.OPENAI,
        model="m",
        base_url="http://127.0.0.1:1/v1",
        key_env="MY_VAR",
        mode=ApprovalMode.AUTO,
        disabled_tools=("bash",),
        turns=20,
        stall_s=12.5,
        env_allow=("A_TOKEN",),
        theme="mono",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[approval]\nmode = "yolo"\n', ["approval.mode", "review"]),
        ('[approval]\nmode = "plan"\n', ["approval.mode", "allowed"]),
        ('[tools]\nprofile = "core"\n', ["tools.profile", "caramelo"]),
        ("[limits]\nturns = 2\n", ["limits.turns", "3 to 50"]),
        ("[limits]\nturns = true\n", ["limits.turns", "3 to 50"]),
        ('[limits]\nstall_s = "x"\n', ["limits.stall_s", "seconds"]),
        ('[provider]\nname = "skynet"\n', ["provider.name", "anthropic"]),
        ('[provider]\nbase_url = "ftp://x"\n', ["provider.base_url", "http"]),
        ('[provider]\nbase_url = "http://u:p@x/"\n', ["provider.base_url", "password"]),
        ("[provider]\nmodel = 3\n", ["provider.model", "text"]),
        ("[tools]\ndisable = [3]\n", ["tools.disable", "list of texts"]),
        ('[provder]\nname = "openai"\n', ["provder.name", "did you mean provider.name"]),
        ("qqq = 1\n", ["qqq", "known keys"]),
        ("[broken", ["not valid TOML"]),
        ("[approval]\nmode = 3\n", ["approval.mode", "unknown mode 3", "per-call"]),
        ('[tools]\ndisable = ["bsh"]\n', ["tools.disable", "'bsh'", "file_read", "bash"]),
        ('[provider]\nbase_url = "http://x:99999"\n', ["provider.base_url", "http"]),
        ('[provider]\nbase_url = "http://[::1"\n', ["provider.base_url", "http"]),
        ('[provider]\nbase_url = "http://x/?k=v"\n', ["provider.base_url", "query"]),
        ('[provider]\nkey_command = ["pass"]\n', ["provider.key_command", "not offered"]),
        ('[policy]\nprotected_paths = ["x"]\n', ["policy.protected_paths", "not offered"]),
        ('[providers.mine]\nmodel = "m"\n', ["providers.mine.model", "not offered"]),
        ('[tools]\nenable = ["x"]\n', ["tools.enable", "not offered", "tools.disable"]),
    ],
)
def test_a_wrong_value_names_file_key_and_what_is_allowed(
    tmp_path: Path, text: str, says: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    for part in ["config.toml", *says]:
        assert part in str(caught.value)


def test_a_wrong_variable_or_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="CARAMELO_MODE"):
        load(tmp_path, environment={"CARAMELO_MODE": "x"})
    with pytest.raises(ConfigError, match="--mode"):
        load(tmp_path, flags={"--mode": "x"})


def test_a_missing_file_is_an_error_only_when_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        load(tmp_path, is_file_required=True)


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        '[provider]\nkey_env = "sk-ant-SECRET"\n',
        '[provider]\nbase_url = "sk-ant-SECRET"\n',
        '[provider]\nbase_url = "https://user:sk-ant-SECRET@example.test"\n',
        '[provider]\nbase_url = "https://example.test/?key=sk-ant-SECRET"\n',
        '[provider]\nbase_url = "https://[sk-ant-SECRET"\n',
    ],
)
def test_a_key_that_was_pasted_into_the_wrong_place_is_not_repeated(
    tmp_path: Path, text: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    chain: list[BaseException | None] = [caught.value, caught.value.__cause__]
    assert not any("SECRET" in str(error) for error in chain if error is not None)


def test_long_and_short_mode_names_are_understood_everywhere(tmp_path: Path) -> None:
    for text, mode in {
        "auto-reads-batched-writes": ApprovalMode.REVIEW,
        "per-call": ApprovalMode.EACH,
        "auto-all": ApprovalMode.AUTO,
        "review": ApprovalMode.REVIEW,
        "each": ApprovalMode.EACH,
        "auto": ApprovalMode.AUTO,
    }.items():
        assert load(tmp_path, flags={"--mode": text}).mode is mode
        assert load(tmp_path, environment={"CARAMELO_MODE": text}).mode is mode
        assert load(tmp_path, f'[approval]\nmode = "{text}"\n').mode is mode


def test_debug_lines_are_switched_by_the_variable(tmp_path: Path) -> None:
    for text, is_debug in {"1": True, "true": True, "0": False, "no": False}.items():
        assert load(tmp_path, environment={"CARAMELO_DEBUG": text}).is_debug is is_debug
    with pytest.raises(ConfigError, match=r"CARAMELO_DEBUG: must be 1 or 0"):
        load(tmp_path, environment={"CARAMELO_DEBUG": "sometimes"})


def test_the_names_that_may_be_disabled_are_the_offered_tools() -> None:
    assert TOOL_NAMES == CARAMELO_TOOLS


def test_every_key_names_a_field_of_the_settings() -> None:
    assert {key.field for key in KEYS} <= set(Settings.__dataclass_fields__)
