"""What a provider's stream yields, in no vendor's form.

Owns the closed union ``ProviderEvent``. Order within one stream: any number of deltas and
usages, then exactly one ``StreamStopped``; a stream that ends without it was broken.
Proven by tests/contract/.
"""

from dataclasses import dataclass

from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """More text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta:
    """More thinking."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingEnded:
    """A thinking block is complete."""

    signature: str | None = None
    redacted_data: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallBegan:
    """A tool call starts; its arguments follow by the same slot."""

    slot: int
    """Position of the call within the message, from 0, unique within the stream."""
    call_id: str
    """The vendor's id, or one made up by the wire; never empty."""
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolArgumentsDelta:
    """More of a call's argument text."""

    slot: int
    fragment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSeen:
    """The turn's usage so far; the last one counts."""

    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamStopped:
    """The model ended its message."""

    stop_reason: StopReason


ProviderEvent = (
    TextDelta
    | ThinkingDelta
    | ThinkingEnded
    | ToolCallBegan
    | ToolArgumentsDelta
    | UsageSeen
    | StreamStopped
)
"""Anything that a provider's stream yields."""
