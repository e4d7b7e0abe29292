"""Answers are given back only when they are proven fresh."""

import os
import shutil
import time
from collections.abc import Callable

import pytest

from caramelo_tui.cache.store import CallCache, Ticket
from caramelo_tui.workspace.stamps import SETTLING_NS
from tests.doubles.workspace_worlds import World, later_ns

KEY = "key"


@pytest.fixture
def cache(world: World) -> CallCache:
    world.write("sub/f", "v1")
    return CallCache(100_000, files=world.files, now_ns=later_ns)


def keep(cache: CallCache, key: str = KEY, *paths: str, text: str = "answer") -> bool:
    ticket = cache.begin(key, dependencies=paths or ("sub/f",))
    return cache.store(ticket, text=text, now=10.0)


def test_an_unchanged_file_is_answered_with_its_age(cache: CallCache) -> None:
    ticket = cache.begin(KEY, dependencies=["sub/f"])
    assert cache.store(ticket, text="answer", now=10.0, is_truncated=True)
    answer = cache.look_up(KEY, now=12.5)
    assert answer is not None
    assert (answer.text, answer.is_truncated, answer.age_s) == ("answer", True, 2.5)
    assert (cache.counts.hits, cache.counts.misses) == (1, 0)


def test_an_unknown_key_is_a_miss(cache: CallCache) -> None:
    assert cache.look_up(KEY, now=1) is None
    assert (cache.counts.hits, cache.counts.misses) == (0, 1)


def _rewrite(world: World) -> None:
    world.write("sub/f", "v2")


def _restore_time(world: World) -> None:
    target = world.root / "sub/f"
    before = target.stat()
    target.write_text("v3")
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))


def _rename_over(world: World) -> None:
    world.write("sub/tmp", "v1").rename(world.root / "sub/f")


def _delete(world: World) -> None:
    (world.root / "sub/f").unlink()


def _become_folder(world: World) -> None:
    _delete(world)
    (world.root / "sub/f").mkdir()


def _become_link(world: World) -> None:
    _delete(world)
    world.link("sub/f", world.outside / "secret.txt")


def _replace_parent(world: World) -> None:
    shutil.rmtree(world.root / "sub")
    world.link("sub", world.outside)


@pytest.mark.parametrize(
    "change",
    [
        _rewrite,
        _restore_time,
        _rename_over,
        _delete,
        _become_folder,
        _become_link,
        _replace_parent,
    ],
)
def test_any_change_of_a_file_is_seen_at_the_next_look(
    world: World, change: Callable[[World], None]
) -> None:
    world.write("sub/f", "v1")
    # Settled for good: the real clock decides, as it does in the program.
    cache = CallCache(100_000, files=world.files)
    deadline = time.monotonic() + 5
    while not keep(cache):
        assert time.monotonic() < deadline
    assert cache.look_up(KEY, now=1) is not None
    change(world)
    assert cache.look_up(KEY, now=1) is None
    assert cache.counts.kept_bytes == 0


def test_a_young_stamp_is_not_stored(world: World) -> None:
    target = world.write("f", "x")
    changed_at = target.stat().st_ctime_ns
    now = [0]
    cache = CallCache(100_000, files=world.files, now_ns=lambda: now[0])
    for age, is_kept in [(0, False), (SETTLING_NS - 1, False), (SETTLING_NS, True)]:
        now[0] = changed_at + age
        assert (cache.begin(KEY, dependencies=["f"]) is not None) is is_kept


def test_a_change_between_begin_and_store_wins(world: World, cache: CallCache) -> None:
    ticket = cache.begin(KEY, dependencies=["sub/f"])
    _delete(world)
    assert not cache.store(ticket, text="old", now=1)
    assert cache.look_up(KEY, now=1) is None


def test_an_invalidation_between_begin_and_store_wins(cache: CallCache) -> None:
    invalidations: list[Callable[[], None]] = [
        lambda: cache.drop_path("elsewhere"),
        cache.drop_all,
    ]
    for invalidate in invalidations:
        ticket = cache.begin(KEY, dependencies=["sub/f"])
        invalidate()
        assert not cache.store(ticket, text="old", now=1)


def test_without_provable_dependencies_there_is_no_ticket(world: World, cache: CallCache) -> None:
    world.link("linked/l", "nowhere")
    for dependencies in ([], ["none"], ["sub/f", "none"], ["linked"]):
        assert cache.begin(KEY, dependencies=dependencies) is None
    assert not cache.store(None, text="x", now=1)


def test_a_folder_that_cannot_be_listed_is_not_provable(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = CallCache(1_000, files=world.files, now_ns=later_ns)
    world.write("sub/f")
    stamp = world.files.folder_stamp("sub")
    monkeypatch.setattr(world.files, "folder_stamp", lambda _path: stamp)
    shutil.rmtree(world.root / "sub")
    assert cache.begin(KEY, dependencies=["sub"]) is None


def test_a_folder_answers_until_its_entries_change(world: World, cache: CallCache) -> None:
    os.utime(world.root / "sub", ns=(1, 1))
    assert keep(cache, KEY, "sub")
    world.write("sub/f", "content is not the folder's")
    assert cache.look_up(KEY, now=1) is not None
    world.write("sub/g")
    assert cache.look_up(KEY, now=1) is None


def test_all_dependencies_count(world: World, cache: CallCache) -> None:
    world.write("other", "x")
    assert keep(cache, KEY, "sub/f", "other")
    (world.root / "other").unlink()
    assert cache.look_up(KEY, now=1) is None


def test_the_least_recently_used_goes_first(cache: CallCache) -> None:
    text = "x" * 30_000
    for key in ("a", "b", "c"):
        assert keep(cache, key, text=text)
    assert cache.look_up("a", now=1) is not None
    assert keep(cache, "d", text=text)
    assert cache.look_up("b", now=1) is None
    assert all(cache.look_up(key, now=1) for key in ("a", "c", "d"))
    assert cache.counts.kept_bytes <= 100_000


def test_an_answer_above_the_bound_is_not_kept(cache: CallCache) -> None:
    assert not keep(cache, text="x" * 100_000)
    assert cache.counts.kept_bytes == 0
    # Characters are counted in bytes, lone surrogates included.
    assert not keep(cache, text="\u6f22\udcff" * 20_000)


def test_a_key_stored_again_replaces_the_old_answer(cache: CallCache) -> None:
    assert keep(cache, text="first")
    size = cache.counts.kept_bytes
    assert keep(cache, text="other")
    assert cache.counts.kept_bytes == size
    answer = cache.look_up(KEY, now=1)
    assert answer is not None
    assert answer.text == "other"


@pytest.mark.parametrize(
    ("dropped", "is_left"),
    [("sub/f", False), ("sub", False), (".", False), ("su", True), ("sub/f2", True), ("x/y", True)],
)
def test_dropping_a_path_drops_what_it_may_have_changed(
    cache: CallCache, dropped: str, *, is_left: bool
) -> None:
    keep(cache)
    ticket = cache.begin("another", dependencies=["sub/f"])
    cache.drop_path(dropped)
    assert (cache.look_up(KEY, now=1) is not None) is is_left
    # What was begun before is not kept, whatever it is about.
    assert not cache.store(ticket, text="old", now=1)


def test_a_few_changed_paths_drop_what_depends_on_them(cache: CallCache) -> None:
    keep(cache, "one", "sub/f")
    keep(cache, "other", ".")
    cache.drop_paths({"sub/f", "sub/elsewhere"})
    assert cache.look_up("one", now=1) is None
    assert cache.look_up("other", now=1) is not None


def test_a_flood_of_changed_paths_drops_everything_at_once(cache: CallCache) -> None:
    for number in range(10):
        keep(cache, f"key {number}")
    cache.drop_paths({"elsewhere"})
    assert cache.counts.entries == 10
    cache.drop_paths({f"elsewhere/{number}" for number in range(6_000)})
    assert cache.counts.entries == 0


def test_dropping_a_file_drops_the_listing_of_its_folder(cache: CallCache) -> None:
    keep(cache, "listing", "sub")
    keep(cache, "root", ".")
    cache.drop_path("sub/g")
    assert cache.look_up("listing", now=1) is None
    assert cache.look_up("root", now=1) is not None
    cache.drop_path("top.txt")
    assert cache.look_up("root", now=1) is None


def test_an_answer_dropped_while_it_is_proven_is_not_given(
    world: World, cache: CallCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(cache)
    really_stamp = world.files.stamp

    def stamp_and_drop(path: str) -> object:
        cache.drop_all()
        return really_stamp(path)

    # No other way leads into the moment between the look and the answer.
    monkeypatch.setattr(world.files, "stamp", stamp_and_drop)
    assert cache.look_up(KEY, now=1) is None
    assert cache.counts.misses == 1


def test_a_stale_look_drops_no_fresh_answer(
    world: World, cache: CallCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(cache, text="old")
    world.write("sub/f", "a newer and longer content")
    ticket = cache.begin(KEY, dependencies=["sub/f"])
    really_stamp = world.files.stamp
    calls: list[str] = []

    def stamp_after_a_store(path: str) -> object:
        calls.append(path)
        if len(calls) == 1:
            assert cache.store(ticket, text="new", now=1)
        return really_stamp(path)

    # No other way leads into the moment between the look and the drop.
    monkeypatch.setattr(world.files, "stamp", stamp_after_a_store)
    assert cache.look_up(KEY, now=1) is None
    answer = cache.look_up(KEY, now=1)
    assert answer is not None
    assert answer.text == "new"


def test_an_age_is_never_negative(cache: CallCache) -> None:
    keep(cache)
    answer = cache.look_up(KEY, now=0.0)
    assert answer is not None
    assert answer.age_s == 0.0


def test_a_bound_of_nothing_keeps_nothing(world: World) -> None:
    world.write("f", "x")
    cache = CallCache(0, files=world.files, now_ns=later_ns)
    ticket = cache.begin(KEY, dependencies=["f"])
    assert isinstance(ticket, Ticket)
    assert not cache.store(ticket, text="", now=1)
