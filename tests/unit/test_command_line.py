"""The command line understands what the contract lists, and says what is wrong."""

import re
from pathlib import Path

import pytest

from caramelo_tui.command_line import (
    AppOptions,
    ApproveFlag,
    ConfigOptions,
    ConfigReport,
    DoctorOptions,
    PolicyOptions,
    RunOptions,
    ServeOptions,
    ShapeFlag,
    ToolOptions,
    ToolsOptions,
    parse,
)
from caramelo_tui.command_line.parsing import SUBCOMMANDS


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
    ways: tuple[list[str], ...] = (
        *([], ["run", "go"], ["tool", "grep", "{}"], ["tools"], ["doctor"]),
        *(["policy", "test", "ls"], ["config", "show"], ["config", "path"]),
    )
    for words in ways:
        common = parse([*words, *flags]).common
        assert common.flags["--provider"] == "openai"
        assert common.flags["--model"] == "m"
        assert common.flags["--base-url"] == "http://127.0.0.1:1"
        assert common.flags["--profile"] == "caramelo"
        assert common.flags["--mode"] == "auto"
        assert common.is_trusted
        assert common.config_file == Path("c.toml")
        assert not common.reads_workspace_config
        assert common.flags["--debug"] == "1"


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
            "--approver",
            "ask-me",
            "--allow-refusals",
            "--max-turns",
            "5",
            "--timeout",
            "2.5",
            "--no-session",
            "--image",
            "a.png",
            "--image",
            "b.png",
        ]
    )
    assert isinstance(options, RunOptions)
    assert options.images == ("a.png", "b.png")
    assert options.prompt == "go"
    assert options.is_json
    assert options.is_quiet
    assert options.approves_all
    assert options.allowed_commands == ("make", "ls=2")
    assert options.approver == "ask-me"
    assert options.allows_refusals
    assert options.max_turns == 5
    assert options.timeout_s == 2.5
    assert not options.keeps_session


def test_the_help_says_how_a_command_that_ends_like_a_count_is_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parse(["run", "--help"])
    assert "'make J=4=1' runs make J=4 once" in " ".join(capsys.readouterr().out.split())


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
    assert tools.shape is ShapeFlag.NEUTRAL
    demo = parse(["demo", "--theme", "mono"])
    assert isinstance(demo, AppOptions)
    assert demo.is_demo
    assert demo.common.flags["--theme"] == "mono"


def test_a_shape_is_json_by_itself() -> None:
    for words, shape in (
        (["tools"], None),
        (["tools", "--shape", "copilot"], ShapeFlag.COPILOT),
        (["tools", "--json", "--shape", "openai"], ShapeFlag.OPENAI),
    ):
        options = parse(words)
        assert isinstance(options, ToolsOptions)
        assert options.shape == shape


def test_the_reports() -> None:
    policy = parse(["policy", "test", "git push && ls"])
    assert isinstance(policy, PolicyOptions)
    assert policy.command == "git push && ls"
    dashes = parse(["policy", "test", "--", "-x"])
    assert isinstance(dashes, PolicyOptions)
    assert dashes.command == "-x"
    for word in ConfigReport:
        config = parse(["config", word])
        assert isinstance(config, ConfigOptions)
        assert config.report is word
    doctor = parse(["doctor", "--json"])
    assert isinstance(doctor, DoctorOptions)
    assert doctor.is_json
    assert not doctor.is_online
    online = parse(["doctor", "--online"])
    assert isinstance(online, DoctorOptions)
    assert online.is_online


@pytest.mark.parametrize("mode", ["auto", "auto-all"])
def test_auto_approve_may_name_its_own_mode(mode: str) -> None:
    options = parse(["run", "--auto-approve", "--mode", mode])
    assert isinstance(options, RunOptions)
    assert options.approves_all


@pytest.mark.parametrize(
    "words",
    [
        ["tool"],
        ["tool", "grep", "--stdin"],
        ["tool", "grep", "--approve", "everything"],
        ["run", "--timeout", "0"],
        ["run", "--timeout", "soon"],
        ["run", "--timeout", "nan"],
        ["run", "--timeout", "inf"],
        ["run", "--max-turns", "x"],
        ["run", "--max-turns", "2"],
        ["run", "--max-turns", "51"],
        ["--nonsense"],
        ["--nonsense\x1b[2J\n"],
        ["a", "b"],
        ["--mod", "auto"],
    ],
)
def test_wrong_usage_exits_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("caramelo")
    assert said.endswith("--help)\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "--timeout", "soon"], ["--timeout", "seconds, above 0", "'soon'"]),
        (["run", "--max-turns", "51"], ["--max-turns", "3 to 50", "'51'"]),
        (["tool", "grep", "--approve", "me"], ["--approve", "none, writes, all", "'me'"]),
        (["tool"], ["NAME or --stdin"]),
        (["run", "--auto-approve", "--mode", "plan"], ["--auto-approve", "leave out --mode plan"]),
        (["tools", "--shape", "gemini"], ["--shape", "neutral, anthropic, openai", "'gemini'"]),
        (["policy"], ["required: test, COMMAND"]),
        (["policy", "try", "ls"], ["must be 'test'", "'try'"]),
        (["policy", "test", "git", "push"], ["one word, in quotes", "'push'"]),
        (["policy", "test", "ls", "-l"], ["one word, in quotes", "'-l'"]),
        (["config"], ["required: show|path"]),
        (["config", "set"], ["one of show, path", "'set'"]),
        (["config", "show", "x"], ["unrecognized arguments: x"]),
        (["doctor", "x"], ["unrecognized arguments: x"]),
        (["demo", "--model", "x"], ["a script", "--model"]),
        (["demo", "--provider", "openai"], ["a script", "--provider"]),
        (["demo", "--base-url", "http://x"], ["a script", "--base-url"]),
    ],
)
def test_what_is_not_offered_is_refused_by_name_and_with_a_way_out(
    words: list[str], says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    for part in says:
        assert part in said


def test_a_folder_with_a_subcommands_name_is_opened_by_its_path() -> None:
    for word in ("run", "demo", "tool", "tools", "policy", "sessions", "config", "doctor"):
        options = parse([f"./{word}"])
        assert isinstance(options, AppOptions)
        assert options.path == Path(word)


def test_the_demo_may_be_called_by_its_providers_name() -> None:
    assert parse(["demo", "--provider", "demo"]).common.flags["--provider"] == "demo"


def test_the_help_names_every_command_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    said = capsys.readouterr().out
    assert all(f"caramelo {word}" in said for word in SUBCOMMANDS)
    with pytest.raises(SystemExit):
        parse(["run", "--help"])
    said = capsys.readouterr().out
    assert all(code in said for code in ("0 completed", "1 error", "2 usage", "3 inc", "4 comp"))
    assert "130 cancelled, 143 terminated" in said
    assert "--approver PROGRAM" in said


def test_the_page_names_every_flag_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")
    for words in ([], *([word] for word in SUBCOMMANDS)):
        with pytest.raises(SystemExit):
            parse([*words, "--help"])
        flags = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help"}
        assert {flag for flag in flags if flag not in page} == set()


def test_serving_hands_the_apps_flags_on() -> None:
    options = parse(["serve", "src", "--port", "8080", "--mode", "each", "--host=127.0.0.2"])
    assert isinstance(options, ServeOptions)
    assert (options.host, options.port) == ("127.0.0.2", 8080)
    assert options.app_arguments == ("src", "--mode", "each")
    assert options.app.path == Path("src")
    plain = parse(["serve"])
    assert isinstance(plain, ServeOptions)
    assert (plain.host, plain.port, plain.app_arguments) == ("127.0.0.1", 0, ())
    for words in (["--port", "65536"], ["--port", "x"], ["--thme", "mono"], ["--mode"]):
        with pytest.raises(SystemExit) as caught:
            parse(["serve", *words])
        assert caught.value.code == 2


def test_the_app_may_be_written_line_by_line() -> None:
    options = parse(["demo", "--linear"])
    assert isinstance(options, AppOptions)
    assert options.is_linear


def test_the_version_is_printed_by_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version", "x"], ["run", "--version"]):
        with pytest.raises(SystemExit) as caught:
            parse(words)
        assert caught.value.code == 0
        assert capsys.readouterr().out.startswith("caramelo ")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["rnu", "hi"], "'rnu' is no command and no folder; did you mean: caramelo run"),
        (["docter"], "did you mean: caramelo doctor"),
        (["run", "--aprover", "x", "hi"], "did you mean --approver?"),
        (["run", "--mod=plan", "hi"], "did you mean --mode?"),
        (["run", "fix", "the", "bug"], "one word, in quotes: left over is 'the bug'"),
        (["run", "hi", "-x"], "unrecognized arguments: -x (usage"),
        (["tools", "--shap"], "did you mean --shape?"),
    ],
)
def test_what_is_misspelt_is_said_with_what_is_nearest(
    arguments: list[str],
    hint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        parse(arguments)
    assert left.value.code == 2
    assert hint in capsys.readouterr().err


def test_a_folder_whose_name_is_nearly_a_command_is_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tol").mkdir()
    monkeypatch.chdir(tmp_path)
    options = parse(["tol"])
    assert isinstance(options, AppOptions)
    assert options.path == Path("tol")
