"""Any bytes of a vendor's stream, in any pieces: the same events, or one of our errors.

What comes of the events is a message whose calls have different ids.
"""

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.provider_events import ProviderEvent
from tests.contract.provider_wires import WIRES
from tests.fuzz.feed import Feed
from tests.property.test_streams import SHORT_TURN, TURN, events_of

SEEDS = tuple(
    bytes([number, size]) + wire.stream_of(turn)
    for number, wire in enumerate(WIRES)
    for size, turn in ((0, TURN), (7, SHORT_TURN))
)


def fuzz_one(data: bytes) -> None:
    """Read the bytes whole and in pieces.

    Raises:
        AssertionError: If the two differ, or the message is not well formed.
    """
    feed = Feed(data)
    wire = WIRES[feed.byte() % len(WIRES)]
    size = feed.byte() + 1
    stream = feed.rest()
    whole = events_of(wire, [stream])
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    parted = events_of(wire, pieces)
    assert parted[0] == whole[0]
    assert repr(parted[1]) == repr(whole[1])
    _assemble(whole[0])


def _assemble(events: list[ProviderEvent]) -> None:
    assembler = StreamAssembler(CallIds(CountingIds()))
    try:
        for event in events:
            assembler.add(event)
    except StreamBroken:
        # Only what goes on behind an end is refused here; the readers see to the rest.
        assert assembler.is_stopped
    calls = assembler.message().calls
    assert len({call.id for call in calls}) == len(calls)
    assert all(call.id and call.name for call in calls)
