"""The sessions of a workspace as an agent offers them."""

from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.sessions_port import NoSessions
from caramelo_tui.agent.stored_sessions import SessionPlace, StoredSessions
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import RunId, SessionId
from caramelo_tui.domain.sessions import ExportForm, SessionTrouble
from caramelo_tui.sessions.store import load_events
from tests.doubles.clocks import ManualClock
from tests.doubles.stored_sessions import Told, write_session


def stored(tmp_path: Path, told: Told, *, saved: int | None = None) -> StoredSessions:
    write_session(tmp_path / "sessions", told)
    (tmp_path / "root").mkdir()
    place = SessionPlace(
        folder=tmp_path / "sessions",
        root=tmp_path / "root",
        current=told.session_id,
        saved_seq=lambda: len(told.events) if saved is None else saved,
        new_id=lambda: SessionId("s-2"),
    )
    events = EventStream(ManualClock(), last_seq=len(told.events))
    return StoredSessions(place, events, ManualClock(), earlier=tuple(told.events))


async def test_sessions_are_listed_and_searched(tmp_path: Path) -> None:
    sessions = stored(tmp_path, Told().exchange("red", "green"))
    write_session(tmp_path / "sessions", Told("other").exchange("blue", "green"))
    assert {found.id for found in await sessions.list()} == {"s-1", "other"}
    assert [found.id for found in await sessions.list("blue")] == ["other"]


async def test_a_fork_ends_before_a_run(tmp_path: Path) -> None:
    sessions = stored(tmp_path, Told().exchange("one", "1").exchange("two", "2"))
    fork = await sessions.fork(before=RunId("run-2"))
    assert (fork.id, fork.prompt) == ("s-2", "two")
    assert len(load_events(tmp_path / "sessions" / "s-2.jsonl").events) == 6
    with pytest.raises(SessionTrouble, match="no such prompt"):
        await sessions.fork(before=RunId("run-9"))


async def test_an_export_goes_into_the_workspace(tmp_path: Path) -> None:
    sessions = stored(tmp_path, Told().exchange("one", "1"))
    assert await sessions.export(ExportForm.HTML) == tmp_path / "root" / "caramelo-s-1.html"
    with pytest.raises(SessionTrouble, match="was not written"):
        await sessions.export(ExportForm.HTML)
    with pytest.raises(SessionTrouble, match="was not written"):
        await sessions.export(ExportForm.HTML, "no/such/folder.html")


async def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    sessions = stored(tmp_path, Told().exchange("one", "1"))
    (tmp_path / "root" / "out.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SessionTrouble):
        await sessions.export(ExportForm.MARKDOWN, "out.md")
    assert not (tmp_path / "elsewhere").exists()


async def test_what_is_not_on_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caramelo_tui.agent.stored_sessions.LOOKS", 2)
    sessions = stored(tmp_path, Told().exchange("one", "1"), saved=0)
    with pytest.raises(SessionTrouble, match="not all of it is on disk"):
        await sessions.fork()


async def test_nothing_kept_is_nothing_to_fork() -> None:
    sessions = NoSessions()
    assert (sessions.current, sessions.earlier, await sessions.list()) == (None, (), ())
    with pytest.raises(SessionTrouble):
        await sessions.fork()
    with pytest.raises(SessionTrouble):
        await sessions.export(ExportForm.JSON)


def test_events_of_now_are_numbered_behind_the_stored_ones() -> None:
    stream = EventStream(ManualClock(), last_seq=7)
    stream.raise_notice(NoticeLevel.INFO, "x")
    assert [event.head.seq for event in stream.events] == [8]
    assert stream.last_seq == 8
    assert stream.events_since(8) == stream.events
    assert stream.events_since(9) == ()


@pytest.mark.parametrize(
    "name", ["~nobody-has-this-name/x.md", "a\0b", "x" * 5_000, "\ud800.md", ".", "/"]
)
async def test_a_name_that_is_none_is_said_so(tmp_path: Path, name: str) -> None:
    sessions = stored(tmp_path, Told().exchange("one", "1"))
    with pytest.raises(SessionTrouble):
        await sessions.export(ExportForm.MARKDOWN, name)
    assert not list((tmp_path / "root").iterdir())
