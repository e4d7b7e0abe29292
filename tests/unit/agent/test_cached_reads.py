"""The way to the cache and back."""

import asyncio
import threading
from pathlib import Path

import pytest

from caramelo_tui.agent.cached_reads import BegunRead, CachedReads, CacheHit
from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.agent_events import CacheCounted
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.tool_calls import CacheScope, Effect, JsonValue, PreparedCall
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.registry import ToolRegistry
from caramelo_tui.tools.search.glob import Glob
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.tree_scopes import TreeScope
from caramelo_tui.workspace.tree_watch import TreeMark
from tests.doubles.counted_threads import CountedThreads
from tests.doubles.pipeline_worlds import World, call, read


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("a.txt", "one\n")
    return world


def prepared(
    effect: Effect = Effect.READ, *, is_cacheable: bool = True, path: str = "a.txt"
) -> PreparedCall:
    return PreparedCall(
        call=read("1", "a.txt"),
        arguments={"path": "a.txt"},
        effect=effect,
        summary="a.txt",
        paths=(path,) if path else (),
        is_cacheable=is_cacheable,
    )


def reads(world: World) -> CachedReads:
    return CachedReads(world.cache, world.clock)


def no_stamps() -> dict[str, FileStamp | None]:
    return {}


async def begin(cached: CachedReads, call: PreparedCall) -> BegunRead | None:
    return (await cached.ask(call, no_stamps)).begun


async def hit_of(cached: CachedReads, call: PreparedCall) -> CacheHit | None:
    return (await cached.ask(call, no_stamps)).hit


async def test_one_thread_looks_at_everything_before_a_read_runs(world: World) -> None:
    """Each change of threads takes longer than what is looked at."""
    threads: list[int] = []
    cached = reads(world)

    def stamps() -> dict[str, FileStamp | None]:
        threads.append(threading.get_ident())
        return no_stamps()

    counted = CountedThreads()
    asyncio.get_running_loop().set_default_executor(counted)
    asked = await cached.ask(prepared(), stamps)
    assert asked.begun is not None
    assert len(threads) == counted.given == 1
    assert threads != [threading.get_ident()]


async def test_an_answer_comes_back_with_its_age(world: World) -> None:
    cached = reads(world)
    ticket = await begin(cached, prepared())
    await cached.store(ticket, ToolOutput(text="one", is_truncated=True))
    hit = await hit_of(cached, prepared())
    assert hit is not None
    assert hit.output == ToolOutput(text="one", is_truncated=True)
    assert hit.age_s == 1.0


async def test_a_change_while_the_read_ran_wins(world: World) -> None:
    cached = reads(world)
    ticket = await begin(cached, prepared())
    world.write("a.txt", "three\n")
    await cached.store(ticket, ToolOutput(text="one"))
    assert await hit_of(cached, prepared()) is None


async def test_errors_are_not_kept(world: World) -> None:
    cached = reads(world)
    ticket = await begin(cached, prepared())
    await cached.store(ticket, ToolOutput(text="no", is_error=True))
    assert await hit_of(cached, prepared()) is None


@pytest.mark.parametrize(
    "call",
    [
        prepared(Effect.COMMAND),
        prepared(is_cacheable=False),
        prepared(path=""),
    ],
    ids=["not a read", "not cacheable", "no path to prove it by"],
)
async def test_other_calls_are_never_cached(world: World, call: PreparedCall) -> None:
    cached = reads(world)
    ticket = await begin(cached, call)
    assert ticket is None
    await cached.store(ticket, ToolOutput(text="x"))
    assert await hit_of(cached, call) is None


class AskedProofs:
    """Proves everything, and remembers what was asked for."""

    def __init__(self) -> None:
        self.scopes: list[TreeScope] = []
        self.is_closed = False

    def begin(self, scope: TreeScope) -> TreeMark | None:
        self.scopes.append(scope)
        return TreeMark(scope=scope, generation=1, states=())

    def holds(self, mark: TreeMark) -> bool:
        return mark.generation == 1

    def close(self) -> None:
        self.is_closed = True


def tree_call(scope: CacheScope, *paths: str, **arguments: JsonValue) -> PreparedCall:
    return PreparedCall(
        call=call("1", "glob"),
        arguments=arguments,
        effect=Effect.READ,
        summary="x",
        paths=paths,
        is_cacheable=True,
        cache_scope=scope,
    )


def tree_reads(world: World, proofs: AskedProofs) -> CachedReads:
    cache = CallCache(1_000, files=FileStore(Sandbox(world.root)), trees=proofs)
    return CachedReads(cache, world.clock, offered=ToolRegistry([Glob()]))


@pytest.mark.parametrize(
    ("prepared_call", "folder"),
    [
        (tree_call(CacheScope.SOURCES, "src"), "src"),
        (tree_call(CacheScope.TREE, "src"), "src"),
        # A git answer shows the whole workspace, whatever path it was asked for.
        (tree_call(CacheScope.GIT, "src/a"), "."),
        (tree_call(CacheScope.GIT), "."),
    ],
)
async def test_an_answer_that_shows_a_tree_is_proven_for_its_folder(
    world: World, prepared_call: PreparedCall, folder: str
) -> None:
    proofs = AskedProofs()
    cached = tree_reads(world, proofs)
    await cached.store(await begin(cached, prepared_call), ToolOutput(text="rows"))
    hit = await hit_of(cached, prepared_call)
    assert hit is not None
    assert hit.output.text == "rows"
    assert proofs.scopes == [TreeScope(kind=prepared_call.cache_scope, folder=folder)]


async def test_a_default_that_is_given_finds_the_answer_without_it(world: World) -> None:
    cached = tree_reads(world, AskedProofs())
    begun = await begin(cached, tree_call(CacheScope.GIT))
    await cached.store(begun, ToolOutput(text="rows"))
    assert await hit_of(cached, tree_call(CacheScope.GIT, max_results=200)) is not None
    assert await hit_of(cached, tree_call(CacheScope.GIT, max_results=201)) is None


async def test_an_answer_of_one_kind_is_none_of_another(world: World) -> None:
    # A path was a file when one call was prepared, and a folder when the next one was.
    cached = tree_reads(world, AskedProofs())
    begun = await begin(cached, tree_call(CacheScope.TREE, "a"))
    await cached.store(begun, ToolOutput(text="rows"))
    assert await hit_of(cached, tree_call(CacheScope.SOURCES, "a")) is None


async def test_counts_are_reported_when_they_changed(world: World) -> None:
    cached = reads(world)
    cached.report(world.events)
    assert world.of(CacheCounted) == []
    await cached.store(await begin(cached, prepared()), ToolOutput(text="one"))
    await hit_of(cached, prepared())
    cached.report(world.events)
    cached.report(world.events)
    (event,) = world.of(CacheCounted)
    assert (event.hits, event.misses, event.entries) == (1, 1, 1)
    assert event.kept_bytes == world.cache.counts.kept_bytes > 0
