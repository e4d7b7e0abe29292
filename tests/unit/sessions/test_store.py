"""The session file: private, whole lines, safe at every byte, never in the way."""

import asyncio
import errno
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    RunEnded,
    TextStreamed,
)
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.codec import UnknownEvent
from caramelo_tui.sessions.folders import session_path
from caramelo_tui.sessions.recorder import SessionRecorder
from caramelo_tui.sessions.store import (
    SessionFile,
    SessionHeader,
    load_events,
)
from tests.doubles.agent_worlds import FixedClock

HEADER = SessionHeader(session_id=SessionId("s-1"), workspace="/w", started_at=1.0)


def notice(number: int) -> AgentEvent:
    head = EventHead(seq=number, at=1.0)
    return NoticeRaised(head=head, level=NoticeLevel.INFO, text=f"n{number}")


def word(number: int) -> AgentEvent:
    return TextStreamed(head=EventHead(seq=number, at=1.0), text="w")


async def each(*events: AgentEvent) -> AsyncIterator[AgentEvent]:
    for event in events:
        yield event


class FullDisk(SessionFile):
    """A file on a disk that is full for the first few tries."""

    def __init__(self, path: Path, failures: int) -> None:
        super().__init__(path, HEADER)
        self.failures = failures
        self.tries = 0

    def append(self, lines: list[str]) -> None:
        self.tries += 1
        if self.tries <= self.failures:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(lines)


def ignore(text: str) -> None:
    raise AssertionError(text)


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o277])
async def test_file_and_folders_are_private_from_the_start(tmp_path: Path, umask: int) -> None:
    path = session_path(tmp_path / "state" / "sessions", Path("/w"), SessionId("s-1"))
    previous = os.umask(umask & 0o177)
    try:
        recorder = SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore)
        await recorder.record(each(notice(1)))
    finally:
        os.umask(previous)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent, tmp_path / "state"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_events_come_back_in_order_after_their_header(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    events = [notice(1), word(2), word(3), notice(4)]
    await SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore).record(each(*events))
    stored = load_events(path)
    assert stored.header == HEADER
    assert list(stored.events) == events
    assert stored.problems == ()


async def test_a_session_in_which_nothing_happened_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    await SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore).record(each())
    assert not path.exists()


async def test_an_event_is_on_disk_while_the_session_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    saved = asyncio.Event()

    class Watched(SessionFile):
        def append(self, lines: list[str]) -> None:
            super().append(lines)
            loop.call_soon_threadsafe(saved.set)

    loop = asyncio.get_running_loop()
    stream = EventStream(FixedClock())
    # A long batch time: a whole event does not wait for it, pieces before it come along.
    recorder = SessionRecorder(Watched(path, HEADER), on_trouble=ignore, batch_s=60)
    task = asyncio.create_task(recorder.record(stream.reader()))
    stream.emit(lambda head: TextStreamed(head=head, text="first piece"))
    await asyncio.sleep(0)
    await recorder.kept(1)
    saved.clear()
    stream.emit(lambda head: TextStreamed(head=head, text="second piece"))
    await asyncio.sleep(0)
    assert len(load_events(path).events) == 1
    stream.raise_notice(NoticeLevel.INFO, "whole")
    await saved.wait()
    assert list(load_events(path).events) == list(stream.events)
    stream.close()
    await task


async def test_pieces_alone_are_written_after_the_batch_time(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    saved = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Watched(SessionFile):
        def append(self, lines: list[str]) -> None:
            super().append(lines)
            loop.call_soon_threadsafe(saved.set)

    stream = EventStream(FixedClock())
    recorder = SessionRecorder(Watched(path, HEADER), on_trouble=ignore, batch_s=0.01)
    task = asyncio.create_task(recorder.record(stream.reader()))
    stream.emit(lambda head: TextStreamed(head=head, text="piece"))
    await saved.wait()
    assert len(load_events(path).events) == 1
    stream.close()
    await task


async def test_a_cancelled_recorder_writes_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    stream = EventStream(FixedClock())
    recorder = SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore, batch_s=60)
    task = asyncio.create_task(recorder.record(stream.reader()))
    stream.emit(lambda head: TextStreamed(head=head, text="piece"))
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(load_events(path).events) == 1


async def test_a_full_disk_costs_one_notice_and_no_event(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    told: list[str] = []
    file = FullDisk(path, failures=2)
    stream = EventStream(FixedClock())
    recorder = SessionRecorder(file, on_trouble=told.append)
    task = asyncio.create_task(recorder.record(stream.reader()))
    for number in range(4):
        stream.raise_notice(NoticeLevel.INFO, str(number))
        while file.tries <= number:  # noqa: ASYNC110 - the file's thread tells nobody
            await asyncio.sleep(0.001)
    stream.close()
    await task
    assert len(told) == 2
    assert "No space left" in told[0]
    assert "make room" in told[0]
    assert "can be written again" in told[1]
    assert len(load_events(path).events) == 4


async def test_a_disk_that_stays_full_does_not_stop_the_session(tmp_path: Path) -> None:
    told: list[str] = []
    recorder = SessionRecorder(FullDisk(tmp_path / "s", failures=99), on_trouble=told.append)
    await recorder.record(each(notice(1), notice(2)))
    assert len(told) == 1


def test_a_write_that_fails_halfway_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    file = SessionFile(path, HEADER)
    file.append(['{"type":"A"}'])
    whole = path.read_bytes()
    real_write = os.write

    def half_write(descriptor: int, data: memoryview) -> int:
        if len(data) < 8:
            raise OSError(errno.ENOSPC, "full")
        return real_write(descriptor, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half_write)
    with pytest.raises(OSError, match="full"):
        file.append(['{"type":"B"}'])
    monkeypatch.undo()
    assert path.read_bytes() == whole
    file.close()


async def test_a_file_cut_at_any_byte_loses_only_the_cut_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    events = [notice(1), notice(2)]
    await SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore).record(each(*events))
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        stored = load_events(path)
        lines = whole[:size].count(b"\n")
        assert len(stored.events) == max(lines - 1, 0)
        assert len(stored.problems) == int(not whole[:size].endswith(b"\n") and size > 0)


async def test_after_a_cut_line_the_next_session_writes_on_a_line_of_its_own(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.jsonl"
    await SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore).record(each(notice(1)))
    path.write_bytes(path.read_bytes()[:-5])
    await SessionRecorder(SessionFile(path, HEADER), on_trouble=ignore).record(each(notice(2)))
    stored = load_events(path)
    assert list(stored.events) == [notice(2)]
    assert "Line 2" in stored.problems[0]


async def test_the_end_of_a_run_is_forced_onto_the_disk(tmp_path: Path) -> None:
    synced: list[bool] = []

    class Watched(SessionFile):
        def sync(self) -> None:
            super().sync()
            synced.append(True)

    ended = RunEnded(head=EventHead(seq=1, at=1.0), ending=Ending.COMPLETED, refused_calls=0)
    file = Watched(tmp_path / "s.jsonl", HEADER)
    await SessionRecorder(file, on_trouble=ignore).record(each(ended))
    assert synced == [True]


def test_strange_lines_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'not json\n[1]\n{"type":"New","seq":1}\n\xff\n')
    stored = load_events(path)
    assert stored.header is None
    assert [type(event) for event in stored.events] == [UnknownEvent]
    assert [problem.split()[1] for problem in stored.problems] == ["1", "2", "4"]
