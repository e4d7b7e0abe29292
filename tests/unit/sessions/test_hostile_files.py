"""A session file of somebody else's making: it costs lines, never the program."""

import json
from pathlib import Path

import pytest

from caramelo_tui.agent.stored_sessions import write_export
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.sessions import ExportForm
from caramelo_tui.sessions.catalogue import list_sessions, summary_of
from caramelo_tui.sessions.codec import UnknownEvent, decode_event
from caramelo_tui.sessions.export import export_session
from caramelo_tui.sessions.opening import fork_session, open_session
from caramelo_tui.sessions.searching import search_sessions
from caramelo_tui.sessions.store import load_events
from tests.doubles.stored_sessions import Told, write_session

DEEP = "[" * 200_000
HUGE = "1" + "0" * 400
"""Is read as a whole number, and fits into no float."""


def line(kind: str, **fields: object) -> str:
    """Return a stored line; the text ``@X@`` in it stands for the bare JSON ``X``."""
    head: dict[str, object] = {"type": kind, "seq": 2, "at": 2.0, "run_id": "run-1"}
    return json.dumps({**head, **fields}).replace('"@', "").replace('@"', "")


def spending(**fields: object) -> str:
    usual = {"model": "m", "usage": {}, "cost": 1.0, "session_cost": 1.0, "session_unknown": 0}
    return line("SpendingCounted", **{**usual, **fields})


BAD_NUMBERS = [
    line("TextStreamed", text="x", at=f"@{HUGE}@"),
    line("TextStreamed", text="x", at="@NaN@"),
    line("TextStreamed", text="x", at="@1e999@"),
    line("TextStreamed", text="x", at=1e20),
    line("TextStreamed", text="x", at=-1e20),
    line("TextStreamed", text="x", seq=f"@{HUGE}@"),
    spending(cost="@NaN@"),
    spending(session_cost="@-Infinity@"),
    spending(cost=f"@{HUGE}@"),
    spending(cost="@1e308@"),
    spending(usage={"input_tokens": f"@{HUGE}@"}),
    spending(usage={"output_tokens": -1}),
    line("DiffCounted", changed_lines=-1, deny_above=None, ask_above=None),
    line("ContextMeasured", tokens=1, context_window=-5),
    line(
        "ContextCompacted",
        is_by_hand=False,
        tokens_before=1,
        tokens_after=1,
        dropped_messages=1,
        kept_answers=1,
        pinned=[-9],
        summary="s",
    ),
]


@pytest.mark.parametrize("text", BAD_NUMBERS)
def test_a_number_that_means_nothing_is_no_event(text: str) -> None:
    assert isinstance(decode_event(json.loads(text)), UnknownEvent)


@pytest.mark.parametrize("text", [*BAD_NUMBERS, DEEP, '{"a":' * 100_000, "\0" * 100, "9" * 9_000])
def test_a_session_with_such_a_line_goes_on(tmp_path: Path, text: str) -> None:
    told = Told().exchange("hello", "there")
    path = write_session(tmp_path, told, more=[text])

    assert load_events(path).events[: len(told.events)] == tuple(told.events)
    assert [found.first_prompt for found in list_sessions(tmp_path)] == ["hello"]
    assert search_sessions(tmp_path, list_sessions(tmp_path), "there")
    fork = fork_session(path, SessionId("fork"), before=None, now=9.0)
    opened = open_session(path)
    opened.file.close()
    assert opened.events == tuple(told.events)
    assert opened.last_seq < 2**53
    for form in ExportForm:
        assert export_session(load_events(fork), form)


def test_a_line_longer_than_any_of_ours_is_left_out(tmp_path: Path) -> None:
    told = Told().exchange("hello", "there")
    path = write_session(tmp_path, told)
    head, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((head, b'{"type":"' + b"x" * 30_000 + b"\n", *lines)))

    stored = load_events(path, longest_line=1_000)

    assert stored.events == tuple(told.events)
    assert stored.problems == ("Line 2 is too long and was left out.",)


@pytest.mark.parametrize("form", ExportForm)
def test_text_that_is_no_unicode_is_exported(tmp_path: Path, form: ExportForm) -> None:
    path = write_session(tmp_path, Told().exchange("a \ud800 b", "c \udfff \udc80 d"))
    target = tmp_path / "export"

    write_export(export_session(load_events(path), form), target)

    assert target.read_bytes().decode("utf-8")


def test_the_time_of_a_list_is_one(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"), more=[BAD_NUMBERS[0]])
    assert summary_of(path).active_at < 1e12
