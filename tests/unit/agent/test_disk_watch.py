"""The disk watch tells everybody who must know of a change, the cache first."""

from collections.abc import Collection

from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.disk_watch import DiskWatch
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.agent_events import FilesChanged, NoticeRaised
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from tests.doubles.agent_worlds import (
    STAMP,
    FakeCacheDrops,
    FakeProcesses,
    FakeWatcher,
    FixedClock,
)

CHANGE = FileChange(path="a.py", kind=ChangeKind.MODIFIED)


class FakeQuestions:
    def __init__(self) -> None:
        self.stale: list[set[str]] = []

    def mark_stale(self, paths: Collection[str]) -> None:
        self.stale.append(set(paths))


class Bench:
    def __init__(self) -> None:
        self.events = EventStream(FixedClock())
        self.watcher = FakeWatcher()
        self.cache = FakeCacheDrops()
        self.questions = FakeQuestions()
        self.outside = OutsideChanges(lambda _path: None)
        self.processes = FakeProcesses()
        self.commands = CommandActivity(
            events=self.events,
            processes=self.processes,
            command_tools=["bash"],
            clock=FixedClock(),
        )
        self.disk = DiskWatch(
            watcher=self.watcher,
            cache=self.cache,
            questions=self.questions,
            outside=[self.outside],
            commands=self.commands,
            events=self.events,
        )


async def test_a_change_reaches_cache_reviews_model_and_screen() -> None:
    bench = Bench()
    bench.outside.remember({"a.py": STAMP})
    await bench.disk.start()
    bench.watcher.see(CHANGE)
    assert bench.cache.changes == [CHANGE]
    assert bench.questions.stale == [{"a.py"}]
    assert bench.outside.take_note() is not None
    event = bench.events.events[0]
    assert isinstance(event, FilesChanged)
    assert (event.origin, event.changes) == (ChangeOrigin.EXTERNAL, (CHANGE,))
    await bench.disk.stop()
    assert not bench.watcher.is_running


async def test_a_change_while_a_command_left_something_running_is_a_commands() -> None:
    bench = Bench()
    bench.processes.leave(3)
    bench.commands.report_background()
    bench.disk.take((CHANGE,))
    event = bench.events.events[-1]
    assert isinstance(event, FilesChanged)
    assert event.origin is ChangeOrigin.COMMAND


async def test_trouble_empties_the_cache_and_is_said() -> None:
    bench = Bench()
    assert bench.disk.is_watching
    bench.disk.take_trouble("Changes of files are no longer noticed: no watches left")
    assert not bench.disk.is_watching
    assert bench.cache.troubles == 1
    notice = bench.events.events[0]
    assert isinstance(notice, NoticeRaised)
    assert "no watches left" in notice.text


async def test_after_the_end_only_the_cache_is_told() -> None:
    bench = Bench()
    bench.events.close()
    bench.disk.take((CHANGE,))
    bench.disk.take_trouble("late")
    assert bench.cache.changes == [CHANGE]
    assert bench.questions.stale == []


async def test_activity_is_passed_on() -> None:
    bench = Bench()
    bench.disk.set_active(is_active=True)
    assert bench.watcher.activity == [True]


def test_while_somebody_is_waited_for_it_looks_as_rarely_as_at_rest() -> None:
    bench = Bench()
    bench.disk.set_active(is_active=True)
    bench.disk.set_waiting(True)
    bench.disk.set_waiting(False)
    bench.disk.set_waiting(True)
    bench.disk.set_active(is_active=False)
    bench.disk.set_waiting(False)
    assert bench.watcher.activity == [True, False, True, False, False, False]
