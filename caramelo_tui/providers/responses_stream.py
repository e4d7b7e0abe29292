"""Read the event stream of the Responses API.

Owns the meaning of its events: text, reasoning, function calls, usage, all endings, errors in
mid-stream. Pure and without the SDK; events and items that are not known are skipped, an unknown
reason for an unfinished answer is an error that names it. Proven by
tests/unit/providers/test_responses_stream.py and tests/contract/test_responses.py.

Source, read 2026-11-30: developers.openai.com, "Responses: streaming events"; the types of the
official SDK (openai 3.57.0).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import (
    BadRequest,
    ContextTooLong,
    ProviderError,
    StreamBroken,
    UnknownStopReason,
)
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
from caramelo_tui.providers.responses_wire import signature_of
from caramelo_tui.providers.sse import ServerEvent
from caramelo_tui.providers.vendor_json import (
    as_list,
    as_object,
    count_at,
    encodable_text,
    parse_object,
    text_at,
)

_ENDS = frozenset(
    {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}
)
_INCOMPLETE_REASONS = {
    "max_output_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.REFUSAL,
}
_PASSING_FAILURES = frozenset({"", "server_error", "rate_limit_exceeded", "vector_store_timeout"})
"""Codes of failures after which the same request may succeed."""
_TOO_LONG = "context_length_exceeded"


@dataclass(slots=True)
class _OpenItem:
    """An output item that has begun."""

    slot: int = -1
    """Of a call; -1 for what is none."""
    has_content: bool = False
    """Whether any of its text or arguments came in pieces."""


class ResponsesStreamReader:
    """Reads one answer."""

    def __init__(self, *, key: str, new_call_id: Callable[[], str]) -> None:
        self._key = key
        self._new_call_id = new_call_id
        self._items: dict[int, _OpenItem] = {}
        self._calls = 0
        self._has_refused = False
        self._is_thinking = False
        self._is_stopped = False

    @property
    def is_stopped(self) -> bool:
        """Whether the message has ended."""
        return self._is_stopped

    def feed(self, event: ServerEvent) -> Iterator[ProviderEvent]:
        """Yield what one event says.

        Raises:
            StreamBroken: If it is an error event or no JSON object.
            ProviderError: If the answer failed, or ended for a reason that is not known.
        """
        data = parse_object(event.data)
        if data is None:
            raise StreamBroken("The provider sent an event that is no JSON object.")
        kind = text_at(data, "type") or event.name
        if kind == "error" or (not kind and data.get("error")):
            broken = self._failure(data.get("error") or data)
            raise broken
        if kind.startswith("response.output_item."):
            yield from self._take_item(kind, data)
        elif kind in _ENDS:
            response = as_object(data.get("response"))
            status = text_at(response, "status") or kind.removeprefix("response.")
            yield from self._end(status, response)
        else:
            yield from self._take_piece(kind, data)

    def finish(self) -> Iterator[ProviderEvent]:
        """Take the regular end of the stream.

        Raises:
            StreamBroken: If the message has not ended.
        """
        if not self._is_stopped:
            raise StreamBroken("The answer ended before the model was done.")
        yield from ()

    def _take_piece(self, kind: str, data: Mapping[str, object]) -> Iterator[ProviderEvent]:
        piece = encodable_text(text_at(data, "delta"))
        match kind:
            case "response.output_text.delta":
                yield from self._text(data, piece)
            case "response.refusal.delta":
                self._has_refused = True
                yield from self._text(data, piece)
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                yield from self._think(piece)
            case "response.reasoning_summary_part.added":
                if count_at(data, "summary_index"):
                    yield from self._think("\n\n")
            case "response.function_call_arguments.delta":
                yield from self._arguments(data, piece)
            case "response.function_call_arguments.done":
                yield from self._whole_arguments(data, text_at(data, "arguments"))
            case _:
                return

    def _take_item(self, kind: str, data: Mapping[str, object]) -> Iterator[ProviderEvent]:
        item = as_object(data.get("item"))
        is_done = kind == "response.output_item.done"
        match text_at(item, "type"):
            case "function_call":
                yield from self._begin_call(data, item)
                if is_done:
                    yield from self._whole_arguments(data, text_at(item, "arguments"))
            case "reasoning" if is_done:
                self._is_thinking = False
                yield ThinkingEnded(signature=signature_of(item))
            case "message" if is_done and not self._item(data).has_content:
                yield from self._whole_message(data, item)
            case _:
                return

    def _text(self, data: Mapping[str, object], piece: str) -> Iterator[ProviderEvent]:
        if piece:
            self._item(data).has_content = True
            yield from self._end_thinking()
            yield TextDelta(text=piece)

    def _whole_message(
        self, data: Mapping[str, object], item: Mapping[str, object]
    ) -> Iterator[ProviderEvent]:
        """Yield the text of a message that came without pieces."""
        for each in as_list(item.get("content")):
            part = as_object(each)
            refusal = text_at(part, "refusal")
            self._has_refused = self._has_refused or bool(refusal)
            yield from self._text(data, encodable_text(text_at(part, "text") + refusal))

    def _think(self, piece: str) -> Iterator[ProviderEvent]:
        if piece:
            self._is_thinking = True
            yield ThinkingDelta(text=piece)

    def _end_thinking(self) -> Iterator[ProviderEvent]:
        if self._is_thinking:
            self._is_thinking = False
            yield ThinkingEnded()

    def _begin_call(
        self, data: Mapping[str, object], item: Mapping[str, object]
    ) -> Iterator[ProviderEvent]:
        opened = self._item(data)
        if opened.slot >= 0:
            return
        opened.slot = self._calls
        self._calls += 1
        yield from self._end_thinking()
        yield ToolCallBegan(
            slot=opened.slot,
            call_id=text_at(item, "call_id") or self._new_call_id(),
            name=name_of_call(item),
        )

    def _arguments(self, data: Mapping[str, object], piece: str) -> Iterator[ProviderEvent]:
        opened = self._item(data)
        if opened.slot < 0:
            raise StreamBroken("The provider sent arguments of a call that never began.")
        if piece:
            opened.has_content = True
            yield ToolArgumentsDelta(slot=opened.slot, fragment=piece)

    def _whole_arguments(self, data: Mapping[str, object], text: str) -> Iterator[ProviderEvent]:
        """Yield a call's arguments that came without pieces."""
        if not self._item(data).has_content:
            yield from self._arguments(data, encodable_text(text))

    def _item(self, data: Mapping[str, object]) -> _OpenItem:
        return self._items.setdefault(count_at(data, "output_index") or 0, _OpenItem())

    def _end(self, status: str, response: Mapping[str, object]) -> Iterator[ProviderEvent]:
        usage = as_object(response.get("usage"))
        if usage:
            yield UsageSeen(usage=_usage(usage))
        if status == "failed":
            broken = self._failure(response.get("error"))
            raise broken
        if status == "cancelled":
            raise StreamBroken("The provider broke off: the answer was cancelled there.")
        reason = StopReason.END_TURN
        if status == "incomplete":
            reason = _incomplete_reason(response)
        elif self._has_refused:
            reason = StopReason.REFUSAL
        elif self._calls:
            reason = StopReason.TOOL_USE
        yield from self._end_thinking()
        self._is_stopped = True
        yield StreamStopped(stop_reason=reason)

    def _failure(self, error: object) -> ProviderError:
        code = text_at(as_object(error), "code")
        broken = broken_off({"error": error}, key=self._key)
        if code in _PASSING_FAILURES:
            return broken
        return ContextTooLong(str(broken)) if code == _TOO_LONG else BadRequest(str(broken))


def _incomplete_reason(response: Mapping[str, object]) -> StopReason:
    named = text_at(as_object(response.get("incomplete_details")), "reason")
    reason = _INCOMPLETE_REASONS.get(named)
    if reason is None:
        msg = f"The model stopped for a reason that is not known here: {named!r}."
        raise UnknownStopReason(msg)
    return reason


def _usage(usage: Mapping[str, object]) -> Usage:
    details = as_object(usage.get("input_tokens_details"))
    read = count_at(details, "cached_tokens") or 0
    written = count_at(details, "cache_write_tokens") or 0
    asked = count_at(usage, "input_tokens") or 0
    # `input_tokens` counts all of the request, cached or not.
    return Usage(
        input_tokens=max(asked - read - written, 0),
        output_tokens=count_at(usage, "output_tokens") or 0,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )
