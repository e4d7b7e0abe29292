"""Compaction and spending in a session in lines."""

import asyncio
from dataclasses import replace

from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_context import FakeContext
from tests.pilot.test_compaction import PREVIEW
from tests.pilot.test_spending import LEDGER, NOT_COUNTED
from tests.unit.headless.linear_worlds import LinearWorld, linear_world


async def asked(world: LinearWorld, context: FakeContext, count: int = 1) -> str:
    """Return what is said until a compaction was asked for."""
    said = ""
    async with asyncio.timeout(5):
        while context.compactions < count or not said:
            await asyncio.sleep(0)
            said += world.news() or ("." if context.compactions >= count else "")
    return said


async def test_what_would_go_is_read_out_with_numbers_of_prompts() -> None:
    with linear_world(FakeAgent(context=FakeContext(previews=[PREVIEW]))) as world:
        said = await world.type("/compact")
    assert "Prompt 1, you: add [bold] <U+001B>[2J: 12 tokens, summed up." in said
    assert "turn: file_read: 31,000 tokens, summed up." in said
    assert "About 46,000 tokens would become 4,000, of 200,000" in said


async def test_a_compaction_that_gains_nothing_is_said_to() -> None:
    longer = replace(PREVIEW, tokens_before=2_700, tokens_after=7_000)
    with linear_world(FakeAgent(context=FakeContext(previews=[longer]))) as world:
        said = await world.type("/compact")
    assert "It would not get shorter." in said


async def test_now_does_it_and_anything_else_does_not() -> None:
    context = FakeContext(previews=[PREVIEW], problem="A run is under way.")
    with linear_world(FakeAgent(context=context)) as world:
        await world.type("/compact please")
        await world.type("/compact now")
        await asked(world, context)
    assert context.compactions == 1


async def test_nothing_to_compact_is_said() -> None:
    with linear_world() as world:
        assert "empty" in await world.type("/compact")


async def test_prompts_are_pinned_by_their_numbers() -> None:
    context = FakeContext(previews=[PREVIEW])
    with linear_world(FakeAgent(context=context)) as world:
        assert "Prompt 2 is pinned." in await world.type("/pin 2")
        assert "Prompt 2 is not pinned any more." in await world.type("/unpin 2")
        for wrong in ("0", "3", "x", "²"):
            assert f"There is no prompt {wrong}" in await world.type(f"/pin {wrong}")
    assert context.pins == [(1, True), (1, False)]


async def test_spending_is_read_out_with_its_sum() -> None:
    with linear_world(FakeAgent(context=FakeContext(ledger=LEDGER * 9))) as world:
        said = await world.type("/spending")
    assert "Request 7," not in said
    assert "Request 27, fast-1, a summary: 2,500 tokens in, 40,000 cached" in said
    assert "Request 26, other, 1 premium request, sub-agent Tidy" in said
    assert "9 premium requests." in said
    assert "27 requests: " in said
    assert "Of 9 requests the cost is unknown." in said


async def test_tokens_that_nobody_counted_are_not_read_out_as_nothing() -> None:
    with linear_world(FakeAgent(context=FakeContext(ledger=(NOT_COUNTED,)))) as world:
        said = await world.type("/spending")
    assert "Request 1, broken: tokens not counted, cost unknown." in said


async def test_before_the_first_request_the_cost_is_nothing() -> None:
    with linear_world() as world:
        assert "0 requests: 0 tokens in" in await world.type("/spending")
