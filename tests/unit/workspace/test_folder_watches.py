"""Every folder of a tree is watched, also those that come and go."""

import errno
import os
import shutil

import pytest

from caramelo_tui.workspace.folder_watches import FolderWatches, TooManyFolders
from caramelo_tui.workspace.inotify import Inotify
from tests.doubles.workspace_worlds import World


class Bench:
    """Watches of one workspace, and what they told."""

    def __init__(
        self, world: World, queue: Inotify | None = None, most_folders: int = 1_000
    ) -> None:
        self.root = world.root
        self.queue = queue or Inotify()
        self.touched: list[str] = []
        self.watches = FolderWatches(
            str(world.root), self.queue, touch=self.touched.append, most_folders=most_folders
        )
        self.watches.work(60)

    def drain(self) -> list[str]:
        """Take all events; return the paths that were touched, each once, in order."""
        self.touched.clear()
        assert all(map(self.watches.take, self.queue.events()))
        self.watches.work(60)
        return list(dict.fromkeys(path.rstrip("/") for path in self.touched))


@pytest.fixture
def bench(world: World) -> Bench:
    world.write("a/b/c/f", "x")
    world.write("node_modules/m/x", "x")
    return Bench(world)


def test_a_change_in_any_folder_is_told(world: World, bench: Bench) -> None:
    world.write("a/b/c/f", "y")
    world.write("top", "y")
    assert bench.drain() == ["a/b/c/f", "top"]


def test_skipped_folders_are_watched_only_when_somebody_needs_them(
    world: World, bench: Bench
) -> None:
    world.write("node_modules/m/x", "y")
    (world.root / "sub/dist").mkdir(parents=True)
    assert bench.drain() == ["sub"]
    assert not bench.watches.is_covered(".", enters_skipped=True)
    bench.watches.widen()
    assert not bench.watches.is_complete
    bench.watches.work(60)
    assert bench.watches.is_covered(".", enters_skipped=True)
    world.write("node_modules/m/x", "z")
    world.write("sub/dist/x", "z")
    world.write("sub/build/x", "z")
    assert bench.drain() == ["node_modules/m/x", "sub/dist/x", "sub/build"]
    world.write("sub/build/x", "again")
    assert bench.drain() == ["sub/build/x"]


def test_a_folder_that_comes_or_goes_is_told_as_one(world: World, bench: Bench) -> None:
    (world.root / "new").mkdir()
    world.write("file", "x")
    bench.drain()
    assert bench.touched[:2] == ["new/", "file"]


def test_new_nested_folders_are_watched(world: World, bench: Bench) -> None:
    world.write("n/e/s/t", "1")
    assert bench.drain()[0] == "n"
    world.write("n/e/s/t", "2")
    assert bench.drain() == ["n/e/s/t"]


def test_a_folder_moved_within_is_known_by_its_new_path(world: World, bench: Bench) -> None:
    (world.root / "a").rename(world.root / "z")
    assert bench.drain() == ["a", "z"]
    world.write("z/b/c/f", "y")
    assert bench.drain() == ["z/b/c/f"]


def test_a_folder_moved_out_is_heard_of_no_more(world: World, bench: Bench) -> None:
    (world.root / "a").rename(world.outside / "a")
    assert bench.drain() == ["a"]
    (world.outside / "a/b/c/f").write_text("y")
    assert bench.drain() == []


def test_a_folder_moved_in_is_watched(world: World, bench: Bench) -> None:
    (world.outside / "in/deep").mkdir(parents=True)
    (world.outside / "in").rename(world.root / "in")
    assert bench.drain() == ["in"]
    world.write("in/deep/f", "y")
    assert bench.drain() == ["in/deep/f"]


def test_a_folder_deleted_and_made_again_is_watched(world: World, bench: Bench) -> None:
    shutil.rmtree(world.root / "a")
    world.write("a/b/f", "1")
    bench.drain()
    world.write("a/b/f", "2")
    assert bench.drain() == ["a/b/f"]
    shutil.rmtree(world.root / "a")
    bench.drain()
    assert not bench.watches.is_covered("a/b", enters_skipped=False)


def test_a_folder_moved_into_one_that_is_new_too_has_all_watched_anew(
    world: World, bench: Bench
) -> None:
    (world.root / "q").mkdir()
    # Only the first event is there to be taken, then the new folder is listed.
    events = list(bench.queue.events())
    (world.root / "a").rename(world.root / "q/a")
    assert all(map(bench.watches.take, events))
    with pytest.raises(OSError, match="still known as a") as caught:
        bench.watches.work(60)
    assert caught.value.errno == errno.ESTALE


def test_a_pending_folder_whose_parent_went_is_left(world: World, bench: Bench) -> None:
    (world.root / "p").mkdir()
    (world.root / "p/c").mkdir()
    bench.drain()
    (world.root / "p/c/d").mkdir()
    events = list(bench.queue.events())
    assert all(map(bench.watches.take, events))
    shutil.rmtree(world.root / "p")
    events = list(bench.queue.events())
    assert all(map(bench.watches.take, events))
    (world.root / "p/c/d").mkdir(parents=True)
    bench.watches.work(60)
    assert bench.drain() == ["p"]
    world.write("p/c/d/f", "x")
    assert bench.drain() == ["p/c/d/f"]


def test_another_folder_by_the_same_name_is_the_one_watched(world: World, bench: Bench) -> None:
    (world.root / "a/b").chmod(0o700)
    events = list(bench.queue.events())
    assert all(map(bench.watches.take, events))
    (world.root / "a/b").rename(world.outside / "b")
    (world.root / "a/b").mkdir()
    bench.watches.work(60)
    bench.drain()
    world.write("a/b/new", "x")
    assert bench.drain() == ["a/b/new"]
    (world.outside / "b/c/f").write_text("x")
    assert bench.drain() == []


def test_links_files_with_two_names_and_pointers_are_found_and_kept_up(world: World) -> None:
    world.link("a/l", "nowhere")
    world.write("a/two", "x")
    os.link(world.root / "a/two", world.outside / "two")
    world.write("sub/.git", "gitdir: x")
    bench = Bench(world)
    watches = bench.watches
    assert list(watches.links(".")) == ["a/l"]
    assert list(watches.links("sub")) == []
    assert list(watches.shared_files("a")) == ["a/two"]
    assert list(watches.git_pointers()) == ["sub/.git"]
    world.link("m", "a")
    os.link(world.outside / "secret.txt", world.root / "secret")
    (world.root / "a/l").unlink()
    (world.root / "a/two").unlink()
    (world.root / "sub/.git").rename(world.root / "sub/git")
    world.write("gone", "x").unlink()
    bench.drain()
    assert list(watches.links(".")) == ["m"]
    assert list(watches.shared_files(".")) == ["secret"]
    assert list(watches.git_pointers()) == []
    shutil.rmtree(world.root / "a")
    bench.drain()
    assert list(watches.shared_files("a")) == []


def test_files_with_two_names_in_skipped_folders_do_not_count(world: World) -> None:
    # Installers of packages link whole trees; nobody writes those in place.
    world.write("node_modules/two", "x")
    os.link(world.root / "node_modules/two", world.outside / "two")
    bench = Bench(world)
    bench.watches.widen()
    bench.watches.work(60)
    assert list(bench.watches.shared_files(".")) == []


def test_a_file_is_covered_by_its_folder(bench: Bench) -> None:
    assert bench.watches.is_covered("a/b/c/f", enters_skipped=False)
    assert not bench.watches.is_covered("none/f", enters_skipped=False)
    assert not bench.watches.is_covered("node_modules/m", enters_skipped=False)


class Refusing(Inotify):
    """Refuses to watch some folders."""

    def __init__(self, refused: str, number: int) -> None:
        super().__init__()
        self.refused = refused
        self.number = number

    def watch(self, folder: str) -> int:
        if folder.endswith(self.refused):
            raise OSError(self.number, os.strerror(self.number), folder)
        return super().watch(folder)


def test_a_folder_that_may_not_be_read_hides_what_shows_it(world: World) -> None:
    world.write("a/locked/f", "x")
    world.write("b/f", "x")
    queue = Refusing("locked", errno.EACCES)
    bench = Bench(world, queue)

    def covered(path: str) -> bool:
        return bench.watches.is_covered(path, enters_skipped=False)

    assert [covered(path) for path in (".", "a", "a/locked", "a/locked/f", "b")] == [
        False,
        False,
        False,
        False,
        True,
    ]
    queue.refused = "nothing"
    (world.root / "a/locked").chmod(0o755)
    assert bench.drain() == ["a/locked"]
    assert covered(".")
    queue.refused = "late"
    (world.root / "late").mkdir()
    bench.drain()
    assert not covered(".")
    (world.root / "late").rmdir()
    bench.drain()
    assert covered(".")


@pytest.mark.parametrize(("refused", "number"), [("c", errno.ENOSPC), ("ws", errno.EACCES)])
def test_without_watches_or_root_there_is_nothing(
    world: World, bench: Bench, refused: str, number: int
) -> None:
    assert bench.drain() == []
    with pytest.raises(OSError, match=refused):
        Bench(world, Refusing(refused, number))


def test_a_folder_that_cannot_be_listed_is_not_covered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_folder: str) -> None:
        raise OSError(errno.EIO, "scripted")

    monkeypatch.setattr(os, "scandir", fails)
    assert not Bench(world).watches.is_covered(".", enters_skipped=False)


def test_a_file_that_vanishes_during_the_look_is_let_be(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("f", "x")
    really_scan = os.scandir

    class Vanishing:
        def __init__(self, folder: str) -> None:
            self._entries = really_scan(folder)

        def __enter__(self) -> "list[os.DirEntry[str]]":
            found = list(self._entries)
            (world.root / "f").unlink(missing_ok=True)
            return found

        def __exit__(self, *_: object) -> None:
            self._entries.close()

    monkeypatch.setattr(os, "scandir", Vanishing)
    assert Bench(world).watches.is_covered(".", enters_skipped=False)


def test_too_many_folders_are_refused(world: World) -> None:
    for number in range(5):
        (world.root / f"d{number}").mkdir()
    with pytest.raises(TooManyFolders, match="more than 5"):
        Bench(world, most_folders=5)


def test_work_goes_on_where_its_time_ended(world: World, bench: Bench) -> None:
    for number in range(5):
        (world.root / f"d{number}").mkdir()
    assert all(map(bench.watches.take, bench.queue.events()))
    turns = 0
    while not bench.watches.is_complete:
        assert not bench.watches.is_covered(".", enters_skipped=False)
        bench.watches.work(0)
        turns += 1
    assert turns == 5


def test_a_place_where_something_is_mounted_is_never_covered(world: World) -> None:
    world.write("share/f", "x")
    watches = FolderWatches(
        str(world.root), Inotify(), touch=lambda _path: None, left_out=frozenset({"share"})
    )
    watches.work(60)
    assert not watches.is_covered(".", enters_skipped=False)
    assert not watches.is_covered("share", enters_skipped=False)


def test_the_end_of_the_root_is_a_loss(world: World, bench: Bench) -> None:
    world.root.rename(world.outside / "ws")
    assert not all(map(bench.watches.take, bench.queue.events()))
