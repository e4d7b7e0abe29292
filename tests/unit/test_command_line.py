"""The command line understands what the contract lists, and says what is wrong."""

from pathlib import Path

import pytest

from caramelo_tui.command_line import (
    AppOptions,
    ApproveFlag,
    RunOptions,
    ToolOptions,
    ToolsOptions,
    parse,
)


def test_the_app_opens_the_current_folder_by_default() -> None:
    options = parse([])
    assert isinstance(options, AppOptions)
    assert (options.path, options.prompt, options.is_demo) == (Path(), None, False)


def test_a_first_word_that_is_no_subcommand_is_a_path() -> None:
    options = parse(["./demo", "-p", "go"])
    assert isinstance(options, AppOptions)
    assert (options.path, options.prompt, options.is_demo) == (Path("demo"), "go", False)


def test_common_flags_reach_every_way() -> None:
    flags = [
        "--provider",
        "openai",
        "--model",
        "m",
        "--base-url",
        "http://127.0.0.1:1",
        "--profile",
        "caramelo",
        "--mode",
        "auto",
        "--trust",
        "--config",
        "c.toml",
        "--no-workspace-config",
        "--debug",
    ]
    for words in ([], ["run", "go"], ["tool", "grep", "{}"], ["tools"], ["demo"]):
        common = parse([*words, *flags]).common
        assert common.flags["--provider"] == "openai"
        assert common.flags["--model"] == "m"
        assert common.flags["--base-url"] == "http://127.0.0.1:1"
        assert common.flags["--profile"] == "caramelo"
        assert common.flags["--mode"] == "auto"
        assert common.is_trusted
        assert common.config_file == Path("c.toml")
        assert not common.reads_workspace_config
        assert common.is_debug


def test_run_takes_its_flags() -> None:
    options = parse(
        [
            "run",
            "go",
            "--json",
            "--quiet",
            "--auto-approve",
            "--allow-command",
            "make",
            "--allow-command",
            "ls=2",
            "--allow-refusals",
            "--max-turns",
            "5",
            "--timeout",
            "2.5",
            "--no-session",
        ]
    )
    assert isinstance(options, RunOptions)
    assert options.prompt == "go"
    assert options.is_json
    assert options.is_quiet
    assert options.approves_all
    assert options.allowed_commands == ("make", "ls=2")
    assert options.allows_refusals
    assert options.max_turns == 5
    assert options.timeout_s == 2.5
    assert not options.keeps_session


def test_tool_takes_a_call_or_standard_input() -> None:
    one = parse(["tool", "grep", '{"pattern": "x"}', "--approve", "all", "--workspace", "w"])
    assert isinstance(one, ToolOptions)
    assert (one.name, one.arguments_json) == ("grep", '{"pattern": "x"}')
    assert (one.approve, one.workspace) == (ApproveFlag.ALL, Path("w"))
    many = parse(["tool", "--stdin"])
    assert isinstance(many, ToolOptions)
    assert (many.name, many.approve) == (None, ApproveFlag.NONE)


def test_tools_and_demo() -> None:
    tools = parse(["tools", "--json"])
    assert isinstance(tools, ToolsOptions)
    assert tools.is_json
    demo = parse(["demo", "--theme", "mono"])
    assert isinstance(demo, AppOptions)
    assert demo.is_demo
    assert demo.common.flags["--theme"] == "mono"


@pytest.mark.parametrize(
    "words",
    [
        ["tool"],
        ["tool", "grep", "--stdin"],
        ["tool", "grep", "--approve", "everything"],
        ["run", "--timeout", "0"],
        ["run", "--timeout", "soon"],
        ["run", "--max-turns", "x"],
        ["--nonsense"],
        ["a", "b"],
        ["--mod", "auto"],
    ],
)
def test_wrong_usage_exits_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_the_version_is_printed_by_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version", "x"], ["run", "--version"]):
        with pytest.raises(SystemExit) as caught:
            parse(words)
        assert caught.value.code == 0
        assert capsys.readouterr().out.startswith("caramelo ")
