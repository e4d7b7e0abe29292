"""Translate requests into the Chat Completions form.

Owns the request body for OpenAI and compatible endpoints. Pure and without the SDK; the way
back is ``openai_stream``. Proven by tests/unit/providers/test_openai_wire.py and
tests/contract/test_providers.py.

Source, read 2026-11-30: developers.openai.com, "Chat Completions: create".
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    Message,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import JsonValue, ToolCall, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.catalog import facts_of
from caramelo_tui.providers.chat_quirks import ChatQuirks
from caramelo_tui.providers.left_out import image_left_out
from caramelo_tui.providers.vendor_json import JsonObject, sendable_arguments, sendable_text

LONGEST_ID = 40
"""Characters that OpenAI takes as the id of a call."""


def request_body(request: ProviderRequest, *, quirks: ChatQuirks) -> JsonObject:
    """Return the body of ``POST /chat/completions``, which asks for a stream.

    Args:
        request: A valid request.
        quirks: How the endpoint differs.
    """
    system: list[JsonObject] = (
        [{"role": quirks.system_role, "content": sendable_text(request.system)}]
        if request.system
        else []
    )
    body: JsonObject = {
        "model": request.model,
        "stream": True,
        "messages": [*system, *wire_messages(request.messages, quirks)],
        quirks.max_tokens_field: request.max_tokens,
    }
    if quirks.sends_stream_options:
        body["stream_options"] = {"include_usage": True}
    if request.tools:
        body["tools"] = [wire_tool(tool) for tool in request.tools]
        if quirks.asks_parallel_calls:
            body["parallel_tool_calls"] = True
        facts = facts_of(request.model)
        if facts and facts.refuses_reasoning_with_tools:
            body["reasoning_effort"] = "none"
    return body


def wire_messages(messages: Sequence[Message], quirks: ChatQuirks) -> list[JsonObject]:
    """Return the transcript; user messages in a row become one, nothing is empty."""
    wire: list[JsonObject] = []
    for message in messages:
        for each in _wire_message(message, quirks):
            before = wire[-1] if wire else {}
            if each["role"] == "user" == before.get("role"):
                before["content"] = _joined(before["content"], each["content"])
            else:
                wire.append(each)
    return wire


def wire_id(call_id: str, length: int = 0) -> str:
    """Return a call id that the endpoint takes; the same one for the same id.

    Args:
        call_id: As the transcript has it.
        length: Letters and digits, exactly, that it must have; 0: up to ``LONGEST_ID``.
    """
    if length:
        is_taken = len(call_id) == length and call_id.isascii() and call_id.isalnum()
        return call_id if is_taken else _hash_of(call_id)[:length]
    if call_id.isprintable() and len(call_id) <= LONGEST_ID:
        return call_id
    return "call_" + _hash_of(call_id)[:24]


def _hash_of(call_id: str) -> str:
    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()


def _wire_message(message: Message, quirks: ChatQuirks) -> Iterator[JsonObject]:
    match message:
        case UserMessage():
            content = _user_content(message, quirks)
            if content:
                yield {"role": "user", "content": content}
        case ToolResultsMessage():
            for result in message.results:
                yield {
                    "role": "tool",
                    "tool_call_id": wire_id(result.call_id, quirks.call_id_length),
                    "content": sendable_text(result.text),
                }
        case AssistantMessage():
            yield from _wire_assistant(message, quirks)
        case _:
            assert_never(message)


def _user_content(message: UserMessage, quirks: ChatQuirks) -> JsonValue:
    """Return a text, or parts where there are images; an empty text for nothing."""
    text = sendable_text(message.text)
    if message.images and not quirks.takes_images:
        text = "\n\n".join([*map(image_left_out, message.images), text])
    text = text if text.strip() else ""
    if not message.images or not quirks.takes_images:
        return text
    return [*map(_wire_image, message.images), *_parts_of(text)]


def _wire_image(image: ImageAttachment) -> JsonObject:
    data = base64.b64encode(image.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}


def _joined(before: JsonValue, after: JsonValue) -> JsonValue:
    if isinstance(before, str) and isinstance(after, str):
        return f"{before}\n\n{after}"
    return [*_parts_of(before), *_parts_of(after)]


def _parts_of(content: JsonValue) -> list[JsonValue]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []


def _wire_assistant(message: AssistantMessage, quirks: ChatQuirks) -> Iterator[JsonObject]:
    text = sendable_text(message.text)
    calls = [_wire_call(call, quirks) for call in message.calls]
    wire: JsonObject = {"role": "assistant", "content": text}
    if calls:
        wire.update(content=text or None, tool_calls=[*calls])
    elif not text.strip():
        return
    thinking = _thinking_of(message) if quirks.sends_reasoning_as else ""
    if thinking:
        wire[quirks.sends_reasoning_as] = thinking
    yield wire


def _thinking_of(message: AssistantMessage) -> str:
    return sendable_text(
        "".join(block.text for block in message.blocks if isinstance(block, ThinkingBlock))
    )


def _wire_call(call: ToolCall, quirks: ChatQuirks) -> JsonObject:
    # Servers that parse the text refuse what is no JSON object, so it is made one.
    arguments = json.dumps(sendable_arguments(call.arguments_json), ensure_ascii=False)
    return {
        "id": wire_id(call.id, quirks.call_id_length),
        "type": "function",
        "function": {"name": sendable_text(call.name), "arguments": arguments},
        **quirks.call_extras,
    }


def wire_tool(tool: ToolSpec) -> JsonObject:
    """Return a tool as a request offers it; its schema is sent unchanged."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.input_schema),
        },
    }
