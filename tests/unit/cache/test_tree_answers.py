"""Answers that show a tree are kept as long as nothing below it changed, and no longer."""

from collections.abc import Iterator

import pytest

from caramelo_tui.cache.store import CacheCounts, CallCache
from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace.tree_scopes import TreeScope
from caramelo_tui.workspace.tree_watch import TreeMark, TreeWatch
from tests.doubles.workspace_worlds import World, later_ns

KEY = "key"


class ScriptedProofs:
    """Proves what a test says."""

    def __init__(self) -> None:
        self.can_begin = True
        self.is_unchanged = True
        self.is_closed = False

    def begin(self, scope: TreeScope) -> TreeMark | None:
        return TreeMark(scope=scope, generation=0, states=()) if self.can_begin else None

    def holds(self, mark: TreeMark) -> bool:
        assert mark.generation == 0
        return self.is_unchanged

    def close(self) -> None:
        self.is_closed = True


class Stopwatch:
    """Each look takes half of ``proof_s``."""

    def __init__(self) -> None:
        self.now = 0.0
        self.proof_s = 0.0

    def __call__(self) -> float:
        self.now += self.proof_s
        return self.now


@pytest.fixture
def proofs() -> ScriptedProofs:
    return ScriptedProofs()


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def cache(world: World, proofs: ScriptedProofs, stopwatch: Stopwatch) -> CallCache:
    return CallCache(100_000, files=world.files, trees=proofs, now_ns=later_ns, stopwatch=stopwatch)


def keep(
    cache: CallCache,
    key: str = KEY,
    *,
    kind: CacheScope = CacheScope.TREE,
    folder: str = ".",
    run_s: float = 1.0,
) -> bool:
    ticket = cache.begin_tree(key, scope=TreeScope(kind=kind, folder=folder))
    return cache.store(ticket, text="answer", now=1.0, run_s=run_s)


def test_an_unchanged_tree_is_answered(cache: CallCache) -> None:
    assert keep(cache)
    answer = cache.look_up(KEY, now=3.0)
    assert answer is not None
    assert (answer.text, answer.age_s) == ("answer", 2.0)


def test_a_changed_tree_is_not_and_the_answer_goes(
    cache: CallCache, proofs: ScriptedProofs
) -> None:
    keep(cache)
    proofs.is_unchanged = False
    assert cache.look_up(KEY, now=1) is None
    proofs.is_unchanged = True
    assert cache.look_up(KEY, now=1) is None
    assert cache.counts == CacheCounts(hits=0, misses=2, entries=0, kept_bytes=0)


def test_a_change_while_the_run_lasted_wins(cache: CallCache, proofs: ScriptedProofs) -> None:
    ticket = cache.begin_tree(KEY, scope=TreeScope(kind=CacheScope.GIT, folder="."))
    proofs.is_unchanged = False
    assert not cache.store(ticket, text="old", now=1)


def test_an_invalidation_while_the_run_lasted_wins(cache: CallCache) -> None:
    ticket = cache.begin_tree(KEY, scope=TreeScope(kind=CacheScope.GIT, folder="."))
    cache.drop_all()
    assert not cache.store(ticket, text="old", now=1)


def test_the_end_of_the_cache_is_the_end_of_its_watch(
    world: World, cache: CallCache, proofs: ScriptedProofs
) -> None:
    keep(cache)
    cache.close()
    assert proofs.is_closed
    assert cache.counts.entries == 0
    CallCache(1, files=world.files).close()


def test_where_changes_could_go_unseen_nothing_is_kept(
    world: World, cache: CallCache, proofs: ScriptedProofs
) -> None:
    proofs.can_begin = False
    assert not keep(cache)
    without = CallCache(100_000, files=world.files)
    assert not keep(without)


def test_a_proof_that_took_longer_than_the_run_is_not_used(
    cache: CallCache, stopwatch: Stopwatch
) -> None:
    keep(cache, run_s=10.0)
    stopwatch.proof_s = 11.0
    assert cache.look_up(KEY, now=1) is None
    # It is fresh all the same: the next proof may be quicker.
    stopwatch.proof_s = 10.0
    assert cache.look_up(KEY, now=1) is not None
    assert (cache.counts.hits, cache.counts.misses) == (1, 1)


def test_the_proof_of_a_file_is_never_too_slow(
    world: World, cache: CallCache, stopwatch: Stopwatch
) -> None:
    world.write("f", "x")
    stopwatch.proof_s = 100.0
    cache.store(cache.begin(KEY, dependencies=["f"]), text="x", now=1, run_s=0.0)
    assert cache.look_up(KEY, now=1) is not None


@pytest.mark.parametrize(
    ("kind", "folder", "is_left"),
    [
        (CacheScope.TREE, ".", False),
        (CacheScope.TREE, "src", False),
        (CacheScope.SOURCES, "lib", True),
        (CacheScope.GIT, ".", False),
    ],
)
def test_a_changed_path_drops_the_trees_that_show_it(
    cache: CallCache, kind: CacheScope, folder: str, *, is_left: bool
) -> None:
    keep(cache, kind=kind, folder=folder)
    cache.drop_path("src/a.py")
    assert cache.counts.entries == int(is_left)


@pytest.fixture
def watched(world: World) -> Iterator[CallCache]:
    watch = TreeWatch(world.root, environment={}, now_ns=later_ns)
    yield CallCache(100_000, files=world.files, trees=watch)
    watch.close()


def test_with_the_real_watch_a_change_is_seen_at_the_next_look(
    world: World, watched: CallCache
) -> None:
    place = world.write("a/b", "1")
    for kind in (CacheScope.SOURCES, CacheScope.TREE):
        assert keep(watched, kind=kind, folder="a")
        assert watched.look_up(KEY, now=1) is not None
        place.write_text("2")
        assert watched.look_up(KEY, now=1) is None
