"""Write scripted turns as the vendors' event streams.

Owns the bytes of an answer, as platform.claude.com ("Streaming messages") and
developers.openai.com ("Chat Completions: streaming events") document them, read 2026-11-30.
"""

import json
from collections.abc import Iterator, Mapping

from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from caramelo_tui.providers.scripted import text_pieces

Event = Mapping[str, object]

INPUT_TOKENS = 11
OUTPUT_TOKENS = 7
CACHE_READ_TOKENS = 5
CACHE_WRITE_TOKENS = 3
SIGNATURE = "c2lnbmF0dXJl"

_OPENAI_FINISH = {
    StopReason.END_TURN: "stop",
    StopReason.TOOL_USE: "tool_calls",
    StopReason.MAX_TOKENS: "length",
    StopReason.REFUSAL: "content_filter",
    StopReason.STOP_SEQUENCE: "stop",
    StopReason.PAUSE_TURN: "stop",
}
_FRAGMENT_LENGTH = 9


def anthropic_stream(turn: ScriptedTurn, *, model: str, number: int) -> bytes:
    """Return a Messages stream.

    Args:
        turn: What to say.
        model: Repeated in the answer.
        number: Of the answer, for ids.
    """
    return b"".join(
        f"event: {event['type']}\ndata: {_dump(event)}\n\n".encode()
        for event in _anthropic_events(turn, model, number)
    )


def anthropic_error_event(kind: str, message: str) -> bytes:
    """Return an error event of a Messages stream."""
    error = {"type": "error", "error": {"type": kind, "message": message}}
    return f"event: error\ndata: {_dump(error)}\n\n".encode()


def openai_stream(turn: ScriptedTurn, *, model: str, number: int, with_usage: bool) -> bytes:
    """Return a Chat Completions stream.

    Args:
        turn: What to say.
        model: Repeated in the answer.
        number: Of the answer, for ids.
        with_usage: Whether the request asked for the usage chunk.
    """
    head = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 1_796_000_000,
        "model": model,
        "system_fingerprint": "fp_test",
    }
    chunks = [{**head, **event} for event in _openai_events(turn, number)]
    if with_usage:
        chunks = [{**chunk, "usage": None} for chunk in chunks]
        chunks.append({**head, "choices": [], "usage": _openai_usage()})
    lines = [f"data: {_dump(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


def openai_error_event(message: str) -> bytes:
    """Return an error inside a Chat Completions stream."""
    error = {"error": {"message": message, "type": "server_error", "code": 503}}
    return f"data: {_dump(error)}\n\n".encode()


def _anthropic_events(turn: ScriptedTurn, model: str, number: int) -> Iterator[Event]:
    usage = {
        "input_tokens": INPUT_TOKENS,
        "cache_creation_input_tokens": CACHE_WRITE_TOKENS,
        "cache_read_input_tokens": CACHE_READ_TOKENS,
        "output_tokens": 1,
        "service_tier": "standard",
    }
    message: Event = {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list[object](),
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": message}
    yield {"type": "ping"}
    for index, events in enumerate(_anthropic_blocks(turn, number)):
        for event in events:
            yield {**event, "index": index}
    reason = turn.played_stop_reason.value
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": OUTPUT_TOKENS},
    }
    yield {"type": "message_stop"}


def _anthropic_blocks(turn: ScriptedTurn, number: int) -> Iterator[list[Event]]:
    if turn.thinking:
        deltas: list[Event] = [
            {"type": "thinking_delta", "thinking": piece} for piece in text_pieces(turn.thinking)
        ]
        deltas.append({"type": "signature_delta", "signature": SIGNATURE})
        yield _anthropic_block({"type": "thinking", "thinking": "", "signature": ""}, deltas)
    if turn.text:
        deltas = [{"type": "text_delta", "text": piece} for piece in text_pieces(turn.text)]
        yield _anthropic_block({"type": "text", "text": ""}, deltas)
    for at, call in enumerate(turn.calls):
        block: Event = {
            "type": "tool_use",
            "id": call.id or f"toolu_{number:04}_{at}",
            "name": call.name,
            "input": dict[str, object](),
        }
        fragments = ["", *_fragments(call)]
        deltas = [{"type": "input_json_delta", "partial_json": each} for each in fragments]
        yield _anthropic_block(block, deltas)


def _anthropic_block(block: Event, deltas: list[Event]) -> list[Event]:
    return [
        {"type": "content_block_start", "content_block": block},
        *({"type": "content_block_delta", "delta": delta} for delta in deltas),
        {"type": "content_block_stop"},
    ]


def _openai_events(turn: ScriptedTurn, number: int) -> Iterator[Event]:
    yield _choice({"role": "assistant", "content": "", "refusal": None})
    for piece in text_pieces(turn.thinking):
        yield _choice({"reasoning_content": piece})
    for piece in text_pieces(turn.text):
        yield _choice({"content": piece})
    for at, call in enumerate(turn.calls):
        start = {
            "index": at,
            "id": call.id or f"call_{number:04}_{at}",
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        yield _choice({"tool_calls": [start]})
        for fragment in _fragments(call):
            yield _choice({"tool_calls": [{"index": at, "function": {"arguments": fragment}}]})
    yield _choice({}, finish_reason=_OPENAI_FINISH[turn.played_stop_reason])


def _choice(delta: Event, finish_reason: str | None = None) -> Event:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return {"choices": [choice]}


def _openai_usage() -> Event:
    return {
        "prompt_tokens": INPUT_TOKENS + CACHE_READ_TOKENS + CACHE_WRITE_TOKENS,
        "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": INPUT_TOKENS + CACHE_READ_TOKENS + CACHE_WRITE_TOKENS + OUTPUT_TOKENS,
        "prompt_tokens_details": {
            "cached_tokens": CACHE_READ_TOKENS,
            "cache_write_tokens": CACHE_WRITE_TOKENS,
        },
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def _fragments(call: ScriptedCall) -> Iterator[str]:
    text = call.arguments_json
    for start in range(0, len(text), _FRAGMENT_LENGTH):
        yield text[start : start + _FRAGMENT_LENGTH]


def _dump(value: object) -> str:
    # Not ASCII on purpose: characters of several bytes must survive any cut.
    return json.dumps(value, ensure_ascii=False)
