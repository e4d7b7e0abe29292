"""The way to the cache and back."""

from pathlib import Path

import pytest

from caramelo_tui.agent.cached_reads import CachedReads
from caramelo_tui.domain.tool_calls import Effect, PreparedCall
from caramelo_tui.tools.base import ToolOutput
from tests.doubles.pipeline_worlds import World, read


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


async def test_an_answer_comes_back_with_its_age(world: World) -> None:
    cached = reads(world)
    ticket = await cached.begin(prepared())
    await cached.store(ticket, ToolOutput(text="one", is_truncated=True))
    hit = await cached.look_up(prepared())
    assert hit is not None
    assert hit.output == ToolOutput(text="one", is_truncated=True)
    assert hit.age_s == 1.0


async def test_a_change_while_the_read_ran_wins(world: World) -> None:
    cached = reads(world)
    ticket = await cached.begin(prepared())
    world.write("a.txt", "three\n")
    await cached.store(ticket, ToolOutput(text="one"))
    assert await cached.look_up(prepared()) is None


async def test_errors_are_not_kept(world: World) -> None:
    cached = reads(world)
    ticket = await cached.begin(prepared())
    await cached.store(ticket, ToolOutput(text="no", is_error=True))
    assert await cached.look_up(prepared()) is None


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
    ticket = await cached.begin(call)
    assert ticket is None
    await cached.store(ticket, ToolOutput(text="x"))
    assert await cached.look_up(call) is None
