"""The event stream: gapless numbers, several readers, nothing lost."""

import asyncio
from dataclasses import replace

import pytest

from caramelo_tui.agent.event_stream import HELD_EVENTS, EventStream
from caramelo_tui.domain.agent_events import AgentEvent, EventHead, RunStarted, TextStreamed
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import RunId, SessionId, TurnId
from caramelo_tui.domain.messages import ImageAttachment

RUN_STARTED = RunStarted(
    head=EventHead(seq=1, at=1000.0, run_id=None, turn_id=None),
    session_id=SessionId("s"),
    prompt="go",
    provider="scripted",
    model="scripted",
    mode=ApprovalMode.REVIEW,
    profile="caramelo",
    is_trusted=True,
)


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


def test_what_all_have_read_is_let_go_up_to_the_turn_under_way() -> None:
    stream = EventStream(FixedClock())
    first, second = stream.reader(), stream.reader()
    many = 4 * HELD_EVENTS
    for number in range(many):
        stream.begin_turn(TurnId(f"t{number}"))
        stream.emit(text("x"))
    # One that reads nothing misses nothing.
    assert len(first.take()) == many
    assert len(stream.events) == many
    assert [event.head.seq for event in second.take()] == list(range(1, many + 1))
    stream.emit(text("y"))
    assert HELD_EVENTS <= len(stream.events) <= 2 * HELD_EVENTS
    assert stream.last_seq == many + 1
    assert stream.events_since(many + 1) == stream.events[-1:]
    assert stream.reader().unread == len(stream.events)
    assert len(first.take()) == len(second.take()) == 1


def test_a_turn_under_way_is_held_whole() -> None:
    stream = EventStream(FixedClock())
    reader = stream.reader()
    stream.begin_turn(TurnId("t"))
    for _ in range(4 * HELD_EVENTS):
        stream.emit(text("x"))
        reader.take()
    assert len(stream.events_since(1)) == 4 * HELD_EVENTS


def test_what_is_said_before_anybody_reads_waits() -> None:
    stream = EventStream(FixedClock())
    for number in range(4 * HELD_EVENTS):
        stream.begin_turn(TurnId(f"t{number}"))
        stream.emit(text("x"))
    assert stream.reader().unread == 4 * HELD_EVENTS


def test_a_reader_that_is_closed_holds_nothing() -> None:
    stream = EventStream(FixedClock())
    stream.reader().close()
    for number in range(4 * HELD_EVENTS):
        stream.begin_turn(TurnId(f"t{number}"))
        stream.emit(text("x"))
    assert len(stream.events) <= 2 * HELD_EVENTS


def test_begins_of_runs_are_always_held_without_their_images() -> None:
    stream = EventStream(FixedClock())
    stream.reader().close()
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"x" * 1_000)
    begin = replace(RUN_STARTED, images=(image,))
    stream.emit(lambda head: replace(begin, head=head))
    for number in range(4 * HELD_EVENTS):
        stream.begin_turn(TurnId(f"t{number}"))
        stream.emit(text("x"))
    assert [mark.head.seq for mark in stream.landmarks] == [1]
    assert stream.landmarks[0] == replace(RUN_STARTED, head=stream.landmarks[0].head)


def test_nothing_is_emitted_after_the_end() -> None:
    stream = EventStream(FixedClock())
    stream.close()
    with pytest.raises(RuntimeError):
        stream.emit(text("x"))
