"""A read can be run again past the cache, for the user only."""

from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from tests.doubles.pipeline_worlds import World, bash, read, runs


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_a_read_is_run_again_and_nobody_else_hears_of_it(world: World) -> None:
    world.write("a.txt", "old\n")
    await world.run(read("1", "a.txt"))
    seen = len(world.events.events)
    world.write("a.txt", "new\n")
    again = await world.pipeline.run_again(CallId("1"))
    assert again is not None
    assert "new" in again.text
    assert again.state is CallState.OK
    assert len(world.events.events) == seen


async def test_what_can_be_repeated_holds_no_answer(world: World) -> None:
    world.write("a.txt", "old\n")
    await world.run(read("1", "a.txt"))
    kept = world.pipeline._repeated._records[CallId("1")]
    assert (kept.result, kept.ready, kept.prepared) == (None, None, None)


async def test_a_read_that_fails_now_says_so(world: World) -> None:
    world.write("a.txt", "old\n")
    await world.run(read("1", "a.txt"))
    (world.root / "a.txt").unlink()
    again = await world.pipeline.run_again(CallId("1"))
    assert again is not None
    assert again.is_error


async def test_only_cacheable_reads_can_be_repeated(world: World) -> None:
    world.answer(runs)
    await world.run(bash("1", "ls"))
    assert await world.pipeline.run_again(CallId("1")) is None
    assert await world.pipeline.run_again(CallId("none")) is None
