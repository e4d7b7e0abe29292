"""Translate requests into the Chat Completions form.

Owns the request body for OpenAI and compatible endpoints. Pure and without the SDK; the way
back is ``openai_stream``. Proven by tests/unit/providers/test_openai_wire.py and
tests/contract/test_providers.py.

Source, read 2026-11-30: developers.openai.com, "Chat Completions: create".
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolCall, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.catalog import facts_of
from caramelo_tui.providers.vendor_json import JsonObject, sendable_arguments, sendable_text

LONGEST_ID = 40
"""Characters that OpenAI takes as the id of a call."""


def request_body(request: ProviderRequest, *, max_tokens_field: str) -> JsonObject:
    """Return the body of ``POST /chat/completions``, which asks for a stream.

    Args:
        request: A valid request.
        max_tokens_field: ``max_completion_tokens`` for OpenAI itself, whose reasoning models
            refuse the older ``max_tokens``; that one for the rest of the world.
    """
    system: list[JsonObject] = (
        [{"role": "system", "content": sendable_text(request.system)}] if request.system else []
    )
    body: JsonObject = {
        "model": request.model,
        "stream": True,
        "messages": [*system, *wire_messages(request.messages)],
        max_tokens_field: request.max_tokens,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [wire_tool(tool) for tool in request.tools]
        facts = facts_of(request.model)
        if facts and facts.refuses_reasoning_with_tools:
            body["reasoning_effort"] = "none"
    return body


def wire_messages(messages: Sequence[Message]) -> list[JsonObject]:
    """Return the transcript; user texts in a row become one message, nothing is empty."""
    wire: list[JsonObject] = []
    for message in messages:
        for each in _wire_message(message):
            text = each["content"]
            before = wire[-1] if wire else {}
            if each["role"] == "user" == before.get("role"):
                before["content"] = f"{before['content']}\n\n{text}"
            else:
                wire.append(each)
    return wire


def wire_id(call_id: str) -> str:
    """Return a call id that is short enough; the same one for the same id."""
    if call_id.isprintable() and len(call_id) <= LONGEST_ID:
        return call_id
    return "call_" + hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:24]


def _wire_message(message: Message) -> Iterator[JsonObject]:
    match message:
        case UserMessage():
            text = sendable_text(message.text)
            if text.strip():
                yield {"role": "user", "content": text}
        case ToolResultsMessage():
            for result in message.results:
                yield {
                    "role": "tool",
                    "tool_call_id": wire_id(result.call_id),
                    "content": sendable_text(result.text),
                }
        case AssistantMessage():
            yield from _wire_assistant(message)
        case _:
            assert_never(message)


def _wire_assistant(message: AssistantMessage) -> Iterator[JsonObject]:
    # Thinking is not sent back: this form of the API has no field for it.
    text = sendable_text(message.text)
    calls = [_wire_call(call) for call in message.calls]
    if calls:
        yield {"role": "assistant", "content": text or None, "tool_calls": [*calls]}
    elif text.strip():
        yield {"role": "assistant", "content": text}


def _wire_call(call: ToolCall) -> JsonObject:
    # Servers that parse the text refuse what is no JSON object, so it is made one.
    arguments = json.dumps(sendable_arguments(call.arguments_json), ensure_ascii=False)
    return {
        "id": wire_id(call.id),
        "type": "function",
        "function": {"name": sendable_text(call.name), "arguments": arguments},
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
