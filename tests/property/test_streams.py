"""However a stream is cut, the same events come of it."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.errors import BadRequest, ProviderError, StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.providers.openai_slots import ToolCallSlots
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from caramelo_tui.providers.sse import ServerEvent, SseDecoder
from caramelo_tui.providers.streaming import EventReader, read_answer
from tests.contract.provider_wires import WIRES, ProviderWire

TURN = ScriptedTurn(
    thinking="Überlegen wir 漢字.",
    text="Grüße 🚀\u2028 und\u0085 so\r\n weiter: data: x\n\n",
    calls=(
        ScriptedCall.of("grep", {"pattern": "naïve 🚀 \\d+"}, call_id="a"),
        ScriptedCall.of("file_read", {"path": "b"}, call_id="b"),
    ),
)
SHORT_TURN = ScriptedTurn(
    thinking="漢", text="ü", calls=(ScriptedCall.of("grep", {"pattern": "🚀"}, call_id="a"),)
)
LOST = ConnectionError


class RecordedAnswer:
    """An answer whose bytes come in given pieces; then it ends, or is lost."""

    def __init__(self, pieces: Sequence[bytes], *, is_lost: bool = False) -> None:
        self._pieces = pieces
        self._is_lost = is_lost
        self.is_closed = False

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        if self._is_lost:
            raise LOST

    async def aclose(self) -> None:
        self.is_closed = True


class RecordedFaults:
    """What may go wrong with a recorded answer."""

    @property
    def types(self) -> tuple[type[Exception], ...]:
        return (LOST,)

    def error_for(self, fault: Exception) -> ProviderError:
        return StreamBroken(repr(fault))


def reader_of(vendor: ProviderWire) -> EventReader:
    ids = CountingIds()
    return vendor.reader(lambda: ids.new("call"))


async def read(
    vendor: ProviderWire, pieces: Sequence[bytes], *, is_lost: bool = False
) -> tuple[list[ProviderEvent], ProviderError | None]:
    answer = RecordedAnswer(pieces, is_lost=is_lost)
    got: list[ProviderEvent] = []
    failure: ProviderError | None = None
    try:
        reading = read_answer(answer, reader_of(vendor), RecordedFaults())
        async with aclosing(reading) as events:
            async for event in events:
                got.append(event)  # noqa: PERF401 - what came before an error is kept
    except ProviderError as error:
        failure = error
    assert answer.is_closed
    return got, failure


def events_of(
    vendor: ProviderWire, pieces: Sequence[bytes], *, is_lost: bool = False
) -> tuple[list[ProviderEvent], ProviderError | None]:
    return asyncio.run(read(vendor, pieces, is_lost=is_lost))


def without_usage(events: Sequence[ProviderEvent]) -> list[ProviderEvent]:
    """Leave out what Chat Completions tell behind the end of the message, if at all."""
    return [event for event in events if not isinstance(event, UsageSeen)]


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    ends = [0, *sorted(places), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(ends)]


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
@given(data=st.data())
def test_any_chunking_of_a_stream_gives_the_same_events(
    vendor: ProviderWire, data: st.DataObject
) -> None:
    stream = vendor.stream_of(TURN)
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=40))

    assert events_of(vendor, cut(stream, places)) == events_of(vendor, [stream])


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
def test_single_bytes_give_the_same_events(vendor: ProviderWire) -> None:
    stream = vendor.stream_of(TURN)
    single = [bytes([value]) for value in stream]

    events, error = events_of(vendor, single)

    assert error is None
    assert (events, error) == events_of(vendor, [stream])


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
@given(data=st.data())
def test_other_line_ends_change_nothing(
    vendor: ProviderWire, end: bytes, data: st.DataObject
) -> None:
    # JSON writes line ends inside texts as escapes, so these are the framing's only.
    stream = vendor.stream_of(TURN).replace(b"\n", end)
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=20))

    assert events_of(vendor, cut(stream, places)) == events_of(vendor, [vendor.stream_of(TURN)])


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
@pytest.mark.parametrize("is_lost", [True, False])
@given(data=st.data())
def test_a_stream_cut_short_gives_a_beginning_and_an_error(
    vendor: ProviderWire, data: st.DataObject, *, is_lost: bool
) -> None:
    stream = vendor.stream_of(TURN)
    whole, _ = events_of(vendor, [stream])
    at = data.draw(st.integers(0, len(stream) - 1))

    events, error = events_of(vendor, [stream[:at]], is_lost=is_lost)

    if error is None:
        # Only what follows the end of the message can be missing without harm.
        assert not is_lost
        assert without_usage(events) == without_usage(whole)
        return
    assert events == whole[: len(events)]
    assert len(events) < len(whole)


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
@pytest.mark.parametrize("is_lost", [True, False])
async def test_a_stream_cut_at_each_byte_keeps_what_came_and_is_never_whole(
    vendor: ProviderWire, *, is_lost: bool
) -> None:
    stream = vendor.stream_of(SHORT_TURN)
    whole, _ = await read(vendor, [stream])

    for at in range(len(stream.rstrip(b"\n"))):
        events, error = await read(vendor, [stream[:at]], is_lost=is_lost)

        if error is None:
            assert not is_lost, at
            assert without_usage(events) == without_usage(whole), at
            continue
        assert isinstance(error, StreamBroken), at
        assert events == whole[: len(events)], at
        assert len(events) < len(whole), at


fragments = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 3) | st.none(),
        "id": st.sampled_from(["a", "b", "c", ""]) | st.none(),
        "function": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["x", "y", ""]) | st.none(),
                "arguments": st.sampled_from(["", "{", "}", "{}"]) | st.none(),
            },
        ),
    },
)


@given(st.lists(fragments, max_size=12))
def test_whatever_fragments_come_calls_are_well_formed(
    listed: list[dict[str, object]],
) -> None:
    ids = CountingIds()
    slots = ToolCallSlots(lambda: ids.new("made"))
    events = [event for fragment in listed for event in slots.add(fragment)]
    try:
        events += slots.flush()
    except StreamBroken:
        return

    begun = [event for event in events if isinstance(event, ToolCallBegan)]
    assert [event.slot for event in begun] == list(range(len(begun)))
    assert len({event.call_id for event in begun}) == len(begun)
    assert all(event.call_id and event.name for event in begun)
    seen: set[int] = set()
    for event in events:
        if isinstance(event, ToolCallBegan):
            seen.add(event.slot)
        elif isinstance(event, ToolArgumentsDelta):
            assert event.slot in seen
    with_arguments = {event.slot for event in events if isinstance(event, ToolArgumentsDelta)}
    assert with_arguments == seen
    given_out = "".join(event.fragment for event in events if isinstance(event, ToolArgumentsDelta))
    asked = [fragment.get("function") for fragment in listed]
    sent = "".join(
        str(function.get("arguments") or "") for function in asked if isinstance(function, dict)
    )
    # Nothing of the arguments is lost; `{}` may be added for a call that has none.
    assert len(given_out) >= len(sent)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=8))
def test_any_bytes_in_any_pieces_are_framed_alike(data: bytes, places: list[int]) -> None:
    def framed(pieces: Sequence[bytes]) -> list[ServerEvent]:
        decoder = SseDecoder()
        events = [event for piece in pieces for event in decoder.feed(piece)]
        return events + decoder.flush()

    assert framed(cut(data, [place for place in places if place <= len(data)])) == framed([data])


async def test_an_answer_without_end_is_broken_off_and_not_asked_for_again() -> None:
    for vendor in WIRES:
        answer = RecordedAnswer([b": still here\n\n"] * 1_000)
        reading = read_answer(answer, reader_of(vendor), RecordedFaults(), most_bytes=5_000)
        with pytest.raises(BadRequest, match="longer than") as raised:
            async for _event in reading:
                pass
        assert not raised.value.is_retryable
        assert answer.is_closed
