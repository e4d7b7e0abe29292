"""The event stream: gapless numbers, several readers, nothing lost."""

import asyncio

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import AgentEvent, EventHead, TextStreamed
from caramelo_tui.domain.ids import RunId, TurnId


class FixedClock:
    def now(self) -> float:
        return 1000.0

    def monotonic(self) -> float:
        return 1.0


def text(word: str) -> "TextMaker":
    return TextMaker(word)


class TextMaker:
    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, head: EventHead) -> AgentEvent:
        return TextStreamed(head=head, text=self.word)


async def words_of(stream: EventStream) -> list[str]:
    return [event.text async for event in stream.reader() if isinstance(event, TextStreamed)]


def test_numbers_rise_by_one_from_one() -> None:
    stream = EventStream(FixedClock())
    heads = [stream.emit(text("x")).head for _ in range(5)]
    assert [head.seq for head in heads] == [1, 2, 3, 4, 5]
    assert {head.at for head in heads} == {1000.0}


def test_events_carry_run_and_turn_while_they_last() -> None:
    stream = EventStream(FixedClock())
    stream.begin_run(RunId("r"))
    stream.begin_turn(TurnId("t"))
    inside = stream.emit(text("a"), agent="reviewer").head
    beside = stream.emit(text("b"), is_in_run=False).head
    stream.end_turn()
    between_turns = stream.emit(text("c")).head
    stream.end_run()
    after = stream.emit(text("d")).head
    assert (inside.run_id, inside.turn_id, inside.agent) == ("r", "t", "reviewer")
    assert (beside.run_id, beside.turn_id) == (None, None)
    assert (between_turns.run_id, between_turns.turn_id) == ("r", None)
    assert (after.run_id, after.turn_id) == (None, None)


async def test_every_reader_sees_everything_however_late_it_comes() -> None:
    stream = EventStream(FixedClock())
    early = asyncio.create_task(words_of(stream))
    await asyncio.sleep(0)
    for word in ("a", "b"):
        stream.emit(text(word))
    late = asyncio.create_task(words_of(stream))
    await asyncio.sleep(0)
    stream.emit(text("c"))
    stream.close()
    assert await early == await late == ["a", "b", "c"]
    assert await words_of(stream) == ["a", "b", "c"]


async def test_a_slow_reader_holds_up_nobody() -> None:
    stream = EventStream(FixedClock())
    slow = stream.reader()
    for _ in range(1000):
        stream.emit(text("x"))
    assert slow.unread == 1000


async def test_a_cancelled_wait_loses_no_event() -> None:
    stream = EventStream(FixedClock())
    reader = stream.reader()
    waiting = asyncio.create_task(anext(reader))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    first = stream.emit(text("kept"))
    assert await anext(reader) == first


async def test_closing_a_reader_ends_its_iteration_only() -> None:
    stream = EventStream(FixedClock())
    closed, other = stream.reader(), stream.reader()
    waiting = asyncio.create_task(anext(closed, None))
    await asyncio.sleep(0)
    closed.close()
    assert await waiting is None
    event = stream.emit(text("x"))
    assert await anext(other) == event


def test_an_event_that_cannot_be_built_uses_no_number() -> None:
    stream = EventStream(FixedClock())

    def fail(head: EventHead) -> AgentEvent:
        raise ValueError(head.seq)

    with pytest.raises(ValueError, match="1"):
        stream.emit(fail)
    assert stream.emit(text("x")).head.seq == 1


def test_nothing_is_emitted_after_the_end() -> None:
    stream = EventStream(FixedClock())
    stream.close()
    with pytest.raises(RuntimeError):
        stream.emit(text("x"))
