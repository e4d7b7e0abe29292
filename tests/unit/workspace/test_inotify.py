"""The queue of events knows of a change before the change's system call has returned."""

import ctypes
import errno
import os
from pathlib import Path

import pytest

from caramelo_tui.workspace import inotify
from caramelo_tui.workspace.inotify import Inotify


def masks(queue: Inotify) -> list[tuple[str, int]]:
    return [(event.name, event.mask) for event in queue.events()]


@pytest.fixture
def queue(tmp_path: Path) -> Inotify:
    made = Inotify()
    made.watch(str(tmp_path))
    return made


def test_a_change_stands_in_the_queue_when_its_call_has_returned(
    tmp_path: Path, queue: Inotify
) -> None:
    for number in range(200):
        descriptor = os.open(tmp_path / "f", os.O_CREAT | os.O_WRONLY)
        assert number or masks(queue) == [("f", inotify.CREATED)]
        os.write(descriptor, b"x")
        assert masks(queue) == [("f", inotify.MODIFIED)]
        os.close(descriptor)
        assert masks(queue) == [("f", inotify.CLOSED_AFTER_WRITE)]


def test_moves_deletions_and_attributes_are_told_in_order(tmp_path: Path, queue: Inotify) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d").rename(tmp_path / "e")
    (tmp_path / "e").chmod(0o700)
    (tmp_path / "e").rmdir()
    folder = inotify.IS_FOLDER
    assert masks(queue) == [
        ("d", inotify.CREATED | folder),
        ("d", inotify.MOVED_FROM | folder),
        ("e", inotify.MOVED_TO | folder),
        ("e", inotify.ATTRIBUTES | folder),
        ("e", inotify.DELETED | folder),
    ]


def test_reading_is_no_event(tmp_path: Path, queue: Inotify) -> None:
    (tmp_path / "f").write_text("x")
    masks(queue)
    (tmp_path / "f").read_text()
    list(tmp_path.iterdir())
    assert masks(queue) == []


def test_a_name_that_is_not_utf8_comes_as_the_system_spells_it(
    tmp_path: Path, queue: Inotify
) -> None:
    os.close(os.open(os.fsencode(tmp_path) + b"/caf\xe9", os.O_CREAT | os.O_WRONLY))
    assert masks(queue)[0] == ("caf\udce9", inotify.CREATED)


def test_more_events_than_the_queue_holds_are_told_as_lost(tmp_path: Path, queue: Inotify) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 100_000:
        pytest.skip("this machine's queue is too long to fill")
    names = [str(tmp_path / name) for name in ("a", "b")]
    for name in names:
        Path(name).write_text("x")
    for number in range(limit + 2):
        # Two files by turns: the kernel merges an event with an equal one just before it.
        os.chmod(names[number % 2], 0o600)  # noqa: PTH101 - 16,384 times
    assert masks(queue)[-1] == ("", inotify.OVERFLOWED)


def test_a_watch_ends_when_it_is_taken_back(tmp_path: Path) -> None:
    queue = Inotify()
    watch = queue.watch(str(tmp_path))
    assert queue.watch(str(tmp_path)) == watch
    queue.unwatch(watch)
    queue.unwatch(watch)
    (tmp_path / "f").write_text("x")
    assert masks(queue) == [("", inotify.IGNORED)]


@pytest.mark.parametrize(("name", "number"), [("missing", errno.ENOENT), ("link", errno.ENOTDIR)])
def test_what_is_no_folder_is_not_watched(
    tmp_path: Path, queue: Inotify, name: str, number: int
) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match=name) as caught:
        queue.watch(str(tmp_path / name))
    assert caught.value.errno == number


def test_a_closed_queue_says_so(queue: Inotify) -> None:
    queue.close()
    queue.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        masks(queue)


def test_a_system_without_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name, **_: object())
    with pytest.raises(OSError, match="no inotify"):
        Inotify()


def test_no_more_queues_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Exhausted:
        inotify_add_watch = inotify_rm_watch = type("Function", (), {})()

        @staticmethod
        def inotify_init1(_flags: int) -> int:
            ctypes.set_errno(errno.EMFILE)
            return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda _name, **_: Exhausted)
    with pytest.raises(OSError, match="inotify_init1") as caught:
        Inotify()
    assert caught.value.errno == errno.EMFILE
