"""Translate requests into the Messages API's form.

Owns the request body: system at top level, all results of a turn in one user message,
alternating roles, thinking sent back with its signatures, marks for the prompt cache. Pure
and without the SDK; the way back is ``anthropic_stream``. Proven by
tests/unit/providers/test_anthropic_wire.py and tests/contract/test_providers.py.

Sources, read 2026-11-30: platform.claude.com, "Messages", "Prompt caching", "Thinking",
"Versions" (API version 2026-10-21).
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TypedDict, assert_never

from caramelo_tui.domain.messages import (
    AssistantBlock,
    AssistantMessage,
    ImageAttachment,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolCall, ToolResult, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.catalog import facts_of
from caramelo_tui.providers.thinking_marks import is_of_responses
from caramelo_tui.providers.vendor_json import (
    JsonObject,
    encodable_text,
    sendable_arguments,
    sendable_text,
)

EMPTY_RESULT = "(empty)"
"""Stands for a result without text: an error result may not be empty."""

MARKED_USER_MESSAGES = 2
"""User messages at the end that get a cache mark; with system and tools that makes the four
marks that the API allows."""

_VALID_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NOT_COUNTED = frozenset({"stream", "max_tokens"})
"""Fields of a request that the counting endpoint refuses."""
_CACHE_MARK_TYPE = "ephemeral"


class WireMessage(TypedDict):
    """One message of a request."""

    role: str
    content: list[JsonObject]


def request_body(request: ProviderRequest, *, uses_cache: bool) -> JsonObject:
    """Return the body of ``POST /v1/messages``, which asks for a stream.

    Args:
        request: A valid request.
        uses_cache: Whether to set marks for the prompt cache.
    """
    system: list[JsonObject] = (
        [{"type": "text", "text": sendable_text(request.system)}] if request.system else []
    )
    tools = [wire_tool(tool) for tool in request.tools]
    messages = wire_messages(request.messages)
    if uses_cache:
        _mark_for_cache(system, tools, messages)
    body: JsonObject = {
        "model": request.model,
        "stream": True,
        "max_tokens": request.max_tokens,
        "messages": [{"role": each["role"], "content": [*each["content"]]} for each in messages],
    }
    if system:
        body["system"] = [*system]
    if tools:
        body["tools"] = [*tools]
    facts = facts_of(request.model)
    if request.able.reasoning and facts and facts.has_adaptive_thinking:
        # Without `display` these models send thinking blocks without text, and what they say
        # between two tool calls comes in such blocks.
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    return body


def count_body(request: ProviderRequest) -> JsonObject:
    """Return the body of ``POST /v1/messages/count_tokens`` for a request.

    Source, read 2026-11-30: platform.claude.com, "Token counting".
    """
    body = request_body(request, uses_cache=False)
    return {key: value for key, value in body.items() if key not in _NOT_COUNTED}


def wire_messages(messages: Sequence[Message]) -> list[WireMessage]:
    """Return the transcript with neighbours of one role merged and nothing empty in it."""
    merged: list[WireMessage] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        content = list(_wire_blocks(message))
        if not content:
            continue
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"].extend(content)
        else:
            merged.append({"role": role, "content": content})
    return merged


def wire_id(call_id: str) -> str:
    """Return a call id in the form that the API accepts; the same one for the same id.

    Ids of other vendors' calls stand in the transcript after the provider was changed.
    """
    if _VALID_ID.fullmatch(call_id):
        return call_id
    return "call_" + hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:24]


def _wire_blocks(message: Message) -> Iterator[JsonObject]:
    match message:
        case UserMessage():
            yield from map(_wire_image, message.images)
            yield from _wire_text(message.text)
        case ToolResultsMessage():
            yield from (_wire_result(result) for result in message.results)
        case AssistantMessage():
            for block in message.blocks:
                yield from _wire_assistant_block(block)
        case _:
            assert_never(message)


def _wire_assistant_block(block: AssistantBlock) -> Iterator[JsonObject]:
    match block:
        case TextBlock():
            yield from _wire_text(block.text)
        case ThinkingBlock():
            yield from _wire_thinking(block)
        case ToolCall():
            yield {
                "type": "tool_use",
                "id": wire_id(block.id),
                "name": sendable_text(block.name),
                "input": sendable_arguments(block.arguments_json),
            }
        case _:
            assert_never(block)


def _wire_image(image: ImageAttachment) -> JsonObject:
    data = base64.b64encode(image.data).decode("ascii")
    source: JsonObject = {"type": "base64", "media_type": image.media_type, "data": data}
    return {"type": "image", "source": source}


def _wire_text(text: str) -> Iterator[JsonObject]:
    sent = sendable_text(text)
    # The API refuses blocks of blank text.
    if sent.strip():
        yield {"type": "text", "text": sent}


def _wire_thinking(block: ThinkingBlock) -> Iterator[JsonObject]:
    if block.redacted_data is not None:
        yield {"type": "redacted_thinking", "data": block.redacted_data}
    elif block.signature and not is_of_responses(block.signature):
        yield {
            "type": "thinking",
            # Signed: it goes back as it came.
            "thinking": encodable_text(block.text),
            "signature": block.signature,
        }
    # Thinking without a signature (of another vendor, or broken off) would be refused.


def _wire_result(result: ToolResult) -> JsonObject:
    wire: JsonObject = {
        "type": "tool_result",
        "tool_use_id": wire_id(result.call_id),
        "content": sendable_text(result.text) or EMPTY_RESULT,
    }
    if result.is_error:
        wire["is_error"] = True
    return wire


def wire_tool(tool: ToolSpec) -> JsonObject:
    """Return a tool as a request offers it; its schema is sent unchanged."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.input_schema),
    }


def _mark_for_cache(
    system: list[JsonObject], tools: list[JsonObject], messages: list[WireMessage]
) -> None:
    """Mark the ends of what stays the same: tools, system, and the last user messages.

    The mark before the last one lets the next request read what this one wrote.
    """
    users = [message for message in messages if message["role"] == "user"]
    ends = [blocks[-1] for blocks in (tools, system) if blocks]
    ends += [message["content"][-1] for message in users[-MARKED_USER_MESSAGES:]]
    for block in ends:
        block["cache_control"] = {"type": _CACHE_MARK_TYPE}
