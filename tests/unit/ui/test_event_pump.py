import asyncio
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    OutputStream,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    ToolOutputStreamed,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.event_pump import EventPump, is_streamed, merge
from tests.doubles.clocks import ManualClock

HEAD = EventHead(seq=1, at=0)
LONG_FRAME_S = 60.0


async def pumped(stream: EventStream, *, frame_s: float = LONG_FRAME_S) -> list[AgentEvent]:
    """Return what the pump hands on, until the stream is closed."""
    got: list[AgentEvent] = []
    await EventPump(stream.reader(), got.append, frame_s=frame_s).run()
    return got


async def test_neighbouring_pieces_become_one_within_a_frame() -> None:
    stream = EventStream(ManualClock())
    for text in ("a", "b", "c"):
        stream.emit(partial(_text, text))
    stream.close()
    (event,) = await pumped(stream)
    assert isinstance(event, TextStreamed)
    assert event.text == "abc"


async def test_what_was_gathered_comes_before_the_event_that_ends_it() -> None:
    stream = EventStream(ManualClock())
    stream.emit(lambda head: TextStreamed(head=head, text="a"))
    stream.emit(lambda head: ThinkingStreamed(head=head, text="t"))
    stream.raise_notice(NoticeLevel.INFO, "n")
    stream.emit(lambda head: TextStreamed(head=head, text="b"))
    stream.close()
    kinds = [type(event) for event in await pumped(stream)]
    assert kinds == [TextStreamed, ThinkingStreamed, NoticeRaised, TextStreamed]


async def test_gathered_text_is_shown_after_a_frame_without_a_further_event() -> None:
    stream = EventStream(ManualClock())
    shown = asyncio.Event()
    pump = EventPump(stream.reader(), lambda _event: shown.set(), frame_s=0.001)
    task = asyncio.create_task(pump.run())
    stream.emit(lambda head: TextStreamed(head=head, text="a"))
    await asyncio.wait_for(shown.wait(), 5)
    stream.close()
    await task


async def test_cancelling_hands_on_what_was_gathered_and_closes_the_reader() -> None:
    stream = EventStream(ManualClock())
    got: list[AgentEvent] = []
    started = asyncio.Event()

    def take(event: AgentEvent) -> None:
        got.append(event)
        started.set()

    task = asyncio.create_task(EventPump(stream.reader(), take, frame_s=LONG_FRAME_S).run())
    stream.raise_notice(NoticeLevel.INFO, "n")
    stream.emit(lambda head: TextStreamed(head=head, text="a"))
    await asyncio.wait_for(started.wait(), 5)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert [type(event) for event in got] == [NoticeRaised, TextStreamed]


def test_pieces_of_different_calls_or_streams_stay_apart() -> None:
    def output(call: str, stream: OutputStream) -> AgentEvent:
        return ToolOutputStreamed(head=HEAD, call_id=CallId(call), stream=stream, text="x")

    out = OutputStream.STDOUT
    assert merge(output("a", out), output("a", out)) is not None
    assert merge(output("a", out), output("b", out)) is None
    assert merge(output("a", out), output("a", OutputStream.STDERR)) is None
    fragment = ToolCallStreamed(head=HEAD, call_id=CallId("a"), tool="t", fragment="{")
    assert merge(fragment, fragment) is not None


def test_pieces_of_different_agents_stay_apart() -> None:
    mine = TextStreamed(head=HEAD, text="a")
    theirs = TextStreamed(head=EventHead(seq=2, at=0, agent="Tidy"), text="b")
    assert merge(mine, theirs) is None


def _text(text: str, head: EventHead) -> AgentEvent:
    return TextStreamed(head=head, text=text)


def _same(event: AgentEvent, _head: EventHead) -> AgentEvent:
    return event


_PIECES = st.lists(
    st.one_of(
        st.builds(TextStreamed, head=st.just(HEAD), text=st.text(max_size=3)),
        st.builds(ThinkingStreamed, head=st.just(HEAD), text=st.text(max_size=3)),
        st.builds(
            NoticeRaised,
            head=st.just(HEAD),
            level=st.just(NoticeLevel.INFO),
            text=st.text(max_size=3),
        ),
    ),
    max_size=30,
)


@given(_PIECES)
def test_nothing_is_lost_and_the_order_stands(events: list[AgentEvent]) -> None:
    async def run() -> list[AgentEvent]:
        stream = EventStream(ManualClock())
        for event in events:
            stream.emit(partial(_same, event))
        stream.close()
        return await pumped(stream)

    got = asyncio.run(run())
    assert _flat(got) == _flat(events)
    final = [event for event in events if not is_streamed(event)]
    assert [event for event in got if not is_streamed(event)] == final


def _flat(events: list[AgentEvent]) -> list[tuple[str, str]]:
    """Return kind and character of all texts, in order."""
    return [
        (type(event).__name__, character)
        for event in events
        if isinstance(event, TextStreamed | ThinkingStreamed | NoticeRaised)
        for character in event.text
    ]
