"""Which event drops what."""

import pytest

from caramelo_tui.cache.invalidation import Invalidation
from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.files import ChangeKind, FileChange
from tests.doubles.workspace_worlds import World, later_ns


@pytest.fixture
def cache(world: World) -> CallCache:
    made = CallCache(10_000, files=world.files, now_ns=later_ns)
    for path in ("a", "b"):
        world.write(path, "x")
        assert made.store(made.begin(path, dependencies=[path]), text=path, now=1)
    return made


def kept(cache: CallCache) -> list[str]:
    return [key for key in ("a", "b") if cache.look_up(key, now=1)]


def test_seen_changes_drop_their_paths(cache: CallCache) -> None:
    changes = (FileChange(path="b", kind=ChangeKind.MODIFIED),)
    Invalidation(cache).on_changes(changes)
    assert kept(cache) == ["a"]


def test_trouble_of_the_watcher_drops_everything(cache: CallCache) -> None:
    Invalidation(cache).on_watcher_trouble()
    assert kept(cache) == []
