"""The model server is strict, and speaks as the vendors document."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import aiohttp
import pytest

from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn, TurnCondition
from tests.doubles.model_server import Fault, ModelServer
from tests.doubles.model_server_rules import Refused, check_anthropic, check_openai

Body = dict[str, object]
HEADERS = {"x-api-key": "k", "authorization": "Bearer k", "anthropic-version": "2026-10-21"}
MESSAGES, COMPLETIONS = "/v1/messages", "/v1/chat/completions"

USE = {"type": "tool_use", "id": "t1", "name": "glob", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
GO = {"role": "user", "content": [{"type": "text", "text": "go"}]}
CALL = {"id": "t1", "type": "function", "function": {"name": "glob", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWERED = {"role": "tool", "tool_call_id": "t1", "content": "x"}


def anthropic_body(*messages: object, **changes: object) -> Body:
    body: Body = {
        "model": "m",
        "max_tokens": 9,
        "stream": True,
        "messages": [GO, *messages],
    }
    return {**body, **changes}


def openai_body(*messages: object, **changes: object) -> Body:
    return {
        "model": "m",
        "stream": True,
        "messages": [{"role": "user", "content": "go"}, *messages],
        **changes,
    }


def assistant(*blocks: object) -> Body:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: object) -> Body:
    return {"role": "user", "content": list(blocks)}


@pytest.mark.parametrize(
    "body",
    [
        anthropic_body(),
        anthropic_body(assistant(USE), user(RESULT)),
        anthropic_body(assistant(USE), user(RESULT, {"type": "text", "text": "and"})),
        anthropic_body(
            assistant({"type": "thinking", "thinking": "h", "signature": "s"}, USE),
            user({**RESULT, "is_error": True}),
        ),
        anthropic_body(thinking={"type": "adaptive", "display": "summarized"}),
    ],
)
def test_valid_messages_requests_pass(body: Body) -> None:
    check_anthropic(body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"model": "m", "stream": True, "messages": [GO]}, "max_tokens"),
        (anthropic_body(max_tokens=0), "max_tokens"),
        (anthropic_body(stream=False), "stream"),
        (anthropic_body(temperature=1), "temperature"),
        (anthropic_body(messages=[]), "at least one"),
        (anthropic_body(messages=[assistant({"type": "text", "text": "x"})]), "alternate"),
        (anthropic_body(GO), "alternate"),
        (anthropic_body(assistant({"type": "text", "text": "x"})), "prefill"),
        (anthropic_body(assistant(USE), GO), "without `tool_result`"),
        (anthropic_body(assistant(USE), user(RESULT, RESULT)), "single result"),
        (anthropic_body(assistant(USE, USE), user(RESULT)), "unique"),
        (
            anthropic_body(assistant(USE), user(RESULT, {**RESULT, "tool_use_id": "z"})),
            "unexpected",
        ),
        (
            anthropic_body(assistant(USE), user({"type": "text", "text": "x"}, RESULT)),
            "must come first",
        ),
        (anthropic_body(assistant({**USE, "input": "{}"}), user(RESULT)), "input"),
        (anthropic_body(assistant({**USE, "id": "a b"}), user(RESULT)), "pattern"),
        (anthropic_body(assistant({"type": "image"}), GO), "does not match"),
        (anthropic_body(assistant({"type": "thinking", "thinking": "h"}), GO), "signature"),
        (anthropic_body(assistant({"type": "text", "text": " "}), GO), "non-whitespace"),
        (anthropic_body(tools=[]), "empty"),
        (anthropic_body(tools=[{"name": "a b", "input_schema": {"type": "object"}}]), "pattern"),
        (anthropic_body(tools=[{"name": "a", "input_schema": {"type": "array"}}]), "object"),
        (anthropic_body(tools=[{"name": "a", "input_schema": {}, "strict": True}]), "strict"),
        (anthropic_body(system="text"), "list"),
        ([], "object"),
    ],
)
def test_invalid_messages_requests_are_refused(body: object, said: str) -> None:
    with pytest.raises(Refused, match=said):
        check_anthropic(body)


def test_at_most_four_cache_marks_are_taken() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    blocks = [{"type": "text", "text": "x", **mark}] * 5
    check_anthropic(anthropic_body(messages=[user(*blocks[:4])]))
    with pytest.raises(Refused, match="maximum of 4"):
        check_anthropic(anthropic_body(messages=[user(*blocks)]))


@pytest.mark.parametrize(
    "body",
    [
        openai_body(),
        openai_body(ASKED, ANSWERED),
        openai_body(ASKED, ANSWERED, {"role": "user", "content": "and"}),
        openai_body(stream_options={"include_usage": True}, max_completion_tokens=4),
    ],
)
def test_valid_completion_requests_pass(body: Body) -> None:
    check_openai(body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (openai_body(messages=[]), "empty"),
        (openai_body(stream=False), "stream"),
        (openai_body(max_tokens=0), "max_tokens"),
        (openai_body(strict=True), "strict"),
        (openai_body(ASKED), "not answered"),
        (openai_body(ASKED, {"role": "user", "content": "x"}), "must be followed"),
        (openai_body(ASKED, ANSWERED, ANSWERED), "preceding"),
        (openai_body(ANSWERED), "preceding"),
        (openai_body({"role": "user", "content": "x"}), "in a row"),
        (openai_body({"role": "assistant", "content": "x"}), "last message"),
        (openai_body({"role": "system", "content": "x"}), "first"),
        (openai_body({"role": "assistant", "content": ""}), "empty"),
        (openai_body({**ASKED, "tool_calls": [CALL, CALL]}, ANSWERED), "duplicate"),
        (openai_body({**ASKED, "tool_calls": []}), "empty"),
        (
            openai_body(
                {**ASKED, "tool_calls": [{**CALL, "function": {"name": "a", "arguments": "{"}}]}
            ),
            "no JSON",
        ),
        (openai_body({**ASKED, "tool_calls": [{**CALL, "id": "x" * 41}]}), "too long"),
        (openai_body(tools=[{"type": "function", "function": {"name": "a"}}]), "parameters"),
    ],
)
def test_invalid_completion_requests_are_refused(body: object, said: str) -> None:
    with pytest.raises(Refused, match=said):
        check_openai(body)


async def post(
    server: ModelServer, path: str, body: Body, headers: Mapping[str, str] = HEADERS
) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(server.url + path, json=body, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


def events_of(stream: str) -> list[Body]:
    lines = [line.removeprefix("data: ") for line in stream.splitlines() if line[:5] == "data:"]
    return [json.loads(line) for line in lines if line != "[DONE]"]


@pytest.mark.parametrize(
    ("path", "body", "missing"),
    [(MESSAGES, anthropic_body(), "x-api-key"), (COMPLETIONS, openai_body(), "API key")],
)
async def test_a_request_without_a_key_is_refused(path: str, body: Body, missing: str) -> None:
    async with ModelServer([ScriptedTurn(text="x")]) as server:
        status, text = await post(server, path, body, {"anthropic-version": "2026-10-21"})

    assert status == 401
    assert missing in text


async def test_a_messages_request_without_a_version_is_refused() -> None:
    async with ModelServer([ScriptedTurn(text="x")]) as server:
        status, text = await post(server, MESSAGES, anthropic_body(), {"x-api-key": "k"})

    assert status == 400
    assert json.loads(text)["error"]["type"] == "invalid_request_error"
    assert "anthropic-version" in text


async def test_a_messages_stream_has_the_documented_order() -> None:
    turn = ScriptedTurn(thinking="h", text="t", calls=(ScriptedCall.of("glob", {"pattern": "*"}),))
    async with ModelServer([turn]) as server:
        _, text = await post(server, MESSAGES, anthropic_body())

    events = events_of(text)
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["message_start", "ping"]
    assert kinds[-2:] == ["message_delta", "message_stop"]
    starts = [event["index"] for event in events if event["type"] == "content_block_start"]
    assert starts == [0, 1, 2]
    assert text.count("event: ") == len(events)


async def test_a_completions_stream_has_the_documented_order() -> None:
    turn = ScriptedTurn(text="t", calls=(ScriptedCall.of("glob", {"pattern": "*"}),))
    async with ModelServer([turn, turn]) as server:
        _, plain = await post(server, COMPLETIONS, openai_body())
        options = {"include_usage": True}
        _, counted = await post(server, COMPLETIONS, openai_body(stream_options=options))

    assert plain.endswith("data: [DONE]\n\n")
    assert "usage" not in plain
    assert events_of(counted)[-1]["choices"] == []
    assert events_of(counted)[-1]["usage"]


async def test_conditions_are_met_by_the_results_in_the_request() -> None:
    turns = [
        ScriptedTurn(text="first"),
        ScriptedTurn(text="it failed", when=TurnCondition(last_result_is_error=True)),
        ScriptedTurn(text="it worked"),
    ]
    failed = anthropic_body(assistant(USE), user({**RESULT, "is_error": True}))
    for answered, expected in ((failed, "it failed"), (anthropic_body(), "it worked")):
        async with ModelServer(turns) as server:
            await post(server, MESSAGES, anthropic_body())
            _, text = await post(server, MESSAGES, answered)
        deltas = [event.get("delta") for event in events_of(text)]
        said = "".join(str(each.get("text", "")) for each in deltas if isinstance(each, dict))
        assert said == expected


async def test_faults_come_in_the_vendors_envelopes_in_order() -> None:
    faults = [Fault(status=529, headers={"retry-after": "2"}), None]
    async with ModelServer([ScriptedTurn(text="x")], faults=faults) as server:
        first, envelope = await post(server, MESSAGES, anthropic_body())
        second, _ = await post(server, MESSAGES, anthropic_body())

    assert (first, second) == (529, 200)
    assert json.loads(envelope)["error"]["type"] == "overloaded_error"
    assert len(server.requests) == 2


async def test_the_server_runs_as_a_program_of_its_own(tmp_path: Path) -> None:
    scenario, port_file, log = (tmp_path / name for name in ("s.toml", "port", "log"))
    scenario.write_text('[[turns]]\ntext = "from a file"\n', encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.doubles.model_server"),
        *("--scenario", str(scenario), "--port-file", str(port_file), "--log", str(log)),
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        # The program says when it listens; nothing is waited for by the clock.
        assert process.stdout is not None
        assert await process.stdout.readline() == b"listening\n"
        server = ModelServer()
        server.port = int(port_file.read_text(encoding="ascii"))
        status, text = await post(server, COMPLETIONS, openai_body())
    finally:
        process.send_signal(signal.SIGTERM)
        code = await process.wait()

    assert status == 200
    assert "file" in text
    assert code == 0
    assert json.loads(log.read_text(encoding="utf-8"))["body"] == openai_body()
