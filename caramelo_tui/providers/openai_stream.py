"""Read the Chat Completions event stream.

Owns the meaning of its chunks: text, reasoning, tool calls, usage, finish reasons, errors in
mid-stream. Pure and without the SDK; unknown fields are skipped, an unknown finish reason is
an error that names it. Proven by tests/unit/providers/test_openai_stream.py and
tests/property/test_streams.py.

Source, read 2026-11-30: developers.openai.com, "Chat Completions: streaming events".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from caramelo_tui.domain.errors import StreamBroken, UnknownStopReason
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.chat_quirks import ChatQuirks
from caramelo_tui.providers.error_mapping import broken_off
from caramelo_tui.providers.openai_slots import ToolCallSlots
from caramelo_tui.providers.sse import ServerEvent
from caramelo_tui.providers.vendor_json import (
    as_list,
    as_object,
    count_at,
    encodable_text,
    parse_object,
    text_at,
)

END_MARK = "[DONE]"
"""Data of the last event; many compatible servers leave it out."""

_FINISH_REASONS = {
    "stop": StopReason.END_TURN,
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "length": StopReason.MAX_TOKENS,
    # Mistral, when the context window is full.
    "model_length": StopReason.MAX_TOKENS,
    "content_filter": StopReason.REFUSAL,
    # Servers that pass on their model's own words, and gateways those of Anthropic.
    "eos": StopReason.END_TURN,
    "end_turn": StopReason.END_TURN,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
}
"""By their names in lower case: some servers write them in capitals."""
_FAILURES = frozenset({"error", "insufficient_system_resource"})
"""Finish reasons of OpenRouter, Mistral and DeepSeek that say that the answer broke off."""


class OpenAIStreamReader:
    """Reads one answer."""

    def __init__(
        self,
        *,
        key: str,
        new_call_id: Callable[[], str],
        reasoning_fields: Sequence[str] = ChatQuirks().reasoning_fields,
    ) -> None:
        """Start at the beginning of an answer.

        Args:
            key: The key in use; kept out of messages.
            new_call_id: Makes ids for calls that come without one.
            reasoning_fields: Fields that hold thinking; the first one that is there is read.
        """
        self._key = key
        self._reasoning_fields = reasoning_fields
        self._slots = ToolCallSlots(new_call_id)
        self._finish_reason = ""
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
            StreamBroken: If it is an error event or no JSON object, or the stream's end mark
                came before a finish reason.
            UnknownStopReason: If the message ended for a reason that is not known.
        """
        if event.data.strip() == END_MARK:
            yield from self.finish()
            return
        data = parse_object(event.data)
        if data is None:
            raise StreamBroken("The provider sent an event that is no JSON object.")
        if data.get("error"):
            broken = broken_off(data, key=self._key)
            raise broken
        for choice in as_list(data.get("choices")):
            # Only one answer is ever asked for; further ones are not ours.
            if not count_at(as_object(choice), "index"):
                yield from self._take(as_object(choice))
        usage = as_object(data.get("usage"))
        if usage:
            yield UsageSeen(usage=_usage(usage))

    def finish(self) -> Iterator[ProviderEvent]:
        """Take the regular end of the stream; calls that still wait are given out first.

        The end of the message waits for it, since the usage comes after the finish reason.

        Raises:
            StreamBroken: If no finish reason came, or one that stands for a failure.
            UnknownStopReason: If the finish reason is not known.
        """
        if self._is_stopped:
            return
        if not self._finish_reason:
            raise StreamBroken("The answer ended before the model was done.")
        if self._finish_reason.lower() in _FAILURES:
            raise StreamBroken("The provider broke off the answer.")
        reason = _FINISH_REASONS.get(self._finish_reason.lower())
        if reason is None:
            msg = f"The model stopped for a reason that is not known here: {self._finish_reason!r}."
            raise UnknownStopReason(msg)
        yield from self._end_thinking()
        yield from self._slots.flush()
        self._is_stopped = True
        yield StreamStopped(stop_reason=self._stop_reason(reason))

    def _take(self, choice: Mapping[str, object]) -> Iterator[ProviderEvent]:
        # A server that does not stream sends the message itself, once.
        delta = as_object(choice.get("delta", choice.get("message")))
        thoughts, said = _content_of(delta.get("content"))
        # Servers name it one way or the other; those that send both repeat the content.
        fields = (text_at(delta, name) for name in self._reasoning_fields)
        thinking = next(filter(None, fields), "") + thoughts
        if thinking:
            self._is_thinking = True
            yield ThinkingDelta(text=encodable_text(thinking))
        refusal = text_at(delta, "refusal")
        self._has_refused = self._has_refused or bool(refusal)
        text = said + refusal
        calls = _calls_in(delta)
        if text or calls:
            yield from self._end_thinking()
        if text:
            yield TextDelta(text=encodable_text(text))
        for call in calls:
            yield from self._slots.add(as_object(call))
        self._finish_reason = text_at(choice, "finish_reason") or self._finish_reason

    def _end_thinking(self) -> Iterator[ProviderEvent]:
        if self._is_thinking:
            self._is_thinking = False
            yield ThinkingEnded()

    def _stop_reason(self, reason: StopReason) -> StopReason:
        if reason is not StopReason.END_TURN:
            return reason
        if self._has_refused:
            return StopReason.REFUSAL
        # Several servers say `stop` after tool calls too.
        return reason if self._slots.is_empty else StopReason.TOOL_USE


def _calls_in(delta: Mapping[str, object]) -> Sequence[object]:
    """Return the fragments of calls, the one of the older form included."""
    older = as_object(delta.get("function_call"))
    calls = as_list(delta.get("tool_calls"))
    return [*calls, {"index": 0, "function": older}] if older else calls


def _content_of(content: object) -> tuple[str, str]:
    """Return the thinking and the text of a delta's content: a text, or parts of both kinds.

    Mistral's reasoning models send parts. Source, read 2026-11-30: docs.mistral.ai, "Reasoning".
    """
    if isinstance(content, str):
        return "", content
    parts = [as_object(part) for part in as_list(content)]
    inner = [as_object(each) for part in parts for each in as_list(part.get("thinking"))]
    return (
        "".join(text_at(each, "text") for each in inner),
        "".join(text_at(part, "text") for part in parts if part.get("type") == "text"),
    )


def _usage(usage: Mapping[str, object]) -> Usage:
    details = as_object(usage.get("prompt_tokens_details"))
    # DeepSeek counts them beside the details.
    read = count_at(details, "cached_tokens") or count_at(usage, "prompt_cache_hit_tokens") or 0
    written = count_at(details, "cache_write_tokens") or 0
    asked = count_at(usage, "prompt_tokens") or 0
    # `prompt_tokens` counts all of the request, cached or not.
    return Usage(
        input_tokens=max(asked - read - written, 0),
        output_tokens=count_at(usage, "completion_tokens") or 0,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )
