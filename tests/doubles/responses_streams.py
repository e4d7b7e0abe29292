"""Write scripted turns as the event stream of the Responses API.

Owns the bytes of an answer, as developers.openai.com ("Responses: streaming events") and the
types of the official SDK (openai 3.57.0) document them, read 2026-11-30.
"""

import json
from collections.abc import Iterator, Mapping

from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.scenario import ScriptedTurn
from caramelo_tui.providers.scripted import text_pieces
from tests.doubles.model_server_streams import (
    CACHE_READ_TOKENS,
    CACHE_WRITE_TOKENS,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
)

Event = Mapping[str, object]

ENCRYPTED = "ZW5jcnlwdGVk"
"""What each reasoning item is proven by."""
_FRAGMENT_LENGTH = 9
_INCOMPLETE = {
    StopReason.MAX_TOKENS: "max_output_tokens",
    StopReason.REFUSAL: "content_filter",
}


def responses_stream(turn: ScriptedTurn, *, model: str, number: int) -> bytes:
    """Return a stream.

    Args:
        turn: What to say.
        model: Repeated in the answer.
        number: Of the answer, for ids.
    """
    return b"".join(
        _event({**event, "sequence_number": at})
        for at, event in enumerate(_events(turn, model, number))
    )


def responses_error_event(message: str) -> bytes:
    """Return an error inside a stream."""
    return _event({"type": "error", "code": "server_error", "message": message, "param": None})


def _event(event: Event) -> bytes:
    # Not ASCII on purpose: characters of several bytes must survive any cut.
    data = json.dumps(event, ensure_ascii=False)
    return f"event: {event['type']}\ndata: {data}\n\n".encode()


def _events(turn: ScriptedTurn, model: str, number: int) -> Iterator[Event]:
    response: dict[str, object] = {
        "id": f"resp_{number:04}",
        "object": "response",
        "created_at": 1_796_000_000,
        "model": model,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "output": list[object](),
        "usage": None,
    }
    yield {"type": "response.created", "response": response}
    yield {"type": "response.in_progress", "response": response}
    output: list[Event] = []
    for at, (item, pieces) in enumerate(_items(turn, number)):
        output.append(item)
        yield from _item_events(at, item, pieces)
    reason = _INCOMPLETE.get(turn.played_stop_reason)
    status = "incomplete" if reason else "completed"
    details = {"reason": reason} if reason else None
    ended = {"status": status, "incomplete_details": details, "output": output, "usage": _usage()}
    yield {"type": f"response.{status}", "response": {**response, **ended}}


def _items(turn: ScriptedTurn, number: int) -> Iterator[tuple[Event, list[Event]]]:
    """Yield each finished item with the events in which its content comes."""
    if turn.thinking:
        item: Event = {
            "id": f"rs_{number:04}",
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": turn.thinking}],
            "encrypted_content": ENCRYPTED,
        }
        yield item, list(_summary_events(turn.thinking))
    if turn.text:
        part = {"type": "output_text", "text": turn.text, "annotations": list[object]()}
        item = {
            "id": f"msg_{number:04}",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
        yield item, list(_text_events(turn.text, part))
    for at, call in enumerate(turn.calls):
        text = call.arguments_json
        item = {
            "id": f"fc_{number:04}_{at}",
            "type": "function_call",
            "status": "completed",
            "call_id": call.id or f"call_{number:04}_{at}",
            "name": call.name,
            "arguments": text,
        }
        starts = range(0, len(text), _FRAGMENT_LENGTH)
        kind = "response.function_call_arguments"
        pieces: list[Event] = [
            {"type": f"{kind}.delta", "delta": text[start : start + _FRAGMENT_LENGTH]}
            for start in starts
        ]
        yield item, [*pieces, {"type": f"{kind}.done", "arguments": text}]


def _item_events(at: int, item: Event, pieces: list[Event]) -> Iterator[Event]:
    begun = {**item, "status": "in_progress"}
    for key in ("content", "summary"):
        if key in item:
            begun[key] = list[object]()
    if "arguments" in item:
        begun["arguments"] = ""
    place = {"output_index": at}
    yield {"type": "response.output_item.added", **place, "item": begun}
    for piece in pieces:
        yield {**piece, **place, "item_id": item["id"]}
    yield {"type": "response.output_item.done", **place, "item": item}


def _summary_events(text: str) -> Iterator[Event]:
    place = {"summary_index": 0}
    kind = "response.reasoning_summary"
    yield {"type": f"{kind}_part.added", **place, "part": {"type": "summary_text", "text": ""}}
    for piece in text_pieces(text):
        yield {"type": f"{kind}_text.delta", **place, "delta": piece}
    yield {"type": f"{kind}_text.done", **place, "text": text}
    yield {"type": f"{kind}_part.done", **place, "part": {"type": "summary_text", "text": text}}


def _text_events(text: str, part: Event) -> Iterator[Event]:
    place = {"content_index": 0}
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    for piece in text_pieces(text):
        yield {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": text}
    yield {"type": "response.content_part.done", **place, "part": part}


def _usage() -> Event:
    asked = INPUT_TOKENS + CACHE_READ_TOKENS + CACHE_WRITE_TOKENS
    return {
        "input_tokens": asked,
        "input_tokens_details": {
            "cached_tokens": CACHE_READ_TOKENS,
            "cache_write_tokens": CACHE_WRITE_TOKENS,
        },
        "output_tokens": OUTPUT_TOKENS,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked + OUTPUT_TOKENS,
    }
