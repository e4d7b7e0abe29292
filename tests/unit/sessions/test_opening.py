"""A stored session is had by one program, and a fork leaves its source as it is."""

import errno
import os
import stat
from pathlib import Path

import pytest

from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.sessions.opening import fork_session, open_session
from caramelo_tui.sessions.store import load_events
from tests.doubles.stored_sessions import Told, write_session

LATER = '{"type":"Juggled","seq":50,"at":1.0}'


def test_a_session_is_opened_with_what_it_holds(tmp_path: Path) -> None:
    told = Told().exchange("a", "b")
    opened = open_session(write_session(tmp_path, told, more=(LATER,)))
    opened.file.close()
    assert opened.header.session_id == "s-1"
    assert opened.events == tuple(told.events)
    assert opened.last_seq == 50
    assert "1 event of another version" in opened.problems[0]


def test_a_session_is_named_by_its_file(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told("s-1").exchange("a", "b"))
    path.write_text(path.read_text().replace('"session_id":"s-1"', '"session_id":"../../x"', 1))
    opened = open_session(path)
    opened.file.close()
    assert opened.header.session_id == "s-1"


def test_a_second_program_is_refused(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"))
    first = open_session(path)
    with pytest.raises(SessionTrouble, match="open in another Caramelo"):
        open_session(path)
    first.file.close()
    open_session(path).file.close()


def test_a_torn_line_is_left_out_and_ended(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"), tail='{"type":"No')
    opened = open_session(path)
    opened.file.append([LATER])
    opened.file.close()
    stored = load_events(path)
    assert len(stored.events) == len(opened.events) + 1


@pytest.mark.parametrize(
    ("version", "damage", "says"),
    [(2, b"", "later version"), (1, b"x", "first line is damaged")],
)
def test_what_cannot_be_gone_on_with_is_said_and_let_go(
    tmp_path: Path, version: int, damage: bytes, says: str
) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"), version=version)
    path.write_bytes(damage + path.read_bytes())
    for _ in range(2):
        with pytest.raises(SessionTrouble, match=says):
            open_session(path)


def test_a_session_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(SessionTrouble, match=os.strerror(errno.ENOENT)):
        open_session(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_a_fork_has_the_lines_before_a_number(tmp_path: Path) -> None:
    told = Told().exchange("a", "b").exchange("c", "d")
    path = write_session(tmp_path, told, more=(LATER,))
    outputs = path.with_suffix(".output")
    outputs.mkdir()
    (outputs / "c1.txt").write_text("out")
    before = path.read_bytes()
    half = fork_session(path, SessionId("half"), before=told.events[6].head.seq, now=5.0)
    whole = fork_session(path, SessionId("whole"), before=None, now=5.0)
    assert path.read_bytes() == before
    assert load_events(half).events == tuple(told.events[:6])
    assert len(load_events(whole).events) == len(told.events) + 1
    header = load_events(half).header
    assert header is not None
    assert (header.session_id, header.forked_from, header.started_at) == ("half", "s-1", 5.0)
    assert stat.S_IMODE(half.stat().st_mode) == 0o600
    assert (half.with_suffix(".output") / "c1.txt").read_text() == "out"


def test_a_fork_never_takes_the_place_of_a_session(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"))
    before = path.read_bytes()
    with pytest.raises(SessionTrouble, match="cannot be forked"):
        fork_session(path, SessionId("s-1"), before=None, now=5.0)
    assert path.read_bytes() == before
