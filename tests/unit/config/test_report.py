"""The configuration is shown whole, with origins, without secrets and without hidden signs."""

from pathlib import Path

import pytest

from caramelo_tui.config.keys import ANY_NAME, KEYS
from caramelo_tui.config.loader import (
    WORKSPACE_FILE,
    LoadedSettings,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.report import config_path_report, config_report


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".caramelo").mkdir(parents=True)
    return folder


def loaded(
    root: Path, text: str = "", own: str | None = None, **environment: str
) -> LoadedSettings:
    """Load from a home folder beside ``root``; ``own`` is the workspace's file."""
    file = root.parent / "config.toml"
    file.write_text(text, encoding="utf-8")
    if own is not None:
        (root / WORKSPACE_FILE).write_text(own, encoding="utf-8")
    return load_settings(
        SettingsSources(
            user_file=file,
            is_file_required=False,
            environment={"HOME": str(root.parent), **environment},
            flags={"--mode": "each"},
        ),
        WorkspaceSource(root=root, is_trusted=True),
    )


def row(report: str, name: str) -> list[str]:
    """Return value and origin of the line that begins with a key."""
    line = next(line for line in report.splitlines() if line.startswith(f"{name} "))
    return [part.strip() for part in line.split("  ")[1:] if part.strip()]


def test_every_key_has_a_line_with_its_value_and_origin(root: Path) -> None:
    report = config_report(loaded(root, "[providers.mine]\n"))
    for key in KEYS:
        name = "mine" if key.path[:1] == ("providers",) else "coder"
        value, origin = row(report, key.name.replace(ANY_NAME, name))
        assert value
        assert origin.startswith(("default", "--mode")), key.name


def test_each_layer_is_named(root: Path) -> None:
    report = config_report(
        loaded(
            root,
            '[limits]\nturns = 20\n[roles.writer]\nmodel = "m"\n',
            "[limits]\nstall_s = 9\n",
            CARAMELO_MODEL="big",
            CARAMELO_PROFILE="core",
        )
    )
    assert row(report, "limits.turns") == ["20", "~/config.toml:2"]
    assert row(report, "roles.writer.model") == ["m", "~/config.toml:4"]
    assert row(report, "limits.stall_s") == ["9", f"{WORKSPACE_FILE}:2"]
    assert row(report, "provider.model") == ["big", "CARAMELO_MODEL"]
    assert row(report, "approval.mode") == ["each", "--mode"]
    assert row(report, "policy.max_diff_lines") == ["500", "default of profile core"]
    assert row(report, "web.ask_new_hosts") == ["false", "default"]


def test_each_element_of_a_list_has_a_line(root: Path) -> None:
    report = config_report(
        loaded(
            root,
            '[policy]\nprotected_paths = ["a",\n"b"]\nblocked_commands = []\n',
            '[policy]\nprotected_paths = ["c"]\n',
        )
    )
    lines = report.splitlines()
    at = next(index for index, line in enumerate(lines) if "protected_paths" in line)
    assert [line.split()[-2:] for line in lines[at : at + 3]] == [
        ["a", "~/config.toml:2"],
        ["b", "~/config.toml:3"],
        ["c", f"{WORKSPACE_FILE}:2"],
    ]
    assert row(report, "policy.blocked_commands") == ["(only the built-in ones)", "~/config.toml:4"]


def test_what_was_not_taken_stands_below_all_of_it(root: Path) -> None:
    own = '[provider]\nbase_url = "http://user:sk-SECRET@x"\n' + "".join(
        f"x{number} = 1\n" for number in range(50)
    )
    report = config_report(loaded(root, own=own))
    below = report.partition("Not taken from the workspace:\n")[2].splitlines()
    assert len(below) == 51
    assert below[0].startswith(f"{WORKSPACE_FILE}:2: provider.base_url: a workspace may not set it")
    assert "SECRET" not in report
    assert "Not taken" not in config_report(loaded(root, own=""))


def test_no_secret_is_shown(root: Path) -> None:
    report = config_report(
        loaded(
            root,
            '[provider]\nname = "openai"\nkey_env = "MINE"\n'
            'key_command = ["echo", "sk-SECRET", "x"]\n',
            MINE="sk-SECRET",
            OPENAI_API_KEY="sk-SECRET",
            OPENAI_BASE_URL="sk-SECRET",
        )
    )
    assert "SECRET" not in report
    assert row(report, "provider.key_env") == ["MINE", "~/config.toml:3"]
    assert row(report, "provider.key_command") == ["echo (and 2 arguments)", "~/config.toml:4"]
    alone = config_report(loaded(root, '[provider]\nkey_command = ["getkey"]\n'))
    assert row(alone, "provider.key_command") == ["getkey", "~/config.toml:2"]


def test_a_vendors_endpoint_variable_is_named_where_no_endpoint_is_set(root: Path) -> None:
    variable = {"OPENAI_BASE_URL": "http://proxy.test/v1"}
    report = config_report(loaded(root, **variable))
    assert row(report, "provider.base_url") == ["http://proxy.test/v1", "OPENAI_BASE_URL"]
    text = '[provider]\nbase_url = "http://own.test"\n'
    report = config_report(loaded(root, text, **variable))
    assert row(report, "provider.base_url") == ["http://own.test", "~/config.toml:2"]


def test_hidden_and_look_alike_characters_are_shown(root: Path) -> None:
    report = config_report(
        loaded(
            root,
            '[policy]\nblocked_commands = ["rm\\u202E\\n", "\u0441url"]\n',
            '"a\\u001b[2J" = 1\n',
        )
    )
    assert "rm<U+202E><U+000A>" in report
    assert "<U+0441>url" in report
    assert "a<U+001B>[2J" in report
    assert "\x1b" not in report


def test_the_files_are_listed_in_order_with_what_became_of_them(root: Path) -> None:
    file, own = root.parent / "config.toml", root / WORKSPACE_FILE
    assert config_path_report(loaded(root)).splitlines() == [
        f"{file}  read",
        f"{own}  does not exist",
    ]
    assert "cannot be used" in config_path_report(loaded(root, own="[broken"))
