"""Writes that nobody sees half of."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, StaleFile, ToolFailure
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.workspace.atomic_write import FileAppeared, PathLocks, WriteStep
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.own_writes import OwnWrites
from tests.doubles.workspace_worlds import World, fail_with

OLD = b"old body"


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write("sub/f.txt", OLD)
    return made


def _overwrite(world: World, data: bytes = b"new") -> None:
    world.files.write_atomic("sub/f.txt", data, expected_hash=content_hash(OLD))


def test_a_file_is_replaced_whole_and_the_stamp_returned(world: World) -> None:
    stamp = world.files.write_atomic("sub/f.txt", b"new", expected_hash=content_hash(OLD))
    assert (world.root / "sub/f.txt").read_bytes() == b"new"
    assert stamp == world.files.stamp("sub/f.txt")
    assert world.names("sub") == ["f.txt"]


def test_a_new_file_gets_parents_and_ordinary_permissions(world: World) -> None:
    previous = os.umask(0o027)
    try:
        stamp = world.files.write_atomic("a/b/new.txt", b"x" * 3_000_000, expected_hash=None)
    finally:
        os.umask(previous)
    target = world.root / "a/b/new.txt"
    assert (_mode(target), _mode(target.parent)) == (0o640, 0o750)
    assert target.stat().st_nlink == 1
    assert stamp == world.files.stamp("a/b/new.txt")
    assert world.names("a/b") == ["new.txt"]


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o4711, 0o666])
def test_the_mode_is_kept(world: World, mode: int) -> None:
    (world.root / "sub/f.txt").chmod(mode)
    _overwrite(world)
    assert _mode(world.root / "sub/f.txt") == mode


def test_a_private_file_is_never_readable_by_others_in_between(world: World) -> None:
    (world.root / "sub/f.txt").chmod(0o600)
    modes: list[int] = []
    world.steps.at = WriteStep.WRITE
    world.steps.act = lambda: modes.extend(
        _mode(path) for path in (world.root / "sub").glob(".f.txt.caramelo-*")
    )
    _overwrite(world)
    assert modes == [0o600]


def test_set_id_bits_do_not_pass_to_another_owner(world: World) -> None:
    target = world.root / "sub/f.txt"
    try:
        os.chown(target, 12345, 12345)
    except PermissionError:
        pytest.skip("changing the owner needs root")
    target.chmod(0o4755)
    _overwrite(world)
    assert _mode(target) == 0o755


def test_other_hard_links_keep_the_old_bytes(world: World) -> None:
    (world.root / "other").hardlink_to(world.root / "sub/f.txt")
    _overwrite(world)
    assert (world.root / "other").read_bytes() == OLD
    assert (world.root / "sub/f.txt").read_bytes() == b"new"


@pytest.mark.parametrize("step", list(WriteStep))
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failure_at_any_step_leaves_everything_as_it_was(
    world: World, step: WriteStep, number: int
) -> None:
    world.steps.at, world.steps.act = step, fail_with(number)
    before = world.all_paths()
    with pytest.raises(ToolFailure, match=os.strerror(number)):
        _overwrite(world)
    with pytest.raises(ToolFailure, match=os.strerror(number)):
        world.files.write_atomic("n1/n2/new.txt", b"x", expected_hash=None)
    assert world.all_paths() == before
    assert (world.root / "sub/f.txt").read_bytes() == OLD
    assert not world.own_writes.is_own("sub/f.txt", world.files.stamp("sub/f.txt"))


def test_the_steps_come_in_order(world: World) -> None:
    _overwrite(world)
    assert world.steps.seen == [(step, "sub/f.txt") for step in WriteStep]


@pytest.mark.parametrize("step", list(WriteStep))
def test_a_change_by_somebody_else_at_any_step_is_kept(world: World, step: WriteStep) -> None:
    target = world.root / "sub/f.txt"
    world.steps.at, world.steps.act = step, lambda: target.write_bytes(b"their body")
    with pytest.raises(StaleFile, match="changed on disk"):
        _overwrite(world)
    assert target.read_bytes() == b"their body"
    assert world.names("sub") == ["f.txt"]


@pytest.mark.parametrize("step", list(WriteStep))
def test_a_file_that_appears_at_any_step_is_not_overwritten(world: World, step: WriteStep) -> None:
    world.steps.at, world.steps.act = step, lambda: world.write("late.txt", "theirs")
    with pytest.raises(FileAppeared, match=r"late\.txt already exists.*file_edit"):
        world.files.write_atomic("late.txt", b"mine", expected_hash=None)
    assert (world.root / "late.txt").read_text() == "theirs"
    assert world.names() == ["late.txt", "sub"]


@pytest.mark.parametrize("step", list(WriteStep))
def test_a_file_that_vanishes_at_any_step_is_stale(world: World, step: WriteStep) -> None:
    world.steps.at, world.steps.act = step, (world.root / "sub/f.txt").unlink
    with pytest.raises(StaleFile):
        _overwrite(world)
    assert world.names("sub") == []


def test_a_stale_file_names_its_path_and_is_a_failure_for_the_model(world: World) -> None:
    with pytest.raises(StaleFile) as caught:
        world.files.write_atomic("sub/f.txt", b"x", expected_hash=content_hash(b"other"))
    assert caught.value.path == "sub/f.txt"
    with pytest.raises(FileAppeared) as appeared:
        world.files.write_atomic("sub/f.txt", b"x", expected_hash=None)
    assert appeared.value.path == "sub/f.txt"


def test_a_read_only_file_is_refused(world: World) -> None:
    (world.root / "sub/f.txt").chmod(0o444)
    with pytest.raises(ToolFailure, match="read-only"):
        _overwrite(world)
    assert (world.root / "sub/f.txt").read_bytes() == OLD


def test_a_folder_or_link_is_not_replaced(world: World) -> None:
    with pytest.raises(StaleFile):
        world.files.write_atomic("sub", b"x", expected_hash=content_hash(b""))
    with pytest.raises(FileAppeared):
        world.files.write_atomic("sub", b"x", expected_hash=None)
    with pytest.raises(ToolFailure, match="is a folder"):
        world.files.write_atomic(".", b"x", expected_hash=None)
    assert world.names("sub") == ["f.txt"]


def test_a_folder_swapped_for_a_link_leads_no_write_outside(world: World) -> None:
    (world.root / "race").mkdir()

    def swap() -> None:
        (world.root / "race").rmdir()
        world.link("race", world.outside)

    world.steps.at, world.steps.act = WriteStep.PATH_CHECK, swap
    with pytest.raises(PathOutsideWorkspace, match="became a link"):
        world.files.write_atomic("race/f.txt", b"payload", expected_hash=None)
    assert [path.name for path in world.outside.iterdir()] == ["secret.txt"]
    # Once it is a link already when the write begins, the check itself refuses.
    with pytest.raises(PathRefused):
        world.files.write_atomic("race/f.txt", b"payload", expected_hash=None)


@pytest.mark.parametrize("step", [WriteStep.EXISTS_CHECK, WriteStep.RENAME])
def test_a_file_swapped_for_a_link_is_not_written_through(world: World, step: WriteStep) -> None:
    target = world.root / "sub/f.txt"

    def swap() -> None:
        target.unlink()
        target.symlink_to(world.outside / "secret.txt")

    world.steps.at, world.steps.act = step, swap
    with pytest.raises(StaleFile):
        _overwrite(world)
    assert (world.outside / "secret.txt").read_text() == "TOPSECRET"


def test_a_path_that_became_an_inside_link_is_refused(world: World) -> None:
    world.link("alias", "sub")
    with pytest.raises(PathRefused, match="became a link since"):
        world.files.write_atomic("alias/f.txt", b"x", expected_hash=content_hash(OLD))


def test_without_hard_links_a_new_file_is_still_never_overwritten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no hard links here")

    # File systems without hard links (exFAT) cannot be mounted in a test.
    monkeypatch.setattr(os, "link", no_links)
    world.files.write_atomic("a/new.txt", b"x", expected_hash=None)
    assert (world.root / "a/new.txt").read_bytes() == b"x"
    world.steps.at, world.steps.act = WriteStep.RENAME, lambda: world.write("late", "theirs")
    with pytest.raises(FileAppeared):
        world.files.write_atomic("late", b"mine", expected_hash=None)
    assert (world.root / "late").read_text() == "theirs"


def test_without_hard_links_a_failed_rename_leaves_no_claim(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "link", fails)
    monkeypatch.setattr(os, "rename", fails)
    with pytest.raises(ToolFailure, match="broken"):
        world.files.write_atomic("n/new.txt", b"x", expected_hash=None)
    assert world.names() == ["sub"]


def test_writers_of_one_path_take_turns_and_one_of_them_wins(world: World) -> None:
    failures: list[StaleFile] = []

    def write(number: int) -> None:
        try:
            world.files.write_atomic("one.txt", b"%d" % number, expected_hash=None)
        except StaleFile as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 7
    assert world.names() == ["one.txt", "sub"]


def test_a_lock_is_forgotten_when_nobody_wants_it() -> None:
    locks = PathLocks()
    order: list[str] = []
    entered = threading.Event()

    def second() -> None:
        entered.set()
        with locks.hold("a"):
            order.append("second")

    with locks.hold("a"):
        thread = threading.Thread(target=second)
        thread.start()
        entered.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert locks._locks == {}


class _WatchedOwnWrites(OwnWrites):
    """Remembers whether the file was already to be seen when it was announced."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root
        self.was_visible: list[bool] = []

    def expect(self, path: str, stamp: FileStamp) -> None:
        super().expect(path, stamp)
        self.was_visible.append((self._root / path).exists())


def test_an_own_write_is_announced_before_it_can_be_seen(world: World) -> None:
    own_writes = _WatchedOwnWrites(world.root)
    files = FileStore(world.sandbox, own_writes=own_writes)
    stamp = files.write_atomic("new", b"x", expected_hash=None)
    assert own_writes.was_visible == [False]
    assert own_writes.is_own("new", stamp)


def test_a_file_that_became_huge_is_stale_without_reading_it_all(world: World) -> None:
    def grow() -> None:
        # Sparse: no disk is used, but to read it all would take minutes.
        os.truncate(world.root / "sub/f.txt", 1 << 38)

    world.steps.at, world.steps.act = WriteStep.RENAME, grow
    with pytest.raises(StaleFile):
        _overwrite(world)
    assert world.names("sub") == ["f.txt"]


def test_a_file_that_is_made_can_have_a_mode_without_set_id_bits(world: World) -> None:
    world.files.write_atomic("run", b"x", expected_hash=None, new_mode=0o4755)
    assert _mode(world.root / "run") == 0o755


def test_the_expected_file_is_deleted_and_its_folder_stays(world: World) -> None:
    world.files.remove("sub/f.txt", expected_hash=content_hash(OLD))
    assert world.names("sub") == []


def test_another_file_is_not_deleted(world: World) -> None:
    with pytest.raises(StaleFile):
        world.files.remove("sub/f.txt", expected_hash=content_hash(b"other"))
    with pytest.raises(StaleFile):
        world.files.remove("sub/gone.txt", expected_hash=content_hash(OLD))
    assert world.names("sub") == ["f.txt"]


def test_a_file_that_changes_just_before_its_deletion_stays(world: World) -> None:
    def change(step: WriteStep, _path: str) -> None:
        if step is WriteStep.RENAME:
            (world.root / "sub/f.txt").write_bytes(b"mine")

    files = FileStore(world.files.sandbox, step_hook=change)
    with pytest.raises(StaleFile):
        files.remove("sub/f.txt", expected_hash=content_hash(OLD))
    assert (world.root / "sub/f.txt").read_bytes() == b"mine"


def test_a_read_only_file_and_a_link_are_not_deleted(world: World) -> None:
    (world.root / "sub/f.txt").chmod(0o444)
    with pytest.raises(ToolFailure, match="read-only"):
        world.files.remove("sub/f.txt", expected_hash=content_hash(OLD))
    (world.root / "link").symlink_to("sub/f.txt")
    with pytest.raises(PathRefused):
        world.files.remove("link", expected_hash=content_hash(OLD))
    assert world.names("sub") == ["f.txt"]


def test_a_deletion_is_our_own_change(world: World) -> None:
    own = OwnWrites()
    files = FileStore(world.files.sandbox, own_writes=own)
    files.remove("sub/f.txt", expected_hash=content_hash(OLD))
    assert own.is_own("sub/f.txt", None)


def test_a_second_writer_of_a_path_waits_for_the_first() -> None:
    locks, has_entered = PathLocks(), threading.Event()

    def second() -> None:
        with locks.hold("a"):
            has_entered.set()

    thread = threading.Thread(target=second)
    with locks.hold("a"):
        thread.start()
        assert not has_entered.wait(0.1)
    assert has_entered.wait(10)
    thread.join()
