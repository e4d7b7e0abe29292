"""Hold the transcript's messages.

Owns the ordered values that are sent to a provider, in no vendor's form. Proven by
tests/unit/domain/test_messages.py.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from caramelo_tui.domain.tool_calls import ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAttachment:
    """An image that goes with a prompt."""

    name: str
    """How it is shown: a workspace-relative path, or what it was pasted as."""
    media_type: str
    """``image/png``, ``image/jpeg``, ``image/gif`` or ``image/webp``."""
    data: bytes = field(repr=False)
    """The file's bytes, unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the person wrote, or a note of the program in their place."""

    text: str
    is_note: bool = False
    """A note of the program (outside changes, mode switched), not the person's words."""
    images: tuple[ImageAttachment, ...] = ()
    """Images that go before the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """Text of the model."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingBlock:
    """Thinking of the model; sent back unchanged where the vendor wants it."""

    text: str
    signature: str | None = None
    """The vendor's proof; ``None`` where there is none."""
    redacted_data: str | None = None
    """Opaque content of a redacted block; ``text`` is empty then."""


AssistantBlock = TextBlock | ThinkingBlock | ToolCall
"""One part of an assistant message, in the order it came."""


class StopReason(StrEnum):
    """Why the model stopped, in the words of this program."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    PAUSE_TURN = "pause_turn"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """One answer of the model."""

    blocks: tuple[AssistantBlock, ...]
    stop_reason: StopReason | None
    """``None`` when the stream broke; such a message is marked incomplete and runs nothing."""
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        """All text blocks, joined."""
        return "".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolCall))

    @property
    def is_incomplete(self) -> bool:
        """Whether the stream ended before the model did."""
        return self.stop_reason is None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultsMessage:
    """The results of all calls of one assistant message, in its order."""

    results: tuple[ToolResult, ...]


Message = UserMessage | AssistantMessage | ToolResultsMessage
"""One entry of the transcript."""
