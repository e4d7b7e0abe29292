"""The behaviour cases of the area ``stream`` that one answer alone decides."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.anthropic_stream import AnthropicStreamReader
from caramelo_tui.providers.openai_stream import OpenAIStreamReader
from caramelo_tui.providers.sse import SseDecoder

if TYPE_CHECKING:
    from caramelo_tui.providers.streaming import EventReader

Json = dict[str, object]

WORDS = {
    "stop": StopReason.END_TURN,
    "tool_calls": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
}


def cases() -> list[Json]:
    path = Path(__file__).parents[2] / "cases" / "stream.json"
    loaded = cast("list[Json]", json.loads(path.read_text(encoding="utf-8"))["cases"])
    return [case for case in loaded if str(case["tool"]).startswith("provider:")]


def deciding_answer(case: Json) -> Json:
    """Return the answer that is kept: the broken one where a case has it, else the last."""
    setup, expected = cast("Json", case["setup"]), cast("Json", case["expect"])
    return cast("list[Json]", setup["responses"])[0 if expected.get("incomplete") else -1]


STREAMED = [case for case in cases() if deciding_answer(case)["status"] == 200]


def assembled(case: Json) -> StreamAssembler:
    ids = CountingIds()
    reader: EventReader = (
        OpenAIStreamReader(key="", new_call_id=lambda: ids.new("call"))
        if case["tool"] == "provider:openai"
        else AnthropicStreamReader(key="", new_call_id=lambda: ids.new("call"))
    )
    assembler = StreamAssembler(CallIds(CountingIds()))
    decoder = SseDecoder()
    for chunk in cast("list[dict[str, str]]", deciding_answer(case)["chunks"]):
        data = chunk["text"].encode() if "text" in chunk else base64.b64decode(chunk["b64"])
        for server_event in decoder.feed(data):
            for event in reader.feed(server_event):
                assembler.add(event)
    for event in reader.finish():
        assembler.add(event)
    return assembler


@pytest.mark.parametrize("case", STREAMED, ids=lambda case: str(case["id"]))
def test_the_answer_of_a_case(case: Json) -> None:
    expected = cast("Json", case["expect"])
    if expected.get("incomplete"):
        with pytest.raises(StreamBroken):
            assembled(case)
        return

    message = assembled(case).message()

    if "text" in expected:
        assert message.text == expected["text"]
    if "stop_reason" in expected:
        assert message.stop_reason is WORDS[str(expected["stop_reason"])]
    wanted = cast("list[Json] | None", expected.get("tool_calls"))
    if wanted is not None:
        made = [(call.name, json.loads(call.arguments_json)) for call in message.calls]
        assert made == [(call["name"], call["arguments"]) for call in wanted]
        for call, want in zip(message.calls, wanted, strict=True):
            assert call.id == want.get("id", call.id)
    ids = [call.id for call in message.calls]
    assert all(ids)
    assert len(set(ids)) == len(ids)


def test_enough_cases_are_covered() -> None:
    assert len(STREAMED) >= 17
