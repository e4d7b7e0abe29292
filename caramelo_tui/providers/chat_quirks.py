"""Say how one endpoint's Chat Completions differ from OpenAI's own.

Owns the record of differences, and the endpoints' plain default. Which preset has which is the
presets' knowledge; what a difference does to a request is ``openai_wire``'s, to an answer
``openai_stream``'s. Pure. Proven by tests/unit/providers/test_openai_wire.py and
tests/unit/providers/test_openai_stream.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from caramelo_tui.domain.tool_calls import JsonValue

NO_EXTRAS: Mapping[str, JsonValue] = MappingProxyType({})
"""Nothing is added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQuirks:
    """The differences of one endpoint; the default suits most compatible servers."""

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Where the limit of the answer stands."""
    system_role: Literal["system", "developer"] = "system"
    """Role of the message that holds the system text."""
    sends_stream_options: bool = True
    """Whether ``stream_options.include_usage`` is sent. Where it is refused, usage is what the
    endpoint tells by itself."""
    asks_parallel_calls: bool = False
    """Whether ``parallel_tool_calls: true`` is sent, for servers that allow one call otherwise."""
    reasoning_fields: tuple[str, ...] = ("reasoning_content", "reasoning")
    """Fields of a delta that hold thinking; the first one that is there is read."""
    sends_reasoning_as: str = ""
    """Field of an assistant message in which thinking goes back; empty: it does not."""
    takes_images: bool = True
    """Whether user messages may hold ``image_url`` parts."""
    call_id_length: int = 0
    """Letters and digits, exactly, that ids of calls must have; 0: up to 40 characters."""
    call_extras: Mapping[str, JsonValue] = field(default_factory=lambda: NO_EXTRAS, hash=False)
    """Fields that each call gets when it is sent back."""


OPENAI_QUIRKS = ChatQuirks(max_tokens_field="max_completion_tokens")
"""OpenAI itself, whose reasoning models refuse the older ``max_tokens``."""
