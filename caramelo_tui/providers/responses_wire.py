"""Translate requests into the form of the Responses API.

Owns the request body, and how a reasoning item is kept in the transcript until it goes back.
Nothing is stored at the vendor: each request carries the whole conversation, reasoning encrypted.
Pure and without the SDK; the way back is ``responses_stream``. Proven by
tests/unit/providers/test_responses_wire.py and tests/contract/test_responses.py.

Source, read 2026-11-30: developers.openai.com, "Responses: create" and "Reasoning models: keeping
reasoning items in context"; the types of the official SDK (openai 3.57.0).
"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolCall, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.catalog import facts_of
from caramelo_tui.providers.openai_wire import wire_id
from caramelo_tui.providers.thinking_marks import RESPONSES_MARK, is_of_responses
from caramelo_tui.providers.vendor_json import (
    JsonObject,
    as_list,
    as_object,
    encodable_text,
    parse_object,
    sendable_arguments,
    sendable_text,
    text_at,
)

ENCRYPTED_REASONING = "reasoning.encrypted_content"
"""Asked for with each request: without a stored answer, reasoning goes back in this form only."""

_WITHOUT_REASONING = ("gpt-4", "gpt-3.5", "chatgpt-4o")
"""Starts of the names of models that refuse to be asked for reasoning."""


def request_body(request: ProviderRequest) -> JsonObject:
    """Return the body of ``POST /responses``, which asks for a stream.

    Args:
        request: A valid request.
    """
    body: JsonObject = {
        "model": request.model,
        "stream": True,
        "store": False,
        "input": [*wire_items(request.messages)],
        "max_output_tokens": request.max_tokens,
    }
    if request.system:
        body["instructions"] = sendable_text(request.system)
    if request.tools:
        body["tools"] = [wire_tool(tool) for tool in request.tools]
    if request.able.reasoning and _reasons(request.model):
        body["include"] = [ENCRYPTED_REASONING]
        body["reasoning"] = {"summary": "auto"}
    return body


def count_body(request: ProviderRequest) -> JsonObject:
    """Return the body of ``POST /responses/input_tokens``, which counts a request."""
    counted = ("model", "input", "instructions", "tools", "reasoning")
    return {key: value for key, value in request_body(request).items() if key in counted}


def wire_items(messages: Sequence[Message]) -> list[JsonObject]:
    """Return the transcript as items; more messages only add items at the end."""
    return [item for message in messages for item in _items_of(message)]


def wire_tool(tool: ToolSpec) -> JsonObject:
    """Return a tool as a request offers it; its schema is sent unchanged."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.input_schema),
        # Strict schemas must name every property as required; ours have optional ones.
        "strict": False,
    }


def signature_of(item: Mapping[str, object]) -> str | None:
    """Return what is kept of a reasoning item; ``None`` when it cannot go back.

    Args:
        item: The finished item as it came.
    """
    encrypted = text_at(item, "encrypted_content")
    if not encrypted:
        return None
    summary = [text_at(as_object(part), "text") for part in as_list(item.get("summary"))]
    kept = {"id": text_at(item, "id"), "encrypted_content": encrypted, "summary": summary}
    # What follows the mark is ours alone to read.
    return RESPONSES_MARK + json.dumps(kept, ensure_ascii=True)


def _reasons(model: str) -> bool:
    facts = facts_of(model)
    if facts is not None and facts.reasoning is not None:
        return facts.reasoning
    return not model.startswith(_WITHOUT_REASONING)


def _items_of(message: Message) -> Iterator[JsonObject]:
    match message:
        case UserMessage():
            yield from _user_item(message)
        case ToolResultsMessage():
            for result in message.results:
                yield {
                    "type": "function_call_output",
                    "call_id": wire_id(result.call_id),
                    "output": sendable_text(result.text),
                }
        case AssistantMessage():
            yield from _assistant_items(message)
        case _:
            assert_never(message)


def _user_item(message: UserMessage) -> Iterator[JsonObject]:
    parts = [_image_part(image) for image in message.images]
    text = sendable_text(message.text)
    if text.strip():
        parts.append({"type": "input_text", "text": text})
    if parts:
        yield {"type": "message", "role": "user", "content": [*parts]}


def _image_part(image: ImageAttachment) -> JsonObject:
    data = base64.b64encode(image.data).decode("ascii")
    address = f"data:{image.media_type};base64,{data}"
    return {"type": "input_image", "detail": "auto", "image_url": address}


def _assistant_items(message: AssistantMessage) -> Iterator[JsonObject]:
    # The API refuses a reasoning item without the item that it led to, so it waits for that one.
    waiting: list[JsonObject] = []
    for block in message.blocks:
        match block:
            case ThinkingBlock():
                waiting.extend(_reasoning_item(block))
                continue
            case TextBlock():
                item = _text_item(block)
            case ToolCall():
                item = _call_item(block)
            case _:
                assert_never(block)
        if item is not None:
            yield from waiting
            waiting = []
            yield item


def _text_item(block: TextBlock) -> JsonObject | None:
    text = sendable_text(block.text)
    if not text.strip():
        return None
    part: JsonObject = {"type": "output_text", "text": text}
    return {"type": "message", "role": "assistant", "content": [part]}


def _call_item(call: ToolCall) -> JsonObject:
    arguments = json.dumps(sendable_arguments(call.arguments_json), ensure_ascii=False)
    return {
        "type": "function_call",
        "call_id": wire_id(call.id),
        "name": sendable_text(call.name),
        "arguments": arguments,
    }


def _reasoning_item(block: ThinkingBlock) -> Iterator[JsonObject]:
    signature = block.signature or ""
    # Thinking of another vendor, or without its encrypted form, has no place here.
    kept = parse_object(signature.removeprefix(RESPONSES_MARK))
    if not is_of_responses(signature) or kept is None:
        return
    texts = [encodable_text(part) for part in as_list(kept.get("summary")) if isinstance(part, str)]
    yield {
        "type": "reasoning",
        "id": text_at(kept, "id"),
        "summary": [{"type": "summary_text", "text": text} for text in texts],
        "encrypted_content": text_at(kept, "encrypted_content"),
    }
