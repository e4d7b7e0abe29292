"""Copilot when its chat endpoint refuses: each status is our error, and what is asked again."""

import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
)
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.copilot import CopilotProvider
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.model_server import Fault, ModelServer
from tests.doubles.model_server_clients import KEY, hear


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    server: ModelServer
    provider: CopilotProvider


@asynccontextmanager
async def bench(*faults: Fault | None) -> AsyncIterator[Bench]:
    turns = [ScriptedTurn(text="fine")]
    async with ModelServer(turns, faults=faults) as server:
        provider = CopilotProvider(EndpointSettings(key=KEY, base_url=server.url))
        yield Bench(server=server, provider=provider)
        await provider.close()


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, BadRequest),
        (402, BadRequest),
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
    status: int, expected: type[ProviderError]
) -> None:
    async with bench(Fault(status=status, message="no", headers={"retry-after": "7"})) as on:
        heard = await hear(on.provider)

        assert type(heard.error) is expected
        assert heard.events == []
        assert len(on.server.requests) == 1
        assert KEY not in "".join(traceback.format_exception(heard.error))
        if isinstance(heard.error, (RateLimited, Overloaded)):
            assert heard.error.retry_after_s == 7.0


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_token_is_asked_for_anew_once(status: int) -> None:
    refused = Fault(status=status, message="expired")
    async with bench(refused) as on:
        assert (await hear(on.provider)).message.text == "fine"
    async with bench(refused, refused) as on:
        heard = await hear(on.provider)

        assert isinstance(heard.error, AuthenticationFailed)
        assert "/login" in str(heard.error)
        assert len(on.server.requests) == 2
