"""Settings come from the right layer, and a wrong value says what is allowed."""

import os
from pathlib import Path

import pytest

from caramelo_tui.config.loader import (
    MOST_NOTES,
    WORKSPACE_FILE,
    FileState,
    LoadedSettings,
    SettingsSources,
    WorkspaceSource,
    load_settings,
    shown_path,
)
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction, Rule
from caramelo_tui.domain.roles import RoleSettings
from caramelo_tui.domain.web_settings import WebSettings


def sources(
    tmp_path: Path,
    text: str | None = None,
    *,
    environment: dict[str, str] | None = None,
    flags: dict[str, str | None] | None = None,
    is_file_required: bool = False,
) -> SettingsSources:
    file = tmp_path / "config.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return SettingsSources(
        user_file=file,
        is_file_required=is_file_required,
        environment={"HOME": "/nowhere", **(environment or {})},
        flags=flags or {},
    )


def load(
    tmp_path: Path,
    text: str | None = None,
    *,
    environment: dict[str, str] | None = None,
    flags: dict[str, str | None] | None = None,
    is_file_required: bool = False,
) -> Settings:
    return load_settings(
        sources(
            tmp_path,
            text,
            environment=environment,
            flags=flags,
            is_file_required=is_file_required,
        )
    ).settings


def load_in(
    tmp_path: Path,
    workspace_text: str,
    user_text: str = "",
    *,
    environment: dict[str, str] | None = None,
    flags: dict[str, str | None] | None = None,
) -> LoadedSettings:
    """Load with a trusted workspace that has a file of its own."""
    root = tmp_path / "project"
    (root / ".caramelo").mkdir(parents=True)
    (root / WORKSPACE_FILE).write_text(workspace_text, encoding="utf-8")
    return load_settings(
        sources(tmp_path, user_text, environment=environment, flags=flags),
        WorkspaceSource(root=root, is_trusted=True),
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
key_command = ["pass", "show", "x"]
[roles.fast]
provider = "anthropic"
model = "small"
[roles.mine]
[tools]
profile = "core"
enable = ["task_done"]
disable = ["run_command"]
[tools.run_command]
model_output_kb = 128
max_timeout_s = 60
[approval]
mode = "auto-all"
[policy]
protected_paths = ["*.lock",
  "infra/**"]
blocked_commands = ["make deploy"]
max_diff_lines = 800
require_approval_above = 0
protected_path_action = "deny"
[skills]
trust = ["release notes"]
[limits]
turns = 20
stall_s = 12.5
context_compact_at = 0.6
[commands]
env_allow = ["A_TOKEN"]
[web]
allow_hosts = ["localhost:8080"]
ask_new_hosts = true
[ui]
theme = "mono"
"""
    file = tmp_path / "config.toml"
    assert load(tmp_path, text) == Settings(
        provider=ProviderName.OPENAI,
        model="m",
        base_url="http://127.0.0.1:1/v1",
        key_env="MY_VAR",
        key_command=("pass", "show", "x"),
        roles={
            "fast": RoleSettings(provider="anthropic", model="small"),
            "mine": RoleSettings(),
        },
        profile="core",
        enabled_tools=("task_done",),
        disabled_tools=("run_command",),
        run_command_output_kb=128,
        run_command_max_timeout_s=60,
        mode=ApprovalMode.AUTO,
        mode_origin=f"{file}:20",
        policy=PolicySettings(
            protected_paths=(
                Rule(text="*.lock", origin=f"{file}:22"),
                Rule(text="infra/**", origin=f"{file}:23"),
            ),
            blocked_commands=(Rule(text="make deploy", origin=f"{file}:24"),),
            max_diff_lines=LineLimit(lines=800, origin=f"{file}:25"),
            require_approval_above=LineLimit(lines=0, origin=f"{file}:26"),
            protected_action=ProtectedAction.DENY,
            protected_action_origin=f"{file}:27",
        ),
        trusted_skills=("release notes",),
        turns=20,
        stall_s=12.5,
        compact_at=0.6,
        env_allow=("A_TOKEN",),
        web=WebSettings(allow_hosts=("localhost:8080",), ask_new_hosts=True),
        theme="mono",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[approval]\nmode = "yolo"\n', ["approval.mode", "review"]),
        ('[tools]\nprofile = "cor"\n', ["config.toml:2", "tools.profile", "caramelo, core"]),
        ("[limits]\nturns = 2\n", ["limits.turns", "3 to 50"]),
        ("[limits]\nturns = true\n", ["limits.turns", "3 to 50"]),
        ('[limits]\nstall_s = "x"\n', ["limits.stall_s", "seconds"]),
        ('[provider]\nname = "skynet"\n', ["provider.name", "anthropic"]),
        ('[provider]\nbase_url = "ftp://x"\n', ["provider.base_url", "http"]),
        ('[provider]\nbase_url = " "\n', ["provider.base_url", "http"]),
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
        ('[provider]\nkey_command = "pass show"\n', ["provider.key_command", "list of texts"]),
        ("[provider]\nkey_command = []\n", ["provider.key_command", "the program first"]),
        ('[providers.mine]\nlike = "mars"\n', ["providers.mine.like", "'mars'", "groq"]),
        ('[providers."a b"]\nmodel = "m"\n', ["name of an endpoint", "letters"]),
        ('[provider]\nname = "mine"\n', ["config.toml:2: provider.name", "'mine'", "groq"]),
        ('[roles.fast]\nprovider = "mine"\n', ["roles.fast.provider", "'mine'"]),
        ("[limits]\ncontext_compact_at = 50\n", ["context_compact_at", "0.2 to 0.95"]),
        ("[ui]\nnotify = 3\n", ["ui.notify", "true or false"]),
        ('[commands]\nsandbox = "docker"\n', ["commands.sandbox", "none or bwrap"]),
        ('[tools]\nenable = [\n"bash",\n"x"]\n', ["config.toml:4: tools.enable", "'x'"]),
        ("[policy]\nprotected_paths = 3\n", ["policy.protected_paths", "list of texts"]),
        ('[policy]\nblocked_commands = ["a",\n" "]\n', ["toml:3: policy.blocked_commands"]),
        ("[policy]\nmax_diff_lines = -1\n", ["policy.max_diff_lines", "from 0 to"]),
        ('[policy]\nprotected_path_action = "allow"\n', ["ask or deny"]),
        ('[web]\nallow_hosts = ["http://x"]\n', ["web.allow_hosts", "localhost"]),
        ('[web]\nask_new_hosts = "yes"\n', ["web.ask_new_hosts", "true or false"]),
        ('[roles.fast]\nmodle = "m"\n', ["toml:2: roles.fast.modle", "mean roles.fast.model"]),
        ('[roles."a b"]\nmodel = "m"\n', ['roles."a b".model', "letters, digits"]),
        (f"[roles.{'x' * 33}]\n", ["config.toml:1: roles.xxx", "at most 32"]),
        ("[roles]\nfast = 1\n", ["toml:2: roles.fast", "unknown key"]),
        ("[tools.run_command]\nmodel_output_kb = 63\n", ["from 64 to 10240"]),
        ("[tools.run_command]\nmax_timeout_s = 0\n", ["max_timeout_s", "from 1 to"]),
        ('[commands]\nenv_allow = ["A B"]\n', ["commands.env_allow", "variables"]),
        ("[polcy]\n", ["config.toml:1: polcy", "unknown key"]),
        ("[[policy]]\nx = 1\n", ["config.toml:1: policy", "unknown key"]),
        ('\n\n[limits]\nturns = "x\n', ["config.toml:4: is not valid TOML"]),
        ("x = " + "[" * 5000, ["nested too deep"]),
        ("a." * 5000 + "a = 1", ["nested too deep"]),
        ("[limits]\nturns = " + "9" * 5000, ["not valid TOML"]),
        ("[limits]\nturns = 0x" + "f" * 5000, ["limits.turns"]),
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
        "plan": ApprovalMode.PLAN,
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


def test_a_file_in_the_home_folder_is_named_from_there(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path)}
    assert shown_path(tmp_path / "a" / "config.toml", environment) == "~/a/config.toml"
    assert shown_path(Path("/etc/config.toml"), {"HOME": "/"}) == "/etc/config.toml"
    with pytest.raises(ConfigError, match=r"^~/config.toml:2: limits.turns: "):
        load(tmp_path, "[limits]\nturns = 1\n", environment=environment)


def test_a_mark_at_the_start_of_a_text_file_is_no_part_of_it(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff[limits]\nturns = 9\n").turns == 9


def test_what_was_set_knows_where(tmp_path: Path) -> None:
    loaded = load_settings(
        sources(
            tmp_path,
            "[limits]\nturns = 9\n",
            environment={"CARAMELO_DEBUG": "1"},
            flags={"--mode": "each"},
        )
    )
    origins = {name: found.origin for name, found in loaded.provenance.items()}
    assert origins == {
        "limits.turns": f"{tmp_path}/config.toml:2",
        "CARAMELO_DEBUG": "CARAMELO_DEBUG",
        "approval.mode": "--mode",
    }


# --- the workspace's own file --------------------------------------------------------------


def test_a_workspace_may_tighten(tmp_path: Path) -> None:
    loaded = load_in(
        tmp_path,
        """
approval.mode = "plan"
[policy]
protected_paths = ["a", "c"]
blocked_commands = ["make"]
max_diff_lines = 100
require_approval_above = 10
protected_path_action = "deny"
[tools]
disable = ["bash"]
[limits]
turns = 5
stall_s = 20
""",
        '[policy]\nprotected_paths = ["b", "c"]\nmax_diff_lines = 200\n',
    )
    user, own = f"{tmp_path}/config.toml", WORKSPACE_FILE
    assert loaded.not_taken == ()
    assert loaded.settings == Settings(
        mode=ApprovalMode.PLAN,
        mode_origin=f"{own}:2",
        policy=PolicySettings(
            protected_paths=(
                Rule(text="b", origin=f"{user}:2"),
                Rule(text="c", origin=f"{user}:2"),
                Rule(text="a", origin=f"{own}:4"),
            ),
            blocked_commands=(Rule(text="make", origin=f"{own}:5"),),
            max_diff_lines=LineLimit(lines=100, origin=f"{own}:6"),
            require_approval_above=LineLimit(lines=10, origin=f"{own}:7"),
            protected_action=ProtectedAction.DENY,
            protected_action_origin=f"{own}:8",
        ),
        disabled_tools=("bash",),
        turns=5,
        stall_s=20.0,
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('provider.base_url = "http://collect.example.test/"', "may not set it"),
        ('provider.name = "openai"', "may not set it"),
        ('provider.model = "m"', "may not set it"),
        ('provider.key_env = "HOME"', "may not set it"),
        ('provider.key_command = ["touch", "marker"]', "may not set it"),
        ('roles.fast.model = "m"', "may not set it"),
        ('providers.x.base_url = "http://x"', "may not set it"),
        ('providers.openai.key_env = "HOME"', "may not set it"),
        ('providers.x.key_command = ["touch", "marker"]', "may not set it"),
        ('tools.profile = "core"', "may not set it"),
        ('tools.enable = ["bash"]', "may not set it"),
        ("tools.run_command.max_timeout_s = 1", "may not set it"),
        ('commands.env_allow = ["A_TOKEN"]', "may not set it"),
        ('web.allow_hosts = ["localhost"]', "may not set it"),
        ("web.ask_new_hosts = false", "may not set it"),
        ('skills.trust = ["x"]', "may not set it"),
        ('ui.theme = "mono"', "may not set it"),
        ('approval.mode = "auto"', "auto is looser than each"),
        ('approval.mode = "review"', "review is looser than each"),
        ("limits.turns = 16", "16 is above 15"),
        ("limits.stall_s = 301", "301 is above 300"),
        ("policy.max_diff_lines = 101", "101 is above 100"),
        ('policy.protected_path_action = "ask"', "only turn ask into deny"),
        ("limits.turns = 1", "from 3 to 50"),
        ("trust = true", "unknown key"),
        ("trusted = true", "unknown key"),
        ('hooks.start = "touch marker"', "unknown key"),
        ("policy.blocked_comands = []", "did you mean policy.blocked_commands?"),
    ],
)
def test_what_a_workspace_may_not_say_is_noted_and_has_no_effect(
    tmp_path: Path, text: str, why: str
) -> None:
    user_text = """
[approval]
mode = "each"
[policy]
blocked_commands = ["touch"]
max_diff_lines = 100
protected_path_action = "deny"
"""
    alone = load(tmp_path, user_text)
    loaded = load_in(tmp_path, f"\n{text}\n", user_text)
    (note,) = loaded.notes
    assert loaded.settings == alone
    assert note.startswith(
        f"Not taken from the workspace: {WORKSPACE_FILE}:2: {text.partition(' ')[0]}:"
    )
    assert why in note


def test_a_workspace_cannot_take_a_block_of_the_users_away(tmp_path: Path) -> None:
    loaded = load_in(
        tmp_path,
        "[policy]\nblocked_commands = []\nprotected_paths = []\n[tools]\ndisable = []\n",
        '[policy]\nblocked_commands = ["touch"]\nprotected_paths = ["a"]\n'
        '[tools]\ndisable = ["bash"]\n',
    )
    assert [rule.text for rule in loaded.settings.policy.blocked_commands] == ["touch"]
    assert [rule.text for rule in loaded.settings.policy.protected_paths] == ["a"]
    assert loaded.settings.disabled_tools == ("bash",)
    assert loaded.notes == ()


def test_what_is_stricter_depends_on_the_profile_in_use(tmp_path: Path) -> None:
    text = "[policy]\nmax_diff_lines = 600\n[limits]\nturns = 30\n"
    in_core = load_in(tmp_path, text, environment={"CARAMELO_PROFILE": "core"})
    assert in_core.settings.policy.max_diff_lines is None
    assert in_core.settings.turns == 30
    assert "600 is above 500" in in_core.notes[0]
    (tmp_path / "other").mkdir()
    in_caramelo = load_in(tmp_path / "other", text)
    assert in_caramelo.settings.policy.max_diff_lines is not None
    assert in_caramelo.settings.turns is None
    assert "30 is above 15" in in_caramelo.notes[0]


def test_the_users_variables_and_flags_win_over_the_workspace(tmp_path: Path) -> None:
    text = '[approval]\nmode = "plan"\n'
    flags: dict[str, str | None] = {"--mode": "auto"}
    assert load_in(tmp_path, text, flags=flags).settings.mode is ApprovalMode.AUTO


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[broken", f"{WORKSPACE_FILE}:1: is not valid TOML"),
        ("x = " + "[" * 5000, "nested too deep"),
        ("#" * 300_000, "larger than 256 KB"),
    ],
)
def test_an_unusable_file_of_a_workspace_is_noted_and_the_app_opens(
    tmp_path: Path, text: str, why: str
) -> None:
    loaded = load_in(tmp_path, text)
    assert loaded.settings == Settings()
    assert why in loaded.notes[0]
    assert loaded.files[1].state is FileState.UNUSABLE


def test_a_value_of_the_workspaces_that_is_wrong_leaves_the_others(tmp_path: Path) -> None:
    loaded = load_in(tmp_path, "[limits]\nturns = 1\nstall_s = 5\n")
    assert (loaded.settings.turns, loaded.settings.stall_s) == (None, 5.0)
    assert len(loaded.notes) == 1


def test_many_notes_are_counted_not_listed(tmp_path: Path) -> None:
    loaded = load_in(tmp_path, "".join(f"x{number} = 1\n" for number in range(1000)))
    assert len(loaded.notes) == MOST_NOTES + 1
    assert loaded.notes[-1].startswith("995 more: see `caramelo config show`")


def test_hidden_characters_of_a_workspaces_keys_are_shown(tmp_path: Path) -> None:
    loaded = load_in(tmp_path, '"a\\u001b[2J\\u202E\\n" = 1\n')
    assert 'toml:1: "a<U+001B>[2J<U+202E><U+000A>": unknown key' in loaded.notes[0]
    long = load_in(tmp_path / "other", f'"{"x" * 5000}" = 1\n')
    assert len(long.notes[0]) < 200


def test_the_file_of_a_workspace_is_read_only_when_trusted_and_wanted(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / ".caramelo").mkdir(parents=True)
    os.mkfifo(root / WORKSPACE_FILE)
    for source, state in [
        (WorkspaceSource(root=root, is_trusted=False), FileState.UNTRUSTED),
        (WorkspaceSource(root=root, is_trusted=True, is_wanted=False), FileState.UNWANTED),
        (WorkspaceSource(root=tmp_path, is_trusted=True), FileState.MISSING),
    ]:
        loaded = load_settings(sources(tmp_path), source)
        assert loaded.settings == Settings()
        assert [file.state for file in loaded.files] == [FileState.MISSING, state]
        assert loaded.notes == ()


def test_only_a_regular_file_inside_the_workspace_is_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / ".caramelo").mkdir(parents=True)
    os.mkfifo(root / WORKSPACE_FILE)
    loaded = load_settings(sources(tmp_path), WorkspaceSource(root=root, is_trusted=True))
    assert "not a regular file" in loaded.notes[0]
    (root / WORKSPACE_FILE).unlink()
    (tmp_path / "outside.toml").write_text("[limits]\nturns = 5\n")
    (root / WORKSPACE_FILE).symlink_to("../../outside.toml")
    loaded = load_settings(sources(tmp_path), WorkspaceSource(root=root, is_trusted=True))
    assert "outside the workspace" in loaded.notes[0]
    assert loaded.settings == Settings()


def test_an_environment_file_of_the_project_is_never_read(tmp_path: Path) -> None:
    text = "CARAMELO_MODEL=m\nOPENAI_API_KEY=sk-x\nOPENAI_BASE_URL=http://collect.example.test/v1\n"
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".env").write_text(text)
    loaded = load_settings(
        sources(tmp_path), WorkspaceSource(root=tmp_path / "project", is_trusted=True)
    )
    assert loaded.settings == Settings()
    assert loaded.vendor_endpoints == {}


def test_the_vendors_own_endpoint_variables_are_known_and_wrong_ones_not_repeated(
    tmp_path: Path,
) -> None:
    loaded = load_settings(
        sources(
            tmp_path,
            environment={"OPENAI_BASE_URL": "http://x/v1 ", "ANTHROPIC_BASE_URL": "sk-SECRET"},
        )
    )
    assert loaded.vendor_endpoints == {
        "ANTHROPIC_BASE_URL": "(cannot be used)",
        "OPENAI_BASE_URL": "http://x/v1",
    }
