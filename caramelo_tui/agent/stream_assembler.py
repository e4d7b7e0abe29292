"""Fold a provider's stream into one assistant message.

Owns the order of blocks, the argument text of each call and the uniqueness of call ids. It
parses no arguments, emits nothing and does no I/O: the same events give the same message,
however they were chunked. Proven by tests/unit/agent/test_stream_assembler.py and
tests/property/test_assembler.py.
"""

from dataclasses import dataclass, field
from io import StringIO
from typing import assert_never

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.ids import CallId, IdSource
from caramelo_tui.domain.messages import (
    AssistantBlock,
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
)
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
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.domain.usage import Usage


class CallIds:
    """Give each call of a session an id of its own.

    Vendors and servers repeat ids, or leave them out; the transcript needs them unique.
    """

    def __init__(self, ids: IdSource) -> None:
        self._ids = ids
        self._taken: set[str] = set()

    def claim(self, asked: str) -> CallId:
        """Return ``asked`` when it is free, else a variant of it; a new id for an empty one."""
        name = asked or self._ids.new("call")
        count = 1
        while name in self._taken:
            count += 1
            name = f"{asked or 'call'}-{count}"
        self._taken.add(name)
        return CallId(name)


@dataclass(slots=True)
class _Text:
    # A piece as a string of its own would take four times the room of its few letters.
    written: StringIO = field(default_factory=StringIO)

    def block(self) -> TextBlock | None:
        text = self.written.getvalue()
        return TextBlock(text=text) if text else None


@dataclass(slots=True)
class _Thinking:
    pieces: list[str] = field(default_factory=list[str])
    signature: str | None = None
    redacted_data: str | None = None
    is_ended: bool = False

    def block(self) -> ThinkingBlock | None:
        text = "".join(self.pieces)
        if not (text or self.signature or self.redacted_data):
            return None
        return ThinkingBlock(text=text, signature=self.signature, redacted_data=self.redacted_data)


@dataclass(slots=True)
class _Call:
    id: CallId
    name: str
    pieces: list[str] = field(default_factory=list[str])

    def block(self) -> ToolCall:
        return ToolCall(id=self.id, name=self.name, arguments_json="".join(self.pieces))


class StreamAssembler:
    """One message while it comes."""

    def __init__(self, call_ids: CallIds) -> None:
        self._call_ids = call_ids
        self._parts: list[_Text | _Thinking | _Call] = []
        self._calls: dict[int, _Call] = {}
        self._usage = Usage()
        self._stop_reason: StopReason | None = None

    @property
    def has_content(self) -> bool:
        """Whether anything came that a second request would repeat."""
        return bool(self._parts)

    @property
    def is_stopped(self) -> bool:
        """Whether the model ended its message."""
        return self._stop_reason is not None

    def add(self, event: ProviderEvent) -> None:
        """Take the next event.

        Raises:
            StreamBroken: If the event does not fit what came before (arguments of a call
                that never began, content after the stop); what came before stays usable.
        """
        if self.is_stopped and not isinstance(event, UsageSeen):
            raise StreamBroken("The stream went on after the model had stopped.")
        match event:
            case TextDelta():
                self._open_text().written.write(event.text)
            case ThinkingDelta():
                self._open_thinking().pieces.append(event.text)
            case ThinkingEnded():
                self._end_thinking(event)
            case ToolCallBegan():
                self._begin_call(event)
            case ToolArgumentsDelta():
                self._call_at(event.slot).pieces.append(event.fragment)
            case UsageSeen():
                self._usage = event.usage
            case StreamStopped():
                self._stop_reason = event.stop_reason
            case _:
                assert_never(event)

    def call_at(self, slot: int) -> tuple[CallId, str]:
        """Return the id and tool name of the call at a slot, for progress events.

        Raises:
            StreamBroken: If no call began there.
        """
        call = self._call_at(slot)
        return call.id, call.name

    def message(self) -> AssistantMessage:
        """Return what came so far; incomplete until the model stopped."""
        blocks = [block for part in self._parts if (block := part.block()) is not None]
        kept: tuple[AssistantBlock, ...] = tuple(blocks)
        return AssistantMessage(blocks=kept, stop_reason=self._stop_reason, usage=self._usage)

    def _open_text(self) -> _Text:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Text):
            return last
        text = _Text()
        self._parts.append(text)
        return text

    def _open_thinking(self) -> _Thinking:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Thinking) and not last.is_ended:
            return last
        thinking = _Thinking()
        self._parts.append(thinking)
        return thinking

    def _end_thinking(self, event: ThinkingEnded) -> None:
        thinking = self._open_thinking()
        thinking.signature = event.signature
        thinking.redacted_data = event.redacted_data
        thinking.is_ended = True

    def _begin_call(self, event: ToolCallBegan) -> None:
        if event.slot in self._calls:
            msg = f"The stream began two tool calls in slot {event.slot}."
            raise StreamBroken(msg)
        call = _Call(id=self._call_ids.claim(event.call_id), name=event.name)
        self._calls[event.slot] = call
        self._parts.append(call)

    def _call_at(self, slot: int) -> _Call:
        call = self._calls.get(slot)
        if call is None:
            raise StreamBroken("The stream carried arguments of a tool call that never began.")
        return call
