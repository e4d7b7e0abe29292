"""Read the Messages API's event stream.

Owns the meaning of its events: blocks by index, usage, stop reasons, error events. Pure and
without the SDK; what it does not know is skipped, except a stop reason, which is an error
that names it. Proven by tests/unit/providers/test_anthropic_stream.py and
tests/property/test_streams.py.

Source, read 2026-11-30: platform.claude.com, "Streaming messages" and "Handling stop
reasons" (API version 2026-10-21).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import StreamBroken, UnknownStopReason
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.call_names import name_of_call
from caramelo_tui.providers.error_mapping import broken_off
from caramelo_tui.providers.sse import ServerEvent
from caramelo_tui.providers.vendor_json import (
    as_object,
    count_at,
    encodable_text,
    parse_object,
    text_at,
)

_STOP_REASONS = {
    "end_turn": StopReason.END_TURN,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "pause_turn": StopReason.PAUSE_TURN,
    "refusal": StopReason.REFUSAL,
}


@dataclass(slots=True)
class _OpenBlock:
    """A content block that has not ended yet."""

    kind: str
    slot: int = -1
    signature: str = ""
    redacted_data: str = ""
    whole_input: str = ""
    """Arguments that came with the block's start; used if no fragment follows."""


class AnthropicStreamReader:
    """Reads one answer."""

    def __init__(self, *, key: str, new_call_id: Callable[[], str]) -> None:
        self._key = key
        self._new_call_id = new_call_id
        self._blocks: dict[int, _OpenBlock] = {}
        self._calls = 0
        self._usage = Usage()
        self._stop_reason = ""
        self._is_stopped = False

    @property
    def is_stopped(self) -> bool:
        """Whether the message has ended."""
        return self._is_stopped

    def feed(self, event: ServerEvent) -> Iterator[ProviderEvent]:
        """Yield what one event says.

        Raises:
            StreamBroken: If it is an error event or no JSON object.
            UnknownStopReason: If the message ends for a reason that is not known.
        """
        data = parse_object(event.data)
        if data is None:
            raise StreamBroken("The provider sent an event that is no JSON object.")
        # The event's own type is taken where there is one; some servers leave the `event:`
        # line out, the type inside is always there.
        kind = text_at(data, "type") or event.name
        index = count_at(data, "index") or 0
        match kind:
            case "error":
                broken = broken_off(data, key=self._key)
                raise broken
            case "message_start":
                yield from self._count(as_object(as_object(data.get("message")).get("usage")))
            case "content_block_start":
                yield from self._start_block(index, as_object(data.get("content_block")))
            case "content_block_delta":
                yield from self._add_to_block(index, as_object(data.get("delta")))
            case "content_block_stop":
                yield from self._end_block(index)
            case "message_delta":
                reason = text_at(as_object(data.get("delta")), "stop_reason")
                self._stop_reason = reason or self._stop_reason
                yield from self._count(as_object(data.get("usage")))
            case "message_stop":
                yield self._stop()
            case _:
                return

    def finish(self) -> Iterator[ProviderEvent]:
        """Take the regular end of the stream.

        Raises:
            StreamBroken: If the message has not ended.
        """
        if not self._is_stopped:
            raise StreamBroken("The answer ended before the model was done.")
        yield from ()

    def _start_block(self, index: int, block: Mapping[str, object]) -> Iterator[ProviderEvent]:
        opened = _OpenBlock(kind=text_at(block, "type"))
        self._blocks[index] = opened
        match opened.kind:
            case "text":
                yield from _text(text_at(block, "text"))
            case "thinking":
                opened.signature = text_at(block, "signature")
                yield from _thinking(text_at(block, "thinking"))
            case "redacted_thinking":
                opened.redacted_data = text_at(block, "data")
            case "tool_use":
                opened.slot = self._calls
                self._calls += 1
                whole_input = as_object(block.get("input"))
                opened.whole_input = json.dumps(whole_input) if whole_input else ""
                call_id = text_at(block, "id") or self._new_call_id()
                yield ToolCallBegan(slot=opened.slot, call_id=call_id, name=name_of_call(block))
            case _:
                return

    def _add_to_block(self, index: int, delta: Mapping[str, object]) -> Iterator[ProviderEvent]:
        block = self._blocks.get(index)
        if block is None:
            raise StreamBroken("The provider sent a piece of a block that never began.")
        match text_at(delta, "type"):
            case "text_delta":
                yield from _text(text_at(delta, "text"))
            case "thinking_delta":
                yield from _thinking(text_at(delta, "thinking"))
            case "signature_delta":
                block.signature += text_at(delta, "signature")
            case "input_json_delta" if block.slot >= 0:
                fragment = text_at(delta, "partial_json")
                if fragment:
                    block.whole_input = ""
                    yield ToolArgumentsDelta(slot=block.slot, fragment=fragment)
            case _:
                return

    def _end_block(self, index: int) -> Iterator[ProviderEvent]:
        block = self._blocks.pop(index, None)
        if block is None:
            return
        if block.kind == "thinking":
            yield ThinkingEnded(signature=block.signature or None)
        elif block.kind == "redacted_thinking":
            yield ThinkingEnded(redacted_data=block.redacted_data)
        elif block.whole_input:
            yield ToolArgumentsDelta(slot=block.slot, fragment=block.whole_input)

    def _count(self, usage: Mapping[str, object]) -> Iterator[ProviderEvent]:
        """Take counts; those that an event leaves out stay as they were."""
        if not usage:
            return
        seen = self._usage
        self._usage = Usage(
            input_tokens=_or(count_at(usage, "input_tokens"), seen.input_tokens),
            output_tokens=_or(count_at(usage, "output_tokens"), seen.output_tokens),
            cache_read_tokens=_or(
                count_at(usage, "cache_read_input_tokens"), seen.cache_read_tokens
            ),
            cache_write_tokens=_or(
                count_at(usage, "cache_creation_input_tokens"), seen.cache_write_tokens
            ),
        )
        yield UsageSeen(usage=self._usage)

    def _stop(self) -> StreamStopped:
        reason = _STOP_REASONS.get(self._stop_reason)
        if reason is None:
            said = f"{self._stop_reason!r}" if self._stop_reason else "no reason"
            msg = f"The model stopped for a reason that is not known here: {said}."
            raise UnknownStopReason(msg)
        self._is_stopped = True
        return StreamStopped(stop_reason=reason)


def _text(text: str) -> Iterator[ProviderEvent]:
    if text:
        yield TextDelta(text=encodable_text(text))


def _thinking(text: str) -> Iterator[ProviderEvent]:
    if text:
        yield ThinkingDelta(text=encodable_text(text))


def _or(count: int | None, before: int) -> int:
    return before if count is None else count
