"""The list of stored sessions: quick, whole, and honest about damage."""

import fcntl
import os
import time
from pathlib import Path

import pytest

from caramelo_tui.domain.agent_events import NoticeLevel, NoticeRaised, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.sessions.catalogue import find_session, list_sessions, summary_of
from tests.doubles.stored_sessions import FIRST_SECOND, Told, write_session


def test_a_summary_has_prompt_model_times_and_size(tmp_path: Path) -> None:
    told = Told().exchange("mend the parser", "done").exchange("and the tests", "done too")
    path = write_session(tmp_path, told)
    found = summary_of(path)
    assert found.id == "s-1"
    assert found.first_prompt == "mend the parser"
    assert (found.provider, found.model) == ("scripted", "model-1")
    assert found.runs == 2
    assert found.started_at == FIRST_SECOND
    assert found.active_at == told.events[-1].head.at
    assert found.size == path.stat().st_size
    assert not found.is_unended
    assert not found.is_open
    assert not found.problem


def test_the_session_that_was_active_last_comes_first(tmp_path: Path) -> None:
    write_session(tmp_path, Told("old").exchange("a", "b"))
    write_session(tmp_path, Told("new").exchange("a", "b").exchange("c", "d"))
    assert [found.id for found in list_sessions(tmp_path)] == ["new", "old"]


def test_a_run_without_its_end_is_said(tmp_path: Path) -> None:
    told = Told().exchange("a", "b").begin("c").turn().stream("half")
    assert summary_of(write_session(tmp_path, told)).is_unended


def test_words_that_look_like_events_are_not_counted(tmp_path: Path) -> None:
    trick = '{"type":"RunStarted","seq":1}\n{"type":"RunStarted"'
    found = summary_of(write_session(tmp_path, Told().exchange(trick, trick)))
    assert found.runs == 1
    assert found.first_prompt == trick
    assert not found.is_unended


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("header", "the first line is damaged"),
        ("tail", "the last line is cut off"),
        ("version", "a later version of Caramelo wrote it"),
    ],
)
def test_a_damaged_file_is_listed_with_what_is_wrong(
    tmp_path: Path, damage: str, problem: str
) -> None:
    told = Told().exchange("a", "b")
    version, tail = (2, "") if damage == "version" else (1, '{"type":"Not' * (damage == "tail"))
    path = write_session(tmp_path, told, tail=tail, version=version)
    if damage == "header":
        path.write_bytes(b"\xff" + path.read_bytes())
    [found] = list_sessions(tmp_path)
    assert found.problem == problem
    assert found.runs == 1


@pytest.mark.parametrize("begin", [b"", b'{"type":"Sess'])
def test_a_file_that_a_killed_program_had_only_begun_is_no_session(
    tmp_path: Path, begin: bytes
) -> None:
    write_session(tmp_path, Told("good").exchange("a", "b"))
    (tmp_path / "later.jsonl").write_bytes(begin)
    assert [found.id for found in list_sessions(tmp_path)] == ["good"]
    assert find_session(tmp_path, "last").stem == "good"


def test_an_unreadable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write_session(tmp_path, Told("good").exchange("a", "b"))
    # A number where a name belongs, and the largest one that JSON can hold.
    (tmp_path / "odd.jsonl").write_text('{"type":"Session","session_id":3}\n{"at":1e999}\n')
    (tmp_path / "deep.jsonl").write_text("[" * 100_000 + "\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "good.jsonl")
    assert {found.id for found in list_sessions(tmp_path)} == {"good", "odd", "deep"}


def test_a_session_that_a_program_writes_is_open(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"))
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        assert summary_of(path).is_open
    finally:
        os.close(descriptor)
    assert not summary_of(path).is_open


def test_a_session_in_which_nothing_happened_is_left_out(tmp_path: Path) -> None:
    asked = write_session(tmp_path, Told("asked").exchange("a", "b"))
    idle = Told("idle")
    idle.add(NoticeRaised(head=idle.head(), level=NoticeLevel.INFO, text="no model is set"))
    write_session(tmp_path, idle)
    assert [found.id for found in list_sessions(tmp_path)] == ["asked"]
    assert find_session(tmp_path, "last") == asked
    own = Told("own")
    own.add(ToolCallStarted(head=own.head(), call_id=CallId("c"), tool="!", arguments_json="{}"))
    write_session(tmp_path, own)
    assert {found.id for found in list_sessions(tmp_path)} == {"asked", "own"}


def test_no_folder_is_no_session(tmp_path: Path) -> None:
    assert list_sessions(tmp_path / "none") == ()


def test_a_session_is_found_by_the_begin_of_its_id(tmp_path: Path) -> None:
    write_session(tmp_path, Told("20260101-a").exchange("a", "b"))
    newest = write_session(tmp_path, Told("20260102-b").exchange("a", "b").exchange("c", "d"))
    assert find_session(tmp_path, "20260102") == newest
    assert find_session(tmp_path, "last") == newest
    with pytest.raises(SessionTrouble, match="several"):
        find_session(tmp_path, "2026")
    with pytest.raises(SessionTrouble, match="no stored session"):
        find_session(tmp_path, "../20260102-b")
    with pytest.raises(SessionTrouble, match="no stored session"):
        find_session(tmp_path / "none", "last")


def test_two_hundred_sessions_of_a_megabyte_are_listed_at_once(tmp_path: Path) -> None:
    told = Told().exchange("go", "word " * 20_000)
    while sum(len(event.text) for event in told.events if hasattr(event, "text")) < 1_000_000:
        told.exchange("on", "word " * 20_000)
    first = write_session(tmp_path, told)
    for number in range(199):
        os.link(first, tmp_path / f"s-{number + 2}.jsonl")
    begin = time.process_time()
    assert len(list_sessions(tmp_path)) == 200
    # The promise is 0.3 s; a machine that does other things gets three times as much.
    assert time.process_time() - begin < 0.9
