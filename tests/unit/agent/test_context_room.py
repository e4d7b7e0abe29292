"""The room of an agent: when it compacts, what it says, and that trouble loses nothing."""

import asyncio
from typing import TypeVar

import pytest

from caramelo_tui.agent.compaction import SUMMARY_INTRO
from caramelo_tui.agent.context_port import Fate
from caramelo_tui.agent.context_room import NOTHING_TO_GO, WAITS
from caramelo_tui.domain.agent_events import (
    ContextCompacted,
    ContextMeasured,
    NoticeRaised,
    SpendingCounted,
)
from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest
from caramelo_tui.domain.messages import Message, StopReason, UserMessage
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest
from tests.doubles.agent_worlds import Hang, says
from tests.doubles.context_worlds import ContextWorld, context_world
from tests.doubles.transcripts import answered, said, turn

T = TypeVar("T")
WORDS = "w" * 9_000
"""2,500 tokens that cannot be shortened."""


def of(world: ContextWorld, kind: type[T]) -> list[T]:
    return [event for event in world.events.events if isinstance(event, kind)]


def old_work(count: int = 3) -> list[Message]:
    messages: list[Message] = []
    for number in range(count):
        messages += [said(f"task {number}"), answered(WORDS)]
    return [*messages, said("now"), *turn("c1", "r")]


async def test_below_the_limit_nothing_happens() -> None:
    world = context_world()
    world.fill(old_work(2))
    await world.room.before_request(is_first=False)
    assert not of(world, ContextCompacted)
    assert world.summaries.requests == []


async def test_at_the_limit_the_old_part_is_summed_up_and_all_of_it_is_said() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=10)
    world = context_world(summaries=[says("short summary", usage=usage)])
    world.fill(old_work())
    await world.room.before_request(is_first=False)
    (event,) = of(world, ContextCompacted)
    assert (event.is_by_hand, event.dropped_messages, event.summary) == (False, 6, "shortsummary")
    assert event.tokens_before > 7_500 > event.tokens_after
    messages = world.conversation.transcript.snapshot()
    assert messages[0] == UserMessage(text=f"{SUMMARY_INTRO}\n\nshortsummary", is_note=True)
    assert messages[1] == said("now")
    before = of(world, NoticeRaised)[0]
    assert "fills 75 % of the model's window" in before.text
    assert "6 messages summed up; the last turn stays" in before.text
    assert before.head.seq < event.head.seq
    assert of(world, ContextMeasured)[-1].tokens == event.tokens_after
    assert world.tokens.total == usage
    (spent,) = of(world, SpendingCounted)
    assert (spent.is_summary, spent.model) == (True, "fast-1")
    assert spent.cost == pytest.approx(3.00015)


@pytest.mark.parametrize(("counted", "is_compacted"), [(7_500, False), (7_501, True), (None, True)])
async def test_a_guess_is_counted_by_the_provider_before_anything_goes(
    counted: int | None,
    is_compacted: bool,  # noqa: FBT001 - a column of the table
) -> None:
    asked: list[ProviderRequest] = []

    async def count(request: ProviderRequest) -> int | None:
        asked.append(request)
        return counted

    world = context_world(count=count)
    world.fill(old_work())
    await world.room.before_request(is_first=False)
    assert bool(of(world, ContextCompacted)) is is_compacted
    assert [request.model for request in asked] == ["model-1"]


async def test_what_the_provider_has_counted_is_not_asked_for_again() -> None:
    async def count(request: ProviderRequest) -> int | None:
        raise AssertionError(request)

    world = context_world(count=count)
    world.fill([*old_work(), answered("ok", tokens=8_000), said("more")])
    await world.room.before_request(is_first=False)
    assert of(world, ContextCompacted)


@pytest.mark.parametrize("failure", [BadRequest("no"), TimeoutError()])
async def test_a_count_that_fails_leaves_the_estimate_as_it_is(failure: Exception) -> None:
    async def count(_request: ProviderRequest) -> int | None:
        raise failure

    world = context_world(count=count)
    world.fill(old_work())
    await world.room.before_request(is_first=False)
    assert of(world, ContextCompacted)


async def test_before_results_are_only_shortened_that_is_said_too() -> None:
    world = context_world()
    world.fill([said("a"), *turn("c1", "r" * 30_000), answered("b"), said("now"), *turn("c2", "r")])
    await world.room.before_request(is_first=False)
    (event,) = of(world, ContextCompacted)
    assert (event.dropped_messages, len(event.shortened)) == (0, 1)
    (before,) = of(world, NoticeRaised)
    assert "1 result shortened; the last" in before.text
    assert before.head.seq < event.head.seq


async def test_the_record_goes_to_the_model_as_data_without_tools() -> None:
    world = context_world()
    world.fill(old_work())
    await world.room.before_request(is_first=False)
    (request,) = world.summaries.requests
    assert (request.model, request.tools, len(request.messages)) == ("fast-1", (), 1)
    (message,) = request.messages
    assert isinstance(message, UserMessage)
    assert "Developer: task 0" in message.text
    assert "now" not in message.text.split("</record>")[0].splitlines()[-1]


async def test_a_failed_summary_shortens_results_and_drops_nothing() -> None:
    world = context_world(summaries=[[AuthenticationFailed("The key is wrong.")]])
    world.fill([said("a"), *turn("c1", WORDS), *old_work()])
    count = len(world.conversation.transcript.snapshot())
    await world.room.before_request(is_first=False)
    (event,) = of(world, ContextCompacted)
    assert (event.problem, event.summary, event.dropped_messages) == ("The key is wrong.", "", 0)
    assert len(event.shortened) == 1
    assert len(world.conversation.transcript.snapshot()) == count


async def test_a_failed_summary_with_nothing_to_shorten_is_said_and_not_asked_for_each_turn() -> (
    None
):
    world = context_world(summaries=[[AuthenticationFailed("no")], says("fine")])
    world.fill(old_work())
    before = world.conversation.transcript.snapshot()
    await world.room.before_request(is_first=False)
    assert world.conversation.transcript.snapshot() == before
    assert of(world, NoticeRaised)[-1].text == "Not compacted: no"
    await world.room.before_request(is_first=False)
    assert len(world.summaries.requests) == 1
    world.fill([answered("w" * 5_000), said("more")])
    await world.room.before_request(is_first=False)
    assert len(world.summaries.requests) == 2


@pytest.mark.parametrize("answer", [says(""), says("no", stop=StopReason.REFUSAL)])
async def test_an_answer_that_is_no_summary_counts_as_failed(answer: list[object]) -> None:
    world = context_world(summaries=[answer])  # type: ignore[list-item]  # steps of a script
    world.fill(old_work())
    assert not await world.room.makes_room()
    assert "no summary" in of(world, NoticeRaised)[-1].text


async def test_an_interrupted_summary_changes_nothing() -> None:
    hang = Hang()
    world = context_world(summaries=[[hang]])
    world.fill(old_work())
    before = world.conversation.transcript.snapshot()
    task = asyncio.create_task(world.room.before_request(is_first=False))
    await hang.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.conversation.transcript.snapshot() == before
    assert world.summaries.open_streams == 0


async def test_what_is_said_while_a_summary_is_made_stays() -> None:
    hang = Hang()
    world = context_world(summaries=[[hang, *says("done")]])
    world.fill(old_work())
    task = asyncio.create_task(world.room.compact())
    await hang.reached.wait()
    world.conversation.transcript.append_user(said("meanwhile"))
    hang.goes_on.set()
    assert await task == ""
    assert world.conversation.transcript.snapshot()[-1] == said("meanwhile")


async def test_by_hand_it_works_without_a_known_window() -> None:
    world = context_world(window=None)
    world.fill(old_work())
    await world.room.before_request(is_first=False)
    assert not of(world, ContextCompacted)
    assert await world.room.compact() == ""
    assert of(world, ContextCompacted)[0].is_by_hand


async def test_by_hand_while_a_run_is_under_way_it_waits_for_the_next_turn() -> None:
    world = context_world()
    world.fill(old_work(2))
    world.is_running = True
    assert await world.room.compact() == WAITS
    assert not of(world, ContextCompacted)
    await world.room.before_request(is_first=False)
    assert of(world, ContextCompacted)[0].is_by_hand
    await world.room.before_request(is_first=False)
    assert len(of(world, ContextCompacted)) == 1


async def test_nothing_to_compact_is_said() -> None:
    world = context_world()
    assert await world.room.compact() == NOTHING_TO_GO
    assert world.room.preview().problem == NOTHING_TO_GO


async def test_pins_stay_over_several_compactions() -> None:
    world = context_world()
    world.fill(old_work())
    world.room.pin(0, is_pinned=True)
    world.room.pin(1, is_pinned=True)
    world.room.pin(1, is_pinned=False)
    assert await world.room.compact() == ""
    world.fill([answered(WORDS), said("later"), answered(WORDS), said("last"), answered("x")])
    assert await world.room.compact() == ""
    texts = [m.text for m in world.conversation.transcript.snapshot() if isinstance(m, UserMessage)]
    assert texts[0] == "task 0"
    assert "task 1" not in texts


async def test_the_preview_says_what_goes_and_what_stays() -> None:
    world = context_world()
    world.fill(
        [said("a"), *turn("c1", "r", tool="grep"), answered(WORDS), said("b"), answered("c")]
    )
    world.room.pin(0, is_pinned=True)
    preview = world.room.preview()
    assert [(row.label, row.fate, row.place) for row in preview.rows] == [
        ("you: a", Fate.PINNED, 0),
        ("turn: grep", Fate.SUMMED_UP, None),
        (f"turn: {WORDS[:200]}"[:206], Fate.SUMMED_UP, None),
        ("you: b", Fate.STAYS, 1),
        ("turn: c", Fate.STAYS, None),
    ]
    assert preview.rows[2].tokens == 2_500
    assert preview.tokens_before > 2_500
    assert preview.context_window == 10_000


async def test_a_run_begins_with_what_comes_before_it() -> None:
    world = context_world()
    world.fill([said("a")])
    await world.room.before_request(is_first=True)
    await world.room.before_request(is_first=False)
    assert world.runs_begun == 1


async def test_pins_that_fill_the_window_do_not_cost_a_summary_at_every_turn() -> None:
    world = context_world()
    world.fill([said("p" * 30_000), answered("a"), *old_work()])
    world.room.pin(0, is_pinned=True)
    await world.room.before_request(is_first=False)
    await world.room.before_request(is_first=False)
    assert len(world.summaries.requests) == 1
