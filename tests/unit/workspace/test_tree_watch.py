"""Nothing below a folder changes without the tree watch knowing it at the next question."""

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace import tree_watch
from caramelo_tui.workspace.inotify import OVERFLOWED, Inotify, InotifyEvent
from caramelo_tui.workspace.mounts import MountTable
from caramelo_tui.workspace.tree_scopes import TreeScope
from caramelo_tui.workspace.tree_watch import TreeMark, TreeWatch
from tests.doubles.workspace_worlds import World, later_ns

SOURCES, TREE, GIT = CacheScope.SOURCES, CacheScope.TREE, CacheScope.GIT


class FaultyQueue(Inotify):
    """Loses events, or refuses to watch, when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.loses = False
        self.breaks = False

    def events(self) -> Iterator[InotifyEvent]:
        if self.breaks:
            raise OSError(errno.EIO, "scripted")
        yield from super().events()
        if self.loses:
            yield InotifyEvent(-1, OVERFLOWED, "")


class Bench:
    def __init__(self, world: World) -> None:
        self.queues: list[FaultyQueue] = []
        self.home = world.outside
        self.watch = TreeWatch(
            world.root,
            environment={"HOME": str(world.outside)},
            now_ns=later_ns,
            new_queue=self._new_queue,
        )

    def _new_queue(self) -> Inotify:
        self.queues.append(FaultyQueue())
        return self.queues[-1]

    def begin(self, kind: CacheScope = SOURCES, folder: str = ".") -> TreeMark | None:
        return self.watch.begin(TreeScope(kind=kind, folder=folder))

    def mark(self, kind: CacheScope = SOURCES, folder: str = ".") -> TreeMark:
        mark = self.begin(kind, folder)
        assert mark is not None
        return mark


@pytest.fixture
def bench(world: World) -> Iterator[Bench]:
    world.write("src/a.py", "1")
    world.write("src/deep/b.py", "1")
    made = Bench(world)
    yield made
    made.watch.close()


@pytest.fixture
def repository(world: World) -> Path:
    git(world.root, "init", "-q", "-b", "main")
    git(world.root, "add", ".")
    return world.root


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_nothing_is_watched_before_somebody_asks(bench: Bench) -> None:
    assert not bench.watch.is_watching
    assert not bench.queues
    bench.mark()
    assert bench.watch.is_watching


def _restore_time(world: World) -> None:
    target = world.root / "src/a.py"
    before = target.stat()
    target.write_text("2")
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: list[Callable[[World], object]] = [
    lambda world: world.write("src/a.py", "2"),
    _restore_time,
    lambda world: world.write("src/new", "x"),
    lambda world: world.write("src/n/e/w", "x"),
    lambda world: (world.root / "src/a.py").unlink(),
    lambda world: (world.root / "src/a.py").chmod(0o600),
    lambda world: (world.root / "src/a.py").rename(world.root / "moved"),
    lambda world: (world.root / "src/deep").rename(world.root / "moved"),
    lambda world: shutil.rmtree(world.root / "src"),
    lambda world: world.link("src/link", "a.py"),
    lambda world: (world.root / "src").rename(world.outside / "src"),
    lambda world: os.truncate(world.root / "src/a.py", 0),
]


@pytest.mark.parametrize("kind", [SOURCES, TREE])
@pytest.mark.parametrize("change", CHANGES)
def test_any_change_below_is_known_at_once(
    world: World, bench: Bench, change: Callable[[World], object], kind: CacheScope
) -> None:
    mark = bench.mark(kind, "src")
    assert bench.watch.holds(mark)
    change(world)
    assert not bench.watch.holds(mark)


def test_a_change_elsewhere_leaves_an_answer_alone(world: World, bench: Bench) -> None:
    mark = bench.mark(SOURCES, "src/deep")
    world.write("src/a.py", "2")
    world.write("node_modules/x/y", "2")
    assert bench.watch.holds(mark)


def test_a_file_in_a_folder_that_is_not_watched_yet_is_never_missed(
    world: World, bench: Bench
) -> None:
    mark = bench.mark()
    (world.root / "new").mkdir()
    world.write("new/f", "1")
    assert not bench.watch.holds(mark)
    mark = bench.mark()
    world.write("new/f", "2")
    assert not bench.watch.holds(mark)


def test_a_change_after_the_mark_wins_also_before_anybody_asks(world: World, bench: Bench) -> None:
    world.write("src/a.py", "2")
    mark = bench.mark()
    assert bench.watch.holds(mark)
    world.write("src/a.py", "3")
    bench.mark()
    assert not bench.watch.holds(mark)


def test_an_overflow_makes_every_mark_worthless_and_watching_begins_anew(
    world: World, bench: Bench
) -> None:
    mark = bench.mark()
    bench.queues[0].loses = True
    assert not bench.watch.holds(mark)
    assert not bench.watch.is_watching
    assert not bench.watch.holds(mark)
    again = bench.mark()
    assert bench.watch.holds(again)
    assert not bench.watch.holds(mark)
    world.write("src/deep/b.py", "2")
    assert not bench.watch.holds(again)


def test_a_broken_queue_proves_nothing_and_is_opened_again(bench: Bench) -> None:
    mark = bench.mark()
    bench.queues[0].breaks = True
    assert not bench.watch.holds(mark)
    assert bench.watch.holds(bench.mark())
    bench.queues[1].close()
    assert not bench.watch.holds(mark)
    assert bench.watch.holds(bench.mark())


def test_after_the_end_nothing_is_proven(bench: Bench) -> None:
    mark = bench.mark()
    bench.watch.close()
    bench.watch.close()
    assert not bench.watch.holds(mark)
    assert bench.begin() is None


def test_another_tree_in_the_same_place_is_known(world: World, bench: Bench) -> None:
    parent = world.root.parent
    mark = bench.mark()
    shutil.copytree(world.root, parent / "copy")
    world.root.rename(parent / "old")
    (parent / "copy").rename(world.root)
    assert not bench.watch.holds(mark)
    mark = bench.mark()
    world.write("src/a.py", "2")
    assert not bench.watch.holds(mark)
    shutil.rmtree(world.root)
    assert not bench.watch.holds(mark)
    assert bench.begin() is None


def test_another_tree_in_a_folder_above_that_was_moved_is_known(world: World) -> None:
    # The kernel tells nothing of what happens to the folders above.
    world.write("above/inner/f", "1")
    above = world.root / "above"
    watch = TreeWatch(above / "inner", environment={}, now_ns=later_ns)
    mark = watch.begin(TreeScope(kind=SOURCES, folder="."))
    assert mark is not None
    above.rename(world.root / "old")
    shutil.copytree(world.root / "old", above)
    assert not watch.holds(mark)
    watch.close()


def test_a_change_while_a_mark_is_made_wins_whoever_hears_of_it(world: World) -> None:
    world.write("f", "1")
    meanwhile: list[Callable[[], object]] = []

    def now_ns() -> int:
        # Asked between the reading of the queue and the look at what is outside.
        while meanwhile:
            meanwhile.pop()()
        return later_ns()

    watch = TreeWatch(world.root, environment={}, now_ns=now_ns)
    scope = TreeScope(kind=SOURCES, folder=".")
    meanwhile += [lambda: watch.begin(scope), lambda: world.write("f", "2")]
    mark = watch.begin(scope)
    assert mark is not None
    assert not watch.holds(mark)
    watch.close()


def test_a_folder_moved_into_a_new_one_is_followed(world: World, bench: Bench) -> None:
    bench.mark()
    (world.root / "q").mkdir()
    (world.root / "src").rename(world.root / "q/src")
    mark = bench.begin() or bench.mark()
    assert bench.watch.holds(mark)
    world.write("q/src/deep/b.py", "2")
    assert not bench.watch.holds(mark)


def test_a_file_system_that_others_change_proves_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No such file system can be made here.
    monkeypatch.setattr(tree_watch, "is_local", lambda _folder, _mounts: False)
    assert bench.begin() is None
    assert not bench.queues


def test_a_system_without_a_mount_table_proves_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> MountTable:
        raise FileNotFoundError(errno.ENOENT, "scripted")

    monkeypatch.setattr(tree_watch, "MountTable", missing)
    assert bench.begin() is None


def test_no_queue_is_asked_for_again_only_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def none_left() -> Inotify:
        asked.append(1)
        raise OSError(errno.EMFILE, "scripted")

    watch = TreeWatch(world.root, environment={}, new_queue=none_left)
    scope = TreeScope(kind=SOURCES, folder=".")
    assert watch.begin(scope) is None
    assert watch.begin(scope) is None
    assert asked == [1]
    now = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: now)
    assert watch.begin(scope) is None
    assert asked == [1, 1]


def test_more_folders_than_may_be_watched_prove_nothing(
    world: World, bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit = tmp_path / "max_user_watches"
    limit.write_text("4\n")
    monkeypatch.setattr(tree_watch, "_WATCH_LIMIT", limit)
    (world.root / "a/b/c").mkdir(parents=True)
    assert bench.begin() is None
    assert not bench.watch.is_watching


def test_too_many_skipped_folders_leave_the_others_watched(
    world: World, bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit = tmp_path / "max_user_watches"
    limit.write_text("16\n")
    monkeypatch.setattr(tree_watch, "_WATCH_LIMIT", limit)
    (world.root / "node_modules/a/b/c/d/e/f").mkdir(parents=True)
    assert bench.begin(TREE) is None
    mark = bench.mark(SOURCES)
    assert bench.begin(TREE) is None
    assert bench.watch.holds(mark)
    world.write("src/a.py", "2")
    assert not bench.watch.holds(mark)


def test_links_in_installed_packages_do_not_count(world: World, bench: Bench) -> None:
    for number in range(300):
        world.link(f"node_modules/.bin/l{number}", "../x")
    assert bench.begin(TREE) is not None
    for number in range(300):
        world.link(f"links/l{number}", "x")
    assert bench.begin(TREE) is None


def test_an_unknown_limit_is_the_usual_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tree_watch, "_WATCH_LIMIT", tmp_path / "none")
    assert bench.begin() is not None


def test_something_mounted_begins_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = bench.mark()
    # Mounting needs rights that a test does not have.
    monkeypatch.setattr(MountTable, "has_changed", lambda _table: True)
    assert not bench.watch.holds(mark)
    monkeypatch.undo()
    assert bench.watch.holds(bench.mark())


def test_a_large_tree_takes_several_calls(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_watch, "_WORK_S", 0)
    tries = 0
    while bench.begin() is None:
        tries += 1
        assert tries < 10
    assert tries > 0


def test_a_file_with_a_second_name_outside_is_looked_at(world: World, bench: Bench) -> None:
    os.link(world.root / "src/a.py", world.outside / "other name")
    mark = bench.mark()
    assert bench.watch.holds(mark)
    (world.outside / "other name").write_text("2")
    assert not bench.watch.holds(mark)


def test_where_a_link_leads_is_looked_at(world: World, bench: Bench) -> None:
    world.link("src/l", world.outside / "there")
    sources, tree = bench.mark(SOURCES), bench.mark(TREE)
    (world.outside / "there").mkdir()
    assert not bench.watch.holds(tree)
    # What never follows links does not care.
    assert bench.watch.holds(sources)


def test_ignore_files_above_the_workspace_count_for_searches(world: World, bench: Bench) -> None:
    mark = bench.mark(TREE, "src")
    (world.root.parent / ".gitignore").write_text("*.py\n")
    assert not bench.watch.holds(mark)
    mark = bench.mark(TREE, "src")
    world.write(".ignore", "*.py\n")
    assert not bench.watch.holds(mark)


@pytest.mark.parametrize("make", [Path.symlink_to, Path.hardlink_to])
def test_an_ignore_file_that_is_really_elsewhere_counts_for_searches_below(
    world: World, bench: Bench, make: Callable[[Path, Path], None]
) -> None:
    rules = world.outside / "rules"
    rules.write_text("*.c\n")
    make(world.root / ".gitignore", rules)
    mark = bench.mark(TREE, "src")
    assert bench.watch.holds(mark)
    rules.write_text("*.py\n")
    assert not bench.watch.holds(mark)


def test_the_inside_of_the_repository_is_no_tree(bench: Bench, repository: Path) -> None:
    assert (repository / ".git/refs").is_dir()
    assert bench.begin(TREE, ".git/refs") is None
    assert bench.begin(SOURCES, ".git/refs") is None


GIT_CHANGES: list[Callable[[World], object]] = [
    lambda world: world.write("src/a.py", "2"),
    lambda world: world.write("node_modules/m/x", "2"),
    lambda world: git(world.root, "add", "."),
    lambda world: git(world.root, "commit", "-qm", "x"),
    lambda world: git(world.root, "checkout", "-q", "-b", "other"),
    lambda world: git(world.root, "symbolic-ref", "HEAD", "refs/heads/new"),
    lambda world: git(world.root, "config", "status.short", "true"),
    lambda world: world.write(".git/info/exclude", "*.py\n"),
    lambda world: world.write(".git/MERGE_HEAD", "0" * 40),
    lambda world: world.write(".git/refs/heads/a/b", "0" * 40),
    lambda world: (world.outside / ".gitconfig").write_text("[core]\nabbrev = 20\n"),
    lambda world: _write_below(world.outside / ".config/git/ignore", "*.py\n"),
    lambda world: _write_below(world.outside / ".config/git/attributes", "*.py -diff\n"),
    lambda world: shutil.rmtree(world.root / ".git"),
]


def _write_below(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("change", GIT_CHANGES)
def test_any_change_of_tree_repository_or_settings_is_known_to_git_answers(
    world: World, bench: Bench, repository: Path, change: Callable[[World], object]
) -> None:
    assert repository == world.root
    world.write("new.txt", "x")
    mark = bench.mark(GIT)
    assert bench.watch.holds(mark)
    change(world)
    assert not bench.watch.holds(mark)


def test_reading_git_commands_touch_nothing(bench: Bench, repository: Path) -> None:
    mark = bench.mark(GIT)
    git(repository, "--no-optional-locks", "status")
    git(repository, "ls-files")
    assert bench.watch.holds(mark)


def _no_repository(root: Path) -> None:
    shutil.rmtree(root / ".git")


def _linked_repository(root: Path) -> None:
    (root / ".git").rename(root.parent / "dotgit")
    (root / ".git").symlink_to(root.parent / "dotgit")


def _worktree(root: Path) -> None:
    (root / ".git").rename(root.parent / "dotgit")
    (root / ".git").write_text(f"gitdir: {root.parent}/dotgit\n")


def _alternates(root: Path) -> None:
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").write_text("/srv/objects\n")


def _part_elsewhere(root: Path) -> None:
    (root / "part").mkdir()
    (root / "part/.git").write_text(f"gitdir: {root.parent}/dotgit\n")


def _part_that_is_a_link(root: Path) -> None:
    (root / "part").mkdir()
    (root / "part/.git").symlink_to(root.parent)


def _folder_of_it_elsewhere(root: Path) -> None:
    (root / ".git/refs").rename(root.parent / "refs")
    (root / ".git/refs").symlink_to(root.parent / "refs")


def _worktree_setting(root: Path) -> None:
    git(root, "config", "core.worktree", "/srv")


@pytest.mark.parametrize(
    "change",
    [
        _no_repository,
        _linked_repository,
        _worktree,
        _alternates,
        _part_elsewhere,
        _part_that_is_a_link,
        _folder_of_it_elsewhere,
        _worktree_setting,
    ],
)
def test_a_repository_that_reaches_out_is_not_provable(
    bench: Bench, repository: Path, change: Callable[[Path], None]
) -> None:
    assert bench.begin(GIT) is not None
    change(repository)
    assert bench.begin(GIT) is None


def test_a_settings_file_of_the_repository_that_is_really_elsewhere_is_looked_at(
    world: World, bench: Bench, repository: Path
) -> None:
    (repository / ".git/config").rename(world.outside / "config")
    (repository / ".git/config").symlink_to(world.outside / "config")
    mark = bench.mark(GIT)
    assert bench.watch.holds(mark)
    git(repository, "config", "--file", str(world.outside / "config"), "status.short", "true")
    assert not bench.watch.holds(mark)


def test_a_part_whose_repository_is_in_the_roots_own_is_provable(
    world: World, bench: Bench, repository: Path
) -> None:
    (repository / ".git/modules/part").mkdir(parents=True)
    world.write("part/.git", "gitdir: ../.git/modules/part\n")
    mark = bench.mark(GIT)
    world.write(".git/modules/part/HEAD", "ref: refs/heads/x\n")
    assert not bench.watch.holds(mark)
