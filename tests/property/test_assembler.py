"""However a stream is chunked and interleaved, the message is the same."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
)

STOP = StreamStopped(stop_reason=StopReason.TOOL_USE)


def fold(events: list[ProviderEvent]) -> AssistantMessage:
    assembler = StreamAssembler(CallIds(CountingIds()))
    for event in events:
        assembler.add(event)
    return assembler.message()


@st.composite
def pieces(draw: st.DrawFn, text: str) -> list[str]:
    """Cut a text anywhere, empty pieces included."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@given(
    data=st.data(), text=st.text(max_size=40), arguments=st.lists(st.text(max_size=20), max_size=4)
)
def test_chunking_and_interleaving_change_nothing(
    data: st.DataObject, text: str, arguments: list[str]
) -> None:
    begun: list[ProviderEvent] = [
        ToolCallBegan(slot=slot, call_id=f"c{slot}", name="glob") for slot in range(len(arguments))
    ]
    texts: list[ProviderEvent] = [TextDelta(text=piece) for piece in data.draw(pieces(text))]
    queues = [
        [ToolArgumentsDelta(slot=slot, fragment=piece) for piece in data.draw(pieces(argument))]
        for slot, argument in enumerate(arguments)
    ]
    mixed: list[ProviderEvent] = []
    while any(queues):
        index = data.draw(st.sampled_from([i for i, queue in enumerate(queues) if queue]))
        mixed.append(queues[index].pop(0))
    whole: list[ProviderEvent] = [
        ToolArgumentsDelta(slot=slot, fragment=argument) for slot, argument in enumerate(arguments)
    ]
    message = fold([*texts, *begun, *mixed, STOP])
    assert message == fold([TextDelta(text=text), *begun, *whole, STOP])
    assert message.text == text
    assert [call.arguments_json for call in message.calls] == arguments


@given(asked=st.lists(st.sampled_from(["", "a", "a-2", "a-3", "call-2", "b"]), max_size=30))
def test_call_ids_never_repeat(asked: list[str]) -> None:
    ids = CallIds(CountingIds())
    given_out = [ids.claim(name) for name in asked]
    assert all(given_out)
    assert len(set(given_out)) == len(given_out)
    firsts = {name: asked.index(name) for name in asked if name}
    assert all(
        given_out[index] == name or name in given_out[:index] for name, index in firsts.items()
    )
