"""The words about stored sessions."""

from pathlib import Path

import pytest

from caramelo_tui.command_line import (
    AppOptions,
    ExportFlag,
    RunOptions,
    SessionAction,
    SessionsOptions,
    parse,
)


@pytest.mark.parametrize(
    ("words", "session"),
    [
        ([], None),
        (["-c"], "last"),
        (["--continue"], "last"),
        (["-r"], ""),
        (["-r", "2026"], "2026"),
        (["--resume=2026"], "2026"),
        (["sessions", "resume", "2026"], "2026"),
        (["sessions", "resume", "last", "--linear"], "last"),
    ],
)
def test_the_app_goes_on_with_a_session(words: list[str], session: str | None) -> None:
    options = parse(words)
    assert isinstance(options, AppOptions)
    assert options.session == session


def test_a_session_and_a_folder_go_together() -> None:
    options = parse(["-r", "2026", "work"])
    assert isinstance(options, AppOptions)
    assert (options.session, options.path) == ("2026", Path("work"))


def test_a_run_goes_on_with_a_session() -> None:
    for words, session in ((["run", "-c", "go"], "last"), (["run", "-r", "2026", "go"], "2026")):
        options = parse(words)
        assert isinstance(options, RunOptions)
        assert (options.session, options.prompt) == (session, "go")


def test_sessions_are_listed_shown_and_exported() -> None:
    listed = parse(["sessions", "list", "--search", "a b", "--json"])
    assert isinstance(listed, SessionsOptions)
    assert (listed.action, listed.words, listed.is_json) == (SessionAction.LIST, "a b", True)
    shown = parse(["sessions", "show", "last", "--workspace", "w"])
    assert isinstance(shown, SessionsOptions)
    assert (shown.session, shown.workspace) == ("last", Path("w"))
    out = parse(["sessions", "export", "2026", "--format", "html", "-o", "x.html"])
    assert isinstance(out, SessionsOptions)
    assert (out.form, out.output) == (ExportFlag.HTML, Path("x.html"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-c", "-r"], "either --continue or --resume"),
        (["run", "-r"], "expected one argument"),
        (["run", "-c", "--no-session", "go"], "leave out --no-session"),
        (["sessions"], "required: list|show|export|resume"),
        (["sessions", "show"], "show needs an ID"),
        (["sessions", "list", "2026"], "list takes no ID"),
        (["sessions", "resume"], "required: ID"),
        (["sessions", "resume", "2026", "-c"], "the ID says which session"),
        (["sessions", "export", "x", "--format", "pdf"], "one of md, json, html"),
        (["demo", "-c"], "unrecognized arguments"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    assert says in capsys.readouterr().err
