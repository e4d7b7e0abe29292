"""The watching thread: real folders, and a scripted notifier where the system cannot be made
to fail."""

import asyncio
import os
import shutil
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from caramelo_tui.domain.files import FileChange
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.watcher import (
    Notifier,
    RawAnswer,
    RawEvents,
    StopFlag,
    Watcher,
    rust_notifier,
)
from tests.doubles.workspace_worlds import World

WAIT_S = 10


class Reports:
    """Collects what a watcher reports and lets a test wait for it."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.troubles: list[str] = []
        self._news = asyncio.Event()

    def take(self, changes: tuple[FileChange, ...]) -> None:
        self.told += [(change.path, change.kind.value) for change in changes]
        self._news.set()

    def trouble(self, text: str) -> None:
        self.troubles.append(text)
        self._news.set()

    async def wait_for(self, is_there: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not is_there():
                self._news.clear()
                await self._news.wait()

    async def wait_for_change(self, path: str, kind: str) -> None:
        await self.wait_for(lambda: (path, kind) in self.told)


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
async def watcher(world: World, reports: Reports) -> AsyncIterator[Watcher]:
    world.write("old.txt", "x")
    world.write("sub/k", "k")
    made = Watcher(world.sandbox, own_writes=world.own_writes, on_trouble=reports.trouble)
    made.subscribe(reports.take)
    made.set_active(True)
    await made.start()
    yield made
    await made.stop()


async def test_outside_changes_are_reported(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    assert watcher.is_alive
    world.write("new.txt", "x")
    await reports.wait_for_change("new.txt", "created")
    world.write("old.txt", "changed")
    await reports.wait_for_change("old.txt", "modified")
    (world.root / "old.txt").rename(world.root / "moved.txt")
    await reports.wait_for_change("old.txt", "deleted")
    await reports.wait_for_change("moved.txt", "created")


async def test_files_in_new_nested_folders_are_reported(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    assert watcher.is_alive
    for number in range(20):
        world.write(f"n{number}/a/b/c/f", "x")
    for number in range(20):
        await reports.wait_for_change(f"n{number}/a/b/c/f", "created")


async def test_a_folder_made_again_is_still_watched(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    assert watcher.is_alive
    shutil.rmtree(world.root / "sub")
    await reports.wait_for_change("sub/k", "deleted")
    world.write("sub/again", "1")
    await reports.wait_for_change("sub/again", "created")
    world.write("sub/again", "2")
    await reports.wait_for_change("sub/again", "modified")


async def test_our_own_writes_are_not_reported(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    stamp = world.files.write_atomic("own/a.txt", b"1", expected_hash=None)
    watcher.own_writes.settle("own/a.txt", stamp)
    world.files.write_atomic("old.txt", b"2", expected_hash=content_hash(b"x"))
    # What comes after them is seen after them.
    world.write("sub/k", "theirs")
    await reports.wait_for_change("sub/k", "modified")
    assert reports.told == [("sub/k", "modified")]


async def test_skipped_folders_are_not_reported(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    assert watcher.is_alive
    world.write(".git/objects/x", "1")
    world.write("node_modules/m.js", "1")
    world.write("last", "1")
    await reports.wait_for_change("last", "created")
    assert reports.told == [("last", "created")]


async def test_a_name_that_is_not_utf8_does_not_end_the_watch(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    for number in range(2):
        name = os.fsencode(world.root) + b"/caf\xe9%d" % number
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        await reports.wait_for_change(f"caf\udce9{number}", "created")
    world.write("after", "x")
    await reports.wait_for_change("after", "created")
    assert watcher.is_alive


async def test_a_deleted_root_is_trouble(world: World, watcher: Watcher, reports: Reports) -> None:
    shutil.rmtree(world.root)
    await reports.wait_for(lambda: bool(reports.troubles))
    assert "deleted" in reports.troubles[0]
    assert not watcher.is_alive


async def test_stopping_is_quick_at_rest_and_can_be_done_twice(world: World) -> None:
    watcher = Watcher(world.sandbox)
    await watcher.start()
    await watcher.start()
    started = time.monotonic()
    await watcher.stop()
    await watcher.stop()
    assert time.monotonic() - started < 1
    assert not watcher.is_alive
    assert not any(thread.name == "workspace-watcher" for thread in threading.enumerate())


async def test_a_watcher_that_never_started_stops(world: World) -> None:
    await Watcher(world.sandbox).stop()


async def test_a_callback_can_be_taken_away(
    world: World, watcher: Watcher, reports: Reports
) -> None:
    second = Reports()
    end = watcher.subscribe(second.take)
    end()
    world.write("f", "x")
    await reports.wait_for_change("f", "created")
    assert second.told == []


Script = Callable[[], RawAnswer]


class ScriptedNotifier:
    """Gives prepared answers, then waits until it is stopped."""

    def __init__(self, script: list[Script]) -> None:
        self.script = script
        self.closed = 0
        self.paces: list[tuple[int, int, int]] = []

    def __call__(self, folders: list[str], *, is_recursive: bool) -> "ScriptedNotifier":
        assert folders
        assert is_recursive
        return self

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: StopFlag | None
    ) -> RawAnswer:
        self.paces.append((debounce_ms, step_ms, timeout_ms))
        if self.script:
            return self.script.pop(0)()
        assert stop_event is not None
        threading.Event().wait(0.001)
        return "stop" if stop_event.is_set() else "timeout"

    def close(self) -> None:
        self.closed += 1


def added(*paths: Path) -> Script:
    events: RawEvents = {(1, str(path)) for path in paths}
    return lambda: events


def fails() -> RawAnswer:
    msg = "scripted failure"
    raise RuntimeError(msg)


async def scripted(
    world: World, reports: Reports, script: list[Script]
) -> tuple[Watcher, ScriptedNotifier]:
    notifier = ScriptedNotifier(script)
    watcher = Watcher(world.sandbox, on_trouble=reports.trouble, notifier=notifier)
    watcher.subscribe(reports.take)
    await watcher.start()
    return watcher, notifier


async def test_events_lost_by_a_failure_are_found_on_the_disk(
    world: World, reports: Reports
) -> None:
    def fails_with_changes() -> RawAnswer:
        world.write("unseen", "x")
        return fails()

    watcher, notifier = await scripted(world, reports, [fails_with_changes])
    await reports.wait_for_change("unseen", "created")
    assert watcher.is_alive
    await watcher.stop()
    assert notifier.closed == 2


async def test_failures_again_and_again_are_trouble(world: World, reports: Reports) -> None:
    watcher, _ = await scripted(world, reports, [fails] * 50)
    await reports.wait_for(lambda: bool(reports.troubles))
    assert "again and again" in reports.troubles[0]
    assert not watcher.is_alive
    await watcher.stop()


async def test_a_huge_batch_is_checked_against_the_disk(world: World, reports: Reports) -> None:
    def huge() -> RawAnswer:
        world.write("dropped by the queue", "x")
        return {(2, f"{world.root}/gone{number}") for number in range(8_000)}

    watcher, _ = await scripted(world, reports, [huge])
    await reports.wait_for_change("dropped by the queue", "created")
    await watcher.stop()


async def test_a_file_that_got_in_before_its_folder_was_watched_is_found_later(
    world: World, reports: Reports
) -> None:
    (world.root / "new").mkdir()

    def then_a_file() -> RawAnswer:
        world.write("new/late", "x")
        return "timeout"

    watcher, notifier = await scripted(world, reports, [added(world.root / "new"), then_a_file])
    await reports.wait_for_change("new/late", "created")
    await watcher.stop()
    assert notifier.paces[1] == (50, 10, 60)


async def test_events_of_the_root_and_of_elsewhere_mean_nothing(
    world: World, reports: Reports
) -> None:
    world.write("f", "x")
    script = [added(world.root, world.outside / "secret.txt"), added(world.root / "f")]
    watcher, _ = await scripted(world, reports, script)
    await reports.wait_for_change("f", "modified")
    assert reports.told == [("f", "modified")]
    await watcher.stop()


async def test_the_pace_follows_the_activity(world: World, reports: Reports) -> None:
    watcher, notifier = await scripted(world, reports, [])
    await _until(lambda: bool(notifier.paces))
    assert notifier.paces[0] == (1_600, 100, 500)
    watcher.set_active(True)
    await _until(lambda: notifier.paces[-1] == (10, 5, 250))
    watcher.set_active(False)
    await _until(lambda: notifier.paces[-1] == (1_600, 100, 500))
    await watcher.stop()


async def _until(is_there: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not is_there():
            await asyncio.to_thread(lambda: None)


async def test_a_folder_that_cannot_be_watched_is_trouble_not_a_crash(
    world: World, reports: Reports
) -> None:
    def no_watches(folders: list[str], *, is_recursive: bool) -> Notifier:
        assert folders or is_recursive
        raise OSError(28, "No space left on device: inotify watches")

    watcher = Watcher(world.sandbox, on_trouble=reports.trouble, notifier=no_watches)
    await watcher.start()
    await reports.wait_for(lambda: bool(reports.troubles))
    assert "no longer noticed" in reports.troubles[0]
    assert not watcher.is_alive
    await watcher.stop()


async def test_trouble_without_a_listener_is_quiet(world: World) -> None:
    watcher = Watcher(world.sandbox, notifier=ScriptedNotifier([fails] * 50))
    await watcher.start()
    await _until(lambda: not watcher.is_alive)
    await watcher.stop()


def test_a_loop_that_is_gone_is_not_called(world: World) -> None:
    watcher = Watcher(world.sandbox, notifier=ScriptedNotifier([]))
    asyncio.run(watcher.start())
    world.write("f", "x")
    asyncio.run(watcher.stop())
    assert not watcher.is_alive


@pytest.mark.parametrize("is_recursive", [True, False])
def test_the_real_notifier_says_that_a_folder_cannot_be_watched(
    world: World, *, is_recursive: bool
) -> None:
    with pytest.raises(FileNotFoundError):
        rust_notifier([str(world.root / "missing")], is_recursive=is_recursive)


class PiecewiseOnly:
    """The real notifier on a system that cannot watch the whole tree at once."""

    def __init__(self) -> None:
        self.lists: list[list[str]] = []

    def __call__(self, folders: list[str], *, is_recursive: bool) -> Notifier:
        if is_recursive:
            raise PermissionError(13, "Permission denied")
        self.lists.append(folders)
        return rust_notifier(folders, is_recursive=False)


async def test_where_the_tree_cannot_be_watched_at_once_its_folders_are(
    world: World, reports: Reports
) -> None:
    world.write("sub/deep/k", "x")
    world.write("node_modules/m/x", "x")
    notifier = PiecewiseOnly()
    watcher = Watcher(world.sandbox, on_trouble=reports.trouble, notifier=notifier)
    watcher.subscribe(reports.take)
    watcher.set_active(True)
    await watcher.start()
    root = str(world.root)
    assert sorted(notifier.lists[0]) == [root, f"{root}/sub", f"{root}/sub/deep"]
    world.write("sub/deep/k", "changed")
    await reports.wait_for_change("sub/deep/k", "modified")
    world.write("new/folder/f", "x")
    await reports.wait_for_change("new/folder/f", "created")
    await _until(lambda: len(notifier.lists) > 1)
    world.write("new/folder/f", "changed")
    await reports.wait_for_change("new/folder/f", "modified")
    assert watcher.is_alive
    await watcher.stop()
    assert not reports.troubles


async def test_the_store_shares_the_watchers_list_of_own_writes(
    world: World, reports: Reports
) -> None:
    watcher = Watcher(world.sandbox)
    watcher.subscribe(reports.take)
    watcher.set_active(True)
    await watcher.start()
    files = FileStore(world.sandbox, own_writes=watcher.own_writes)
    write: Awaitable[object] = asyncio.to_thread(
        files.write_atomic, "mine", b"1", expected_hash=None
    )
    await write
    world.write("theirs", "1")
    await reports.wait_for_change("theirs", "created")
    assert reports.told == [("theirs", "created")]
    await watcher.stop()
