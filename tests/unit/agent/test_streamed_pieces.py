"""Streamed pieces: what arrives together is one event, and nothing waits for a clock."""

import asyncio

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.streamed_pieces import MOST_CHARACTERS, StreamedPieces
from caramelo_tui.domain.agent_events import TextStreamed, ThinkingStreamed, ToolCallStreamed
from caramelo_tui.domain.ids import CallId
from tests.doubles.agent_worlds import FixedClock

CALL = CallId("c1")


def shown(events: EventStream) -> list[str]:
    """Return what the events say, each with its kind."""
    said: list[str] = []
    for event in events.events:
        match event:
            case TextStreamed():
                said.append(f"text {event.text}")
            case ThinkingStreamed():
                said.append(f"thinking {event.text}")
            case ToolCallStreamed():
                said.append(f"{event.tool} {event.call_id} {event.fragment}")
            case _:
                said.append(type(event).__name__)
    return said


async def test_what_arrives_in_one_turn_of_the_loop_is_one_event() -> None:
    events = EventStream(FixedClock())
    pieces = StreamedPieces(events)
    for word in ("one ", "two ", "three"):
        pieces.add_text(word)
    assert shown(events) == []
    await asyncio.sleep(0)
    assert shown(events) == ["text one two three"]


async def test_what_arrives_in_the_next_turn_is_the_next_event() -> None:
    events = EventStream(FixedClock())
    pieces = StreamedPieces(events)
    for word in ("one", "two"):
        pieces.add_text(word)
        await asyncio.sleep(0)
    assert shown(events) == ["text one", "text two"]


async def test_kinds_and_calls_are_never_mixed_and_keep_their_order() -> None:
    events = EventStream(FixedClock())
    pieces = StreamedPieces(events)
    pieces.add_thinking("hm")
    pieces.add_text("a")
    pieces.add_thinking("so")
    pieces.begin_call(CALL, "glob")
    pieces.add_arguments(CALL, "glob", '{"a"')
    pieces.add_arguments(CALL, "glob", ": 1}")
    pieces.add_arguments(CallId("c2"), "glob", "{}")
    pieces.flush()
    assert shown(events) == [
        "thinking hm",
        "text a",
        "thinking so",
        "glob c1 ",
        'glob c1 {"a": 1}',
        "glob c2 {}",
    ]


async def test_a_flood_is_cut_and_nothing_is_emitted_twice() -> None:
    events = EventStream(FixedClock())
    pieces = StreamedPieces(events)
    for _ in range(3):
        pieces.add_text("x" * MOST_CHARACTERS)
    pieces.add_text("end")
    pieces.flush()
    await asyncio.sleep(0)
    assert [len(said) - len("text ") for said in shown(events)] == [MOST_CHARACTERS] * 3 + [3]
