"""The reply stream: progress while it comes, retries before content only."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.reply_stream import EVENTS_IN_A_ROW, ReplyStream
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.domain.agent_events import (
    RetryScheduled,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
)
from caramelo_tui.domain.errors import RateLimited, StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, StopReason, UserMessage
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
)
from caramelo_tui.providers.base import ProviderRequest
from tests.doubles.agent_worlds import FixedClock, Hang, QuickWaiting, ScriptedAnswers, Step, says

REQUEST = ProviderRequest(
    model="m", system="s", messages=(UserMessage(text="hi"),), tools=(), max_tokens=10
)


class Bench:
    def __init__(self, *answers: Sequence[Step]) -> None:
        self.provider = ScriptedAnswers(answers)
        self.events = EventStream(FixedClock())
        self.waiting = QuickWaiting()
        self.broken: list[AssistantMessage] = []
        self.replies = ReplyStream(
            provider=self.provider,
            events=self.events,
            call_ids=CallIds(CountingIds()),
            waiting=self.waiting,
        )

    async def receive(self) -> AssistantMessage:
        return await self.replies.receive(REQUEST, on_broken=self.broken.append)


class Flood(ScriptedAnswers):
    """Says what came with one read of the network, so without a wait in between."""

    def __init__(self, count: int) -> None:
        super().__init__(())
        self._count = count

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        self.requests.append(request)
        for _ in range(self._count):
            yield TextDelta(text="x")
        yield StreamStopped(stop_reason=StopReason.END_TURN)


async def test_progress_is_shown_under_the_ids_of_the_message() -> None:
    bench = Bench(
        [
            ThinkingDelta(text="hm"),
            ToolCallBegan(slot=0, call_id="", name="glob"),
            ToolArgumentsDelta(slot=0, fragment="{}"),
            StreamStopped(stop_reason=StopReason.TOOL_USE),
        ]
    )
    message = await bench.receive()
    streamed = [event for event in bench.events.events if isinstance(event, ToolCallStreamed)]
    assert [event.fragment for event in streamed] == ["", "{}"]
    assert {event.call_id for event in streamed} == {message.calls[0].id}
    assert isinstance(bench.events.events[0], ThinkingStreamed)
    assert not bench.broken


async def test_the_servers_wait_is_obeyed_and_shown() -> None:
    bench = Bench([RateLimited("slow down", retry_after_s=7)], says("fine"))
    assert (await bench.receive()).text == "fine"
    shown = bench.events.events[0]
    assert isinstance(shown, RetryScheduled)
    assert (shown.attempt, shown.reason) == (1, "slow down")
    assert shown.wait_s >= 7
    assert bench.waiting.waits == [shown.wait_s]


async def test_what_came_of_a_broken_stream_is_handed_over_before_the_error() -> None:
    bench = Bench([TextDelta(text="par")])
    with pytest.raises(StreamBroken, match="before the answer was complete"):
        await bench.receive()
    assert [message.text for message in bench.broken] == ["par"]
    assert len(bench.provider.requests) == 1


async def test_cancelling_closes_the_stream_and_hands_over_what_came() -> None:
    hang = Hang()
    bench = Bench([TextDelta(text="par"), hang])
    task = asyncio.create_task(bench.receive())
    await hang.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.provider.open_streams == 0
    assert [message.text for message in bench.broken] == ["par"]
    assert [event.text for event in _texts(bench)] == ["par"]


async def test_a_flood_lets_others_have_their_turn_and_is_few_events() -> None:
    count = EVENTS_IN_A_ROW * 10
    bench = Bench()
    bench.replies = ReplyStream(
        provider=Flood(count),
        events=bench.events,
        call_ids=CallIds(CountingIds()),
        waiting=bench.waiting,
    )
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(others())
    message = await bench.receive()
    beside.cancel()
    texts = _texts(bench)
    assert message.text == "".join(event.text for event in texts) == "x" * count
    assert turns >= 10
    assert len(texts) <= 11


def _texts(bench: Bench) -> list[TextStreamed]:
    return [event for event in bench.events.events if isinstance(event, TextStreamed)]
