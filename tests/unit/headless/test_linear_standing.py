"""How the session stands, in sentences."""

from collections.abc import Callable

from caramelo_tui.domain.agent_events import (
    CacheCounted,
    ContextMeasured,
    DiffCounted,
    EventHead,
    SpendingCounted,
    UsageReported,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.headless.linear.standing import Count
from tests.unit.headless.linear_worlds import linear_world

Make = Callable[[EventHead], Count]


async def status(*counts: Make, agent: str = "") -> list[str]:
    """Return what ``/status`` says behind mode and model."""
    with linear_world() as world:
        for count in counts:
            world.agent.emit(count, agent=agent)
        assert await world.catch_up() == ""
        return (await world.type("/status")).splitlines()[2:]


async def test_nothing_is_said_before_anything_was_counted() -> None:
    assert await status() == []


async def test_mode_model_and_what_waits_are_said() -> None:
    with linear_world() as world:
        await world.type("one")
        await world.type("two")
        assert (await world.type("/status")).splitlines() == [
            "Mode review. Folder trusted. A run is under way.",
            "Model anthropic claude-test.",
            "1 prompt waiting.",
        ]


async def test_context_tokens_cost_cache_and_lines_are_said() -> None:
    used = Usage(input_tokens=900, output_tokens=100)
    assert await status(
        lambda head: ContextMeasured(head=head, tokens=46_000, context_window=200_000),
        lambda head: UsageReported(
            head=head, usage=used, session_usage=used + used, context_window=200_000
        ),
        lambda head: SpendingCounted(
            head=head,
            model="m",
            usage=used,
            cost=0.1,
            session_cost=0.25,
            session_unknown=1,
            session_premium_requests=1.5,
        ),
        lambda head: CacheCounted(head=head, hits=3, misses=1, entries=1, kept_bytes=1),
        lambda head: DiffCounted(head=head, changed_lines=12, deny_above=500, ask_above=None),
    ) == [
        "Context about 46,000 tokens, 23 percent of the 200,000 that the model holds.",
        "2,000 tokens in the session so far.",
        "Cost 0.2500 dollars, and 1 request of unknown cost.",
        "1.5 premium requests.",
        "The cache answered 3 of 4 reads.",
        "12 changed lines, of 500 at most.",
    ]


async def test_what_is_unknown_is_left_out() -> None:
    assert await status(
        lambda head: ContextMeasured(head=head, tokens=1_000, context_window=None),
        lambda head: DiffCounted(head=head, changed_lines=1, deny_above=None, ask_above=None),
    ) == ["Context about 1,000 tokens.", "1 changed line."]


async def test_a_sub_agents_context_is_its_own() -> None:
    assert (
        await status(
            lambda head: ContextMeasured(head=head, tokens=1_000, context_window=None),
            agent="tests",
        )
        == []
    )
