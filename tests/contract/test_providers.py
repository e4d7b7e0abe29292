"""One suite for every provider, over a strict server on loopback."""

import asyncio
import json
import subprocess
import sys
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing

import pytest

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
    UnknownStopReason,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.provider_events import TextDelta
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.contract.provider_wires import (
    ANTHROPIC_PROVIDER,
    DIRECT_WIRES,
    EVERY_WIRE,
    IMAGE,
    WIRES,
    ProviderWire,
)
from tests.doubles.model_server import COUNTED_TOKENS, Fault, LoggedRequest, ModelServer
from tests.doubles.model_server_clients import KEY, hear, request_of
from tests.doubles.model_server_streams import SIGNATURE

TEXT = "Grüße, 漢字 and 🚀 to all."
CALLS = (
    ScriptedCall.of("grep", {"pattern": "naïve 🚀"}, call_id="a_1"),
    ScriptedCall.of("grep", {"pattern": "b"}, call_id="b_2"),
)
FULL_TURN = ScriptedTurn(thinking="Let me see.", text=TEXT, calls=CALLS)


@pytest.fixture(params=EVERY_WIRE, ids=lambda vendor: vendor.name)
def vendor(request: pytest.FixtureRequest) -> ProviderWire:
    chosen = request.param
    assert isinstance(chosen, ProviderWire)
    return chosen


direct = pytest.mark.parametrize("vendor", DIRECT_WIRES, ids=lambda vendor: vendor.name)
"""For what holds only where the address and the key that are given are the endpoint's own."""


class Bench:
    """Opens servers and providers, and closes them after the test."""

    def __init__(self, vendor: ProviderWire, stack: AsyncExitStack) -> None:
        self._vendor = vendor
        self._stack = stack

    async def open(
        self,
        turns: Sequence[ScriptedTurn] = (),
        *,
        faults: Sequence[Fault | None] = (),
        stall_s: float = 20.0,
        path: str = "",
        key: str = KEY,
    ) -> tuple[ModelServer, Provider]:
        server = await self._stack.enter_async_context(ModelServer(turns, faults=faults))
        settings = EndpointSettings(key=key, base_url=server.url + path, stall_s=stall_s)
        provider = self._vendor.build(settings)
        self._stack.push_async_callback(provider.close)
        return server, provider


@pytest.fixture
async def bench(vendor: ProviderWire) -> AsyncIterator[Bench]:
    async with AsyncExitStack() as stack:
        yield Bench(vendor, stack)


async def test_text_comes_in_pieces_and_whole(bench: Bench) -> None:
    _, provider = await bench.open([ScriptedTurn(text=TEXT)])

    heard = await hear(provider)

    assert heard.error is None
    assert heard.message.text == TEXT
    assert heard.message.stop_reason is StopReason.END_TURN
    assert len([event for event in heard.events if isinstance(event, TextDelta)]) > 1


async def test_thinking_is_kept_with_what_proves_it(bench: Bench, vendor: ProviderWire) -> None:
    _, provider = await bench.open([FULL_TURN])

    first = (await hear(provider)).message.blocks[0]

    assert first == ThinkingBlock(text="Let me see.", signature=vendor.signature)


async def test_parallel_calls_come_with_ids_names_and_arguments(bench: Bench) -> None:
    _, provider = await bench.open([FULL_TURN])

    message = (await hear(provider)).message

    assert [(call.id, call.name, call.arguments_json) for call in message.calls] == [
        (call.id, call.name, call.arguments_json) for call in CALLS
    ]
    assert message.stop_reason is StopReason.TOOL_USE


async def test_a_call_without_arguments_has_an_empty_object(bench: Bench) -> None:
    call = ScriptedCall(name="grep", arguments_json="")
    _, provider = await bench.open([ScriptedTurn(calls=(call,))])

    (made,) = (await hear(provider)).message.calls

    assert made.arguments_json in {"", "{}"}


async def test_usage_counts_cached_tokens_apart(bench: Bench) -> None:
    _, provider = await bench.open([ScriptedTurn(text="x")])

    message = (await hear(provider)).message

    assert message.usage == Usage(
        input_tokens=11, output_tokens=7, cache_read_tokens=5, cache_write_tokens=3
    )


async def test_the_transcript_goes_back_as_the_vendor_wants_it(bench: Bench) -> None:
    server, provider = await bench.open([FULL_TURN, ScriptedTurn(text="done")])
    first = (await hear(provider)).message
    results = ToolResultsMessage(
        results=tuple(
            ToolResult(call_id=call.id, text=text, is_error=not text, state=CallState.OK)
            for call, text in zip(first.calls, ("found", ""), strict=True)
        )
    )
    note = UserMessage(text="a.py changed.", is_note=True)

    second = await hear(
        provider, request_of(UserMessage(text="go"), first, results, note, UserMessage(text="on"))
    )

    assert second.error is None
    assert server.requests[1].refused == ""
    assert second.message.text == "done"


async def test_broken_arguments_and_lone_surrogates_can_be_sent_back(bench: Bench) -> None:
    server, provider = await bench.open([ScriptedTurn(text="ok")])
    call = ToolCall(id=CallId("call:1/" + "x" * 60), name="grep", arguments_json='{"pattern": "ha')
    result = ToolResult(
        call_id=call.id, text="half \ud83d of it", is_error=True, state=CallState.ERROR
    )
    transcript = (
        UserMessage(text="go \udcff"),
        AssistantMessage(blocks=(TextBlock(text="  "), call), stop_reason=StopReason.TOOL_USE),
        ToolResultsMessage(results=(result,)),
    )

    heard = await hear(provider, request_of(*transcript))

    assert heard.error is None, heard.error
    assert server.requests[0].refused == ""


@direct
async def test_the_request_carries_model_limit_tools_and_key(
    bench: Bench, vendor: ProviderWire
) -> None:
    server, provider = await bench.open([ScriptedTurn(text="x")])
    await hear(provider)

    (request,) = server.requests

    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == vendor.first_body


async def test_images_go_with_the_prompt(bench: Bench, vendor: ProviderWire) -> None:
    server, provider = await bench.open([ScriptedTurn(text="a cat")])
    prompt = UserMessage(text="what is it?", images=(IMAGE,))

    heard = await hear(provider, request_of(prompt))

    assert heard.error is None, heard.error
    assert provider.capabilities.images
    assert vendor.holds_image(server.requests[0].body)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
async def test_the_base_url_is_understood_with_and_without_its_version(
    bench: Bench, path: str
) -> None:
    _, provider = await bench.open([ScriptedTurn(text="x")], path=path)

    assert (await hear(provider)).error is None


@direct
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, BadRequest),
        (401, AuthenticationFailed),
        (403, AuthenticationFailed),
        (404, BadRequest),
        (408, Overloaded),
        (409, Overloaded),
        (413, ContextTooLong),
        (422, BadRequest),
        (429, RateLimited),
        (500, Overloaded),
        (502, Overloaded),
        (503, Overloaded),
        (529, Overloaded),
    ],
)
async def test_an_error_status_is_our_error_and_is_sent_once(
    bench: Bench, status: int, expected: type[ProviderError]
) -> None:
    fault = Fault(status=status, message=f"no: {KEY} is wrong", headers={"retry-after": "7"})
    server, provider = await bench.open([ScriptedTurn(text="x")], faults=[fault])

    heard = await hear(provider)

    assert type(heard.error) is expected
    assert heard.events == []
    assert len(server.requests) == 1
    shown = "".join(traceback.format_exception(heard.error))
    assert KEY not in shown
    assert "[key] is wrong" in shown
    if isinstance(heard.error, (RateLimited, Overloaded)):
        assert heard.error.retry_after_s == 7.0


async def test_a_request_that_is_too_long_says_so(bench: Bench) -> None:
    fault = Fault(status=400, message="prompt is too long: 300000 tokens > 200000 maximum")
    _, provider = await bench.open(faults=[fault])

    assert isinstance((await hear(provider)).error, ContextTooLong)


async def test_an_html_error_page_is_told_without_its_markup(bench: Bench) -> None:
    page = "<html><script>x()</script>Bad Gateway</html>"
    _, provider = await bench.open(faults=[Fault(status=502, text_body=page)])

    heard = await hear(provider)

    assert isinstance(heard.error, Overloaded)
    assert "Bad Gateway" in str(heard.error)
    assert "<" not in str(heard.error)
    assert "x()" not in str(heard.error)


async def test_a_redirect_is_not_followed(bench: Bench) -> None:
    elsewhere, _ = await bench.open([ScriptedTurn(text="stolen")])
    fault = Fault(status=307, headers={"location": elsewhere.url + "/v1/messages"})
    _, provider = await bench.open(faults=[fault])

    heard = await hear(provider)

    assert isinstance(heard.error, BadRequest)
    assert elsewhere.requests == []


async def test_a_slow_start_is_waited_for(bench: Bench) -> None:
    _, provider = await bench.open([ScriptedTurn(text="late")], faults=[Fault(start_delay_s=0.3)])

    assert (await hear(provider)).message.text == "late"


async def test_a_stall_breaks_the_stream_and_keeps_what_came(
    bench: Bench, vendor: ProviderWire
) -> None:
    stream = vendor.stream_of(ScriptedTurn(text=TEXT))
    at = stream.index("漢".encode())
    _, provider = await bench.open(
        faults=[Fault(stall_at=at, body=stream)], turns=[ScriptedTurn(text="x")], stall_s=0.2
    )

    heard = await hear(provider)

    assert isinstance(heard.error, StreamBroken)
    assert "0.2 s" in str(heard.error)
    assert heard.message.text.startswith("Grüße")
    assert heard.message.is_incomplete


async def test_no_answer_at_all_is_a_stall_too(bench: Bench) -> None:
    _, provider = await bench.open(faults=[Fault(start_delay_s=20)], stall_s=0.2)

    assert isinstance((await hear(provider)).error, StreamBroken)


async def test_a_connection_lost_before_the_answer_can_be_tried_again(bench: Bench) -> None:
    server, provider = await bench.open(
        [ScriptedTurn(text="fine")], faults=[Fault(drop_before_head=True)]
    )

    first, second = await hear(provider), await hear(provider)

    assert isinstance(first.error, StreamBroken)
    assert first.error.is_retryable
    assert second.message.text == "fine"
    assert len(server.requests) == 2


async def test_nobody_listening_is_told_with_the_host(vendor: ProviderWire, bench: Bench) -> None:
    server, _ = await bench.open()
    await server.__aexit__(None, None, None)
    provider = vendor.build(EndpointSettings(key=KEY, base_url=server.url))

    heard = await hear(provider)
    await provider.close()

    assert isinstance(heard.error, StreamBroken)
    assert f"127.0.0.1:{server.port}" in str(heard.error)


async def test_a_drop_at_any_byte_keeps_what_came_and_ends_nothing(
    bench: Bench, vendor: ProviderWire
) -> None:
    stream = vendor.stream_of(FULL_TURN)
    places = list(range(0, len(stream) - 1, len(stream) // 60))
    faults = [Fault(drop_at=at, body=stream) for at in places]
    _, provider = await bench.open([FULL_TURN] * len(places), faults=faults)

    for at in places:
        heard = await hear(provider)

        assert isinstance(heard.error, StreamBroken), at
        assert heard.message.is_incomplete, at
        assert TEXT.startswith(heard.message.text), at
        for made, scripted in zip(heard.message.calls, CALLS, strict=False):
            assert scripted.arguments_json.startswith(made.arguments_json), at


MOST_DROPS = 1_200
"""Drops of one stream; a form of API that repeats itself is dropped at every few bytes only, and at
each of them without a network, by tests/property/test_streams.py."""


@pytest.mark.parametrize("vendor", WIRES, ids=lambda vendor: vendor.name)
async def test_a_short_stream_is_dropped_at_each_of_its_bytes(
    bench: Bench, vendor: ProviderWire
) -> None:
    turn = ScriptedTurn(text="漢")
    stream = vendor.stream_of(turn)
    places = range(0, len(stream) - 2, len(stream) // MOST_DROPS + 1)
    _, provider = await bench.open(
        [turn] * len(places), faults=[Fault(drop_at=at, body=stream) for at in places]
    )

    for at in places:
        heard = await hear(provider)

        assert isinstance(heard.error, StreamBroken), at
        assert heard.message.is_incomplete, at
        assert heard.message.text in {"", "漢"}, at


async def test_an_early_regular_end_is_a_broken_stream(bench: Bench, vendor: ProviderWire) -> None:
    stream = vendor.stream_of(ScriptedTurn(text=TEXT))
    end = stream.index(vendor.stop_field)
    places = [0, len(stream) // 3, end]
    faults = [Fault(end_at=at, body=stream) for at in places]
    _, provider = await bench.open([ScriptedTurn(text="x")] * 3, faults=faults)

    for at in places:
        heard = await hear(provider)

        assert isinstance(heard.error, StreamBroken), at
        assert heard.message.is_incomplete, at


@pytest.mark.parametrize("sizes", [(1,), (3, 1, 7), (2,)])
async def test_characters_may_be_cut_anywhere(bench: Bench, sizes: tuple[int, ...]) -> None:
    _, provider = await bench.open([FULL_TURN], faults=[Fault(chunk_sizes=sizes)])

    message = (await hear(provider)).message

    assert message.text == TEXT
    assert message.calls[0].arguments_json == CALLS[0].arguments_json


async def test_an_error_event_keeps_what_came(bench: Bench, vendor: ProviderWire) -> None:
    at = vendor.stream_of(FULL_TURN).index("漢".encode())
    _, provider = await bench.open([FULL_TURN], faults=[Fault(error_event_at=at)])

    heard = await hear(provider)

    assert isinstance(heard.error, StreamBroken)
    assert "failed in mid-stream" in str(heard.error)
    assert heard.message.text.startswith("Grüße")
    assert heard.message.is_incomplete


async def test_an_unknown_stop_reason_is_an_error_that_names_it(
    bench: Bench, vendor: ProviderWire
) -> None:
    stream = vendor.stream_of(ScriptedTurn(text="x"))
    changed = stream.replace(vendor.stop_field, vendor.stop_value)
    assert changed != stream
    _, provider = await bench.open([ScriptedTurn(text="x")], faults=[Fault(body=changed)])

    heard = await hear(provider)

    assert isinstance(heard.error, UnknownStopReason)
    assert "'bored'" in str(heard.error)
    assert heard.message.is_incomplete


@pytest.mark.parametrize(
    ("vendor", "reason"),
    [
        pytest.param(wire, reason, id=f"{wire.name}-{reason}")
        for wire in EVERY_WIRE
        for reason in wire.stop_reasons
    ],
)
async def test_stop_reasons_are_told(bench: Bench, reason: StopReason) -> None:
    _, provider = await bench.open([ScriptedTurn(text="x", stop_reason=reason)])

    assert (await hear(provider)).message.stop_reason is reason


async def test_anthropics_thinking_goes_back_as_it_came() -> None:
    async with AsyncExitStack() as stack:
        bench = Bench(ANTHROPIC_PROVIDER, stack)
        server, provider = await bench.open([FULL_TURN, ScriptedTurn(text="done")])
        first = (await hear(provider)).message
        results = tuple(
            ToolResult(call_id=call.id, text="x", is_error=False, state=CallState.OK)
            for call in first.calls
        )
        answered = ToolResultsMessage(results=results)

        await hear(provider, request_of(UserMessage(text="go"), first, answered))

        sent = json.dumps(server.requests[1].body)
        thought = {"type": "thinking", "thinking": "Let me see.", "signature": SIGNATURE}
        assert json.dumps(thought) in sent


async def test_anthropic_counts_the_tokens_of_a_request() -> None:
    async with AsyncExitStack() as stack:
        server, provider = await Bench(ANTHROPIC_PROVIDER, stack).open()

        assert await provider.count_tokens(request_of()) == COUNTED_TOKENS
        assert server.requests[0].refused == ""
        assert server.requests[0].path == "/v1/messages/count_tokens"


async def test_an_endpoint_that_does_not_count_says_nothing() -> None:
    async with AsyncExitStack() as stack:
        bench = Bench(ANTHROPIC_PROVIDER, stack)
        _, provider = await bench.open(faults=[Fault(status=404), Fault(status=401)])

        assert await provider.count_tokens(request_of()) is None
        with pytest.raises(AuthenticationFailed):
            await provider.count_tokens(request_of())


CLOSES_WITHIN_S = 0.1
TRIES = 3
"""The machine may be busy elsewhere; the quickest of a few closings shows what we do."""


async def seconds_until_closed(request: LoggedRequest) -> float:
    started = time.monotonic()
    async with asyncio.timeout(10):
        await request.disconnected.wait()
    return time.monotonic() - started


async def test_cancelling_closes_the_http_stream_at_once(
    bench: Bench, vendor: ProviderWire
) -> None:
    stream = vendor.stream_of(ScriptedTurn(text=TEXT))
    stall = Fault(stall_at=stream.index("漢".encode()), body=stream)
    server, provider = await bench.open([ScriptedTurn(text="x")], faults=[stall] * TRIES)
    seconds: list[float] = []
    for number in range(1, TRIES + 1):
        heard = asyncio.create_task(hear(provider))
        request = await server.wait_for_requests(number)
        await request.started.wait()

        heard.cancel()

        seconds.append(await seconds_until_closed(request))
        with pytest.raises(asyncio.CancelledError):
            await heard
    assert min(seconds) < CLOSES_WITHIN_S


async def test_cancelling_before_the_answer_closes_the_connection(bench: Bench) -> None:
    server, provider = await bench.open(faults=[Fault(start_delay_s=20)] * TRIES)
    seconds: list[float] = []
    for number in range(1, TRIES + 1):
        heard = asyncio.create_task(hear(provider))
        request = await server.wait_for_requests(number)

        heard.cancel()

        seconds.append(await seconds_until_closed(request))
        with pytest.raises(asyncio.CancelledError):
            await heard
    assert min(seconds) < CLOSES_WITHIN_S


async def test_closing_the_generator_closes_the_http_stream(
    bench: Bench, vendor: ProviderWire
) -> None:
    stream = vendor.stream_of(ScriptedTurn(text=TEXT))
    stall = Fault(stall_at=stream.index("漢".encode()), body=stream)
    server, provider = await bench.open([ScriptedTurn(text="x")], faults=[stall] * TRIES)
    seconds: list[float] = []
    for number in range(TRIES):
        async with aclosing(provider.stream(request_of())) as events:
            await anext(events)
        seconds.append(await seconds_until_closed(server.requests[number]))
    assert min(seconds) < CLOSES_WITHIN_S


async def test_a_finished_answer_leaves_its_connection_for_the_next(bench: Bench) -> None:
    _, provider = await bench.open([ScriptedTurn(text="a"), ScriptedTurn(text="b")])

    texts = [(await hear(provider)).message.text for _ in range(2)]

    assert texts == ["a", "b"]


async def test_unknown_fields_and_events_are_skipped(vendor: ProviderWire, bench: Bench) -> None:
    extra = b'data: {"type": "novelty", "object": "x", "choices": [], "fresh": {"a": [1]}}\n\n'
    stream = b": ping\n\n" + extra + vendor.stream_of(ScriptedTurn(text="x")) + extra
    _, provider = await bench.open([ScriptedTurn(text="y")], faults=[Fault(body=stream)])

    assert (await hear(provider)).message.text == "x"


async def test_an_answer_that_is_no_stream_is_told(bench: Bench) -> None:
    body = b'{"choices": [{"message": {"content": "whole"}}]}'
    _, provider = await bench.open([ScriptedTurn(text="y")], faults=[Fault(body=body)])

    heard = await hear(provider)

    assert isinstance(heard.error, StreamBroken)
    assert "no event stream" in str(heard.error)


@pytest.mark.parametrize("key", ["", "  ", "sk-two\nlines", "sk-ключ"])
async def test_an_unusable_key_is_refused_without_being_shown(bench: Bench, key: str) -> None:
    server, provider = await bench.open(key=key)

    heard = await hear(provider)

    assert isinstance(heard.error, AuthenticationFailed)
    assert "sk-" not in "".join(traceback.format_exception(heard.error))
    assert server.requests == []


async def test_warming_and_closing_can_be_repeated(bench: Bench) -> None:
    _, provider = await bench.open([ScriptedTurn(text="a")])

    await asyncio.gather(provider.warm(), provider.warm())
    await provider.close()
    await provider.close()

    assert (await hear(provider)).message.text == "a"


async def test_the_loop_goes_on_while_the_client_is_built(bench: Bench) -> None:
    _, provider = await bench.open()
    ticks = 0
    warming = asyncio.create_task(provider.warm())
    while not warming.done():
        ticks += 1
        await asyncio.sleep(0)

    assert ticks > 1


@pytest.mark.parametrize(
    ("base_url", "field"),
    [("", "max_completion_tokens"), ("http://127.0.0.1:9/v1", "max_tokens")],
)
def test_openai_itself_gets_its_newer_limit_field(base_url: str, field: str) -> None:
    provider = OpenAICompatibleProvider(EndpointSettings(key=KEY, base_url=base_url))

    assert provider._quirks.max_tokens_field == field


@pytest.mark.parametrize("module", ["anthropic", "openai_compatible", "scripted", "transport"])
def test_importing_a_provider_loads_no_sdk(module: str) -> None:
    code = (
        f"import sys, caramelo_tui.providers.{module}\n"
        "heavy = {'anthropic', 'openai', 'httpx2', 'pydantic', 'jiter'} & set(sys.modules)\n"
        "print(*sorted(heavy))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://127.0.0.1:9"])
async def test_a_proxy_that_cannot_be_used_is_told(
    vendor: ProviderWire, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    provider = vendor.build(EndpointSettings(key=KEY, base_url="http://h.test"))

    heard = await hear(provider)

    assert isinstance(heard.error, BadRequest)
    assert "proxy" in str(heard.error).lower()


async def test_proxy_variables_can_be_left_aside(
    vendor: ProviderWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with ModelServer([ScriptedTurn(text="direct")]) as server:
        settings = EndpointSettings(key=KEY, base_url=server.url, obeys_proxy_variables=False)
        provider = vendor.build(settings)
        heard = await hear(provider)
        await provider.close()

    assert heard.message.text == "direct"
