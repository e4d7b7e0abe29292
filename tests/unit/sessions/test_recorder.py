"""What a disk that refuses costs: no event, one word when it begins, one when it ends."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from pathlib import Path

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    RunEnded,
)
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.recorder import MOST_AT_ONCE, SessionRecorder
from caramelo_tui.sessions.rescue import rescue_beside
from caramelo_tui.sessions.store import SessionFile, SessionHeader, load_events
from tests.doubles.agent_worlds import FixedClock

HEADER = SessionHeader(session_id=SessionId("s-1"), workspace="/w", started_at=1.0)


class MovingDisk(SessionFile):
    """A file whose disk can be filled and emptied."""

    def __init__(self, path: Path, *, is_full: bool = True) -> None:
        super().__init__(path, HEADER)
        self.is_full = is_full
        self.tried: list[int] = []
        """Lines of each try, in order."""

    def append(self, lines: list[str]) -> None:
        self.tried.append(len(lines))
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(lines)


def notices(count: int) -> list[AgentEvent]:
    return [
        NoticeRaised(head=EventHead(seq=n, at=1.0), level=NoticeLevel.INFO, text=f"n{n}")
        for n in range(1, count + 1)
    ]


async def each(events: list[AgentEvent]) -> AsyncIterator[AgentEvent]:
    for event in events:
        yield event


async def test_what_waits_is_written_when_there_is_room_though_nothing_new_happens(
    tmp_path: Path,
) -> None:
    file = MovingDisk(tmp_path / "s.jsonl")
    stream, told = EventStream(FixedClock()), asyncio.Queue[str]()
    recorder = SessionRecorder(file, on_trouble=told.put_nowait, retry_s=0.01)
    task = asyncio.create_task(recorder.record(stream.reader()))
    stream.raise_notice(NoticeLevel.INFO, "shown")
    assert "s.jsonl cannot be written: No space left on device (make room" in await told.get()
    await asyncio.wait_for(recorder.kept(1), 5)  # What cannot be kept holds nobody up.
    file.is_full = False
    assert "can be written again" in await told.get()
    assert list(load_events(file.path).events) == list(stream.events)
    file.is_full = True
    stream.raise_notice(NoticeLevel.INFO, "shown later")
    assert "cannot be written" in await told.get()
    file.is_full = False
    stream.close()
    await task
    assert recorder.unkept == ""
    assert len(load_events(file.path).events) == 2


async def test_a_try_on_a_full_disk_costs_the_same_however_much_waits(tmp_path: Path) -> None:
    file = MovingDisk(tmp_path / "s.jsonl")
    recorder = SessionRecorder(file, on_trouble=lambda _: None, retry_s=60)
    await recorder.record(each(notices(MOST_AT_ONCE * 4)))
    assert max(file.tried) == MOST_AT_ONCE


async def test_the_end_of_a_session_without_room_is_kept_elsewhere(tmp_path: Path) -> None:
    file = MovingDisk(tmp_path / "full" / "s.jsonl")
    recorder = SessionRecorder(
        file,
        on_trouble=lambda _: None,
        rescue=rescue_beside(file.path, HEADER, folder=tmp_path),
    )
    await recorder.record(each(notices(3)))
    place = tmp_path / f"caramelo-s-{os.getpid()}.jsonl"
    assert "The last 3 events of the session could not be written" in recorder.unkept
    assert f"`cat {place} >> {file.path}`" in recorder.unkept
    assert place.stat().st_mode & 0o777 == 0o600
    # The session's file has no first line yet: what is kept makes a whole session by itself.
    assert load_events(place).header == HEADER
    assert list(load_events(place).events) == notices(3)


async def test_what_is_kept_elsewhere_is_appended_as_the_user_is_told(tmp_path: Path) -> None:
    file = MovingDisk(tmp_path / "s.jsonl", is_full=False)
    stream = EventStream(FixedClock())
    recorder = SessionRecorder(
        file,
        on_trouble=lambda _: None,
        rescue=rescue_beside(file.path, HEADER, folder=tmp_path / "elsewhere"),
    )
    (tmp_path / "elsewhere").mkdir()
    task = asyncio.create_task(recorder.record(stream.reader()))
    stream.raise_notice(NoticeLevel.INFO, "first")
    await asyncio.sleep(0)
    await recorder.kept(1)
    file.is_full = True
    stream.raise_notice(NoticeLevel.INFO, "second")
    stream.close()
    await task
    (place,) = (tmp_path / "elsewhere").iterdir()
    with file.path.open("ab") as session:
        session.write(place.read_bytes())
    stored = load_events(file.path)
    assert (stored.header, stored.problems) == (HEADER, ())
    assert list(stored.events) == list(stream.events)


async def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    recorder = SessionRecorder(
        MovingDisk(tmp_path / "s.jsonl"),
        on_trouble=lambda _: None,
        rescue=rescue_beside(tmp_path / "s.jsonl", HEADER, folder=tmp_path / "missing"),
    )
    await recorder.record(each(notices(1)))
    assert "The session's end could not be written" in recorder.unkept
    assert "lost" in recorder.unkept


class UnsyncedDisk(SessionFile):
    """A file that takes lines, on a disk that cannot be told to keep them."""

    def sync(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


async def test_a_disk_that_cannot_sync_gets_every_event_once_and_is_told_of_once(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    file = UnsyncedDisk(tmp_path / "s.jsonl", HEADER)
    ends: list[AgentEvent] = [
        RunEnded(head=EventHead(seq=n, at=1.0), ending=Ending.COMPLETED, refused_calls=0)
        for n in (4, 5)
    ]
    recorder = SessionRecorder(file, on_trouble=told.append)

    async def one_by_one() -> AsyncIterator[AgentEvent]:
        for event in notices(3) + ends:
            yield event
            await recorder.kept(event.head.seq)

    await recorder.record(one_by_one())
    assert list(load_events(file.path).events) == notices(3) + ends
    (said,) = told
    assert f"{file.path} cannot be forced to the disk: Input/output error" in said
