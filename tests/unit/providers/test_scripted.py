"""The scripted provider."""

from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    Message,
    StopReason,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.provider_events import ProviderEvent, StreamStopped, TextDelta, UsageSeen
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.providers.scenario import (
    CLOSING_TEXT,
    FaultKind,
    ScriptedCall,
    ScriptedFault,
    ScriptedTurn,
    TurnCondition,
)
from caramelo_tui.providers.scripted import LIFELIKE, Pace, ScriptedProvider, text_pieces
from tests.doubles.model_server_clients import hear, request_of

if TYPE_CHECKING:
    from caramelo_tui.providers.base import Provider

TEXT = "Two lines\n\nof  text,\tand 漢字.\n"
CALL = ScriptedCall.of("grep", {"pattern": "a pattern that is longer than one piece"})


def answered(*calls: str, text: str = "ok", is_error: bool = False) -> Message:
    return ToolResultsMessage(
        results=tuple(
            ToolResult(call_id=CallId(each), text=text, is_error=is_error, state=CallState.OK)
            for each in calls
        )
    )


async def test_a_turn_is_played_in_pieces_and_folds_to_its_text() -> None:
    turn = ScriptedTurn(thinking="Hm, so.", text=TEXT, calls=(CALL, CALL))
    provider: Provider = ScriptedProvider([turn])

    heard = await hear(provider)

    assert heard.message.text == TEXT
    assert [call.arguments_json for call in heard.message.calls] == [CALL.arguments_json] * 2
    assert len({call.id for call in heard.message.calls}) == 2
    assert heard.message.stop_reason is StopReason.TOOL_USE
    assert len([event for event in heard.events if isinstance(event, TextDelta)]) > 3


@pytest.mark.parametrize("text", ["", " ", "\n\n", TEXT, "x" * 50, "  lead"])
def test_pieces_join_to_the_text(text: str) -> None:
    assert "".join(text_pieces(text)) == text


async def test_the_script_reacts_to_results() -> None:
    turns = [
        ScriptedTurn(calls=(CALL,)),
        ScriptedTurn(text="It failed.", when=TurnCondition(last_result_is_error=True)),
        ScriptedTurn(text="It worked."),
    ]
    for is_error, expected in ((True, "It failed."), (False, "It worked.")):
        provider = ScriptedProvider(turns)
        first = (await hear(provider)).message
        results = answered(first.calls[0].id, is_error=is_error)
        note = UserMessage(text="a.py changed", is_note=True)

        second = await hear(provider, request_of(UserMessage(text="go"), first, results, note))

        assert second.message.text == expected


async def test_behind_the_end_it_closes_politely() -> None:
    assert (await hear(ScriptedProvider([]))).message.text == CLOSING_TEXT


async def test_a_request_that_a_vendor_would_refuse_is_refused() -> None:
    provider = ScriptedProvider([ScriptedTurn(calls=(CALL,)), ScriptedTurn(text="x")])
    first = (await hear(provider)).message

    heard = await hear(provider, request_of(UserMessage(text="go"), first))

    assert isinstance(heard.error, BadRequest)
    assert heard.events == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (FaultKind.RATE_LIMITED, RateLimited),
        (FaultKind.OVERLOADED, Overloaded),
        (FaultKind.STREAM_BROKEN, StreamBroken),
        (FaultKind.AUTHENTICATION, AuthenticationFailed),
        (FaultKind.BAD_REQUEST, BadRequest),
        (FaultKind.CONTEXT_TOO_LONG, ContextTooLong),
    ],
)
async def test_a_fault_is_raised_once_and_the_script_goes_on(
    kind: FaultKind, expected: type[ProviderError]
) -> None:
    fault = ScriptedFault(kind=kind, retry_after_s=3)
    provider = ScriptedProvider([ScriptedTurn(raises=fault), ScriptedTurn(text="again")])

    first, second = await hear(provider), await hear(provider)

    assert type(first.error) is expected
    assert first.events == []
    if isinstance(first.error, (RateLimited, Overloaded)):
        assert first.error.retry_after_s == 3
    assert second.message.text == "again"


async def test_a_fault_after_content_leaves_the_message_incomplete() -> None:
    fault = ScriptedFault(kind=FaultKind.STREAM_BROKEN, after_content=True)
    provider = ScriptedProvider([ScriptedTurn(text="half", raises=fault)])

    heard = await hear(provider)

    assert isinstance(heard.error, StreamBroken)
    assert heard.message.text == "half"
    assert heard.message.is_incomplete


async def test_a_turn_that_is_cut_off_is_played_again() -> None:
    provider = ScriptedProvider([ScriptedTurn(text=TEXT), ScriptedTurn(text="next")])
    async with aclosing(provider.stream(request_of())) as events:
        await anext(events)

    assert (await hear(provider)).message.text == TEXT


async def test_a_consumer_that_stops_at_the_last_event_gets_the_next_turn() -> None:
    provider = ScriptedProvider([ScriptedTurn(text="a"), ScriptedTurn(text="b")])
    async with aclosing(provider.stream(request_of())) as events:
        async for event in events:
            if isinstance(event, StreamStopped):
                break

    assert (await hear(provider)).message.text == "b"


async def test_usage_grows_with_the_conversation_and_is_cached() -> None:
    provider = ScriptedProvider([ScriptedTurn(text="x" * 40)] * 2)

    def usage_in(events: list[ProviderEvent]) -> UsageSeen:
        (seen,) = [event for event in events if isinstance(event, UsageSeen)]
        return seen

    first = usage_in((await hear(provider, request_of(UserMessage(text="y" * 400)))).events)
    longer = request_of(UserMessage(text="y" * 400), UserMessage(text="z" * 80))
    second = usage_in((await hear(provider, longer)).events)

    assert first.usage.output_tokens == 10
    assert first.usage.cache_read_tokens == 0
    assert second.usage.cache_read_tokens == first.usage.input_tokens
    assert second.usage.input_tokens == 20


async def test_requests_are_kept_for_the_test_that_asks() -> None:
    provider = ScriptedProvider([ScriptedTurn(text="a")])
    request = request_of()
    await provider.warm()
    await hear(provider, request)
    await provider.close()

    assert provider.requests == (request,)
    assert provider.name == "demo"
    assert provider.capabilities.tools


def test_the_demos_pace_is_that_of_a_quick_model() -> None:
    assert Pace() == Pace(before_answer_s=0, per_piece_s=0)
    assert 0 < LIFELIKE.per_piece_s <= 0.05
