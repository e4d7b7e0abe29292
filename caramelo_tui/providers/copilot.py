"""Talk to GitHub Copilot without an editor.

Owns the way of one request: the token that is good now, the marks that say whose turn it is, one
more try with a fresh token when Copilot refuses the old one. Chat itself is the OpenAI wire's.
Proven by tests/contract/test_copilot.py.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace

from caramelo_tui.domain.errors import AuthenticationFailed, ProviderError
from caramelo_tui.domain.ids import Clock, IdSource
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.copilot_http import GitHubHosts, JsonRequests, client_headers
from caramelo_tui.providers.copilot_models import CopilotModel, models_with
from caramelo_tui.providers.copilot_tokens import LOG_IN_AGAIN, CopilotToken, CopilotTokens
from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider

NAME = "copilot"
COSTS_LIMIT_S = 3.0
"""Seconds for the list that says what prompts cost; it comes beside the first answer."""


@dataclass(slots=True, kw_only=True)
class _Endpoint:
    """The chat endpoint with one token, as long as somebody uses it."""

    token: CopilotToken
    provider: OpenAICompatibleProvider
    users: int = 0


class CopilotProvider:
    """GitHub Copilot, for one login."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        ids: IdSource | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            settings: ``key`` is the GitHub token, ``base_url`` the GitHub that is logged in to
                (empty: the public one).
            ids: Where ids of calls come from that the endpoint leaves out.
            clock: Tells when a token ends.

        Raises:
            ValueError: If the base URL cannot be used; the message says why.
        """
        self._settings = settings
        self._ids = ids
        self._requests = JsonRequests(obeys_proxy_variables=settings.obeys_proxy_variables)
        self._tokens = CopilotTokens(
            settings.key, GitHubHosts.of(settings.base_url), requests=self._requests, clock=clock
        )
        self._endpoint: _Endpoint | None = None
        self._is_warm = False
        self._prompt_costs: dict[str, float] = {}
        self._has_asked_costs = False

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What the models of Copilot can do."""
        return Capabilities(tools=True, reasoning=True, caching=False, images=True)

    def log_in(self, github_token: str) -> None:
        """Use another login from the next request on; what streams now ends as it began."""
        self._tokens.log_in(github_token)

    async def warm(self) -> None:
        """Load the SDK in a thread; the token waits for the first request. Idempotent."""
        if self._is_warm:
            return
        # A stand-in: where chat is sent to is known with the token only.
        stand_in = OpenAICompatibleProvider(replace(self._settings, key="none", base_url=""))
        try:
            await stand_in.warm()
        finally:
            await stand_in.close()
        self._is_warm = True

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            AuthenticationFailed: If the login is not taken any more; it says how to log in.
            ProviderError: Mapped from what the SDK raised; retries are the caller's.
        """
        for is_last_try in (False, True):
            token = await self._tokens.current()
            has_content = False
            learning = asyncio.create_task(self._learn_costs(token))
            try:
                async with aclosing(self._streamed(request, token)) as events:
                    async for event in events:
                        has_content = True
                        yield event
            except AuthenticationFailed as error:
                if has_content or is_last_try:
                    msg = f"{error} {LOG_IN_AGAIN}"
                    raise AuthenticationFailed(msg) from None
                # Refused before its time: once more with a fresh one, which GitHub gives only
                # while the login is good.
                self._tokens.drop(token)
            else:
                # Beside the answer it has long come; the costs are known before they are booked.
                await learning
                return
            finally:
                learning.cancel()

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        """Return ``None``: Copilot has no such endpoint."""
        return None

    async def models(self) -> tuple[CopilotModel, ...]:
        """Return the models that this login can use for chat, as Copilot lists them.

        Raises:
            AuthenticationFailed: If the login or its token is not taken any more.
            ProviderError: If they cannot be asked for.
        """
        token = await self._tokens.current()
        try:
            return await models_with(token, self._requests)
        except AuthenticationFailed:
            self._tokens.drop(token)
            raise

    def prompt_cost(self, model: str) -> float:
        """Return the premium requests of one prompt of the person; 0: none, or not known yet."""
        return self._prompt_costs.get(model, 0.0)

    async def _learn_costs(self, token: CopilotToken) -> None:
        """Ask once what prompts cost; without an answer that stays unknown."""
        if self._has_asked_costs:
            return
        self._has_asked_costs = True
        try:
            async with asyncio.timeout(COSTS_LIMIT_S):
                listed = await models_with(token, self._requests)
        except (ProviderError, TimeoutError):
            return
        self._prompt_costs = {model.id: model.premium_multiplier or 0.0 for model in listed}

    async def close(self) -> None:
        """Release connections; idempotent."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            await endpoint.provider.close()

    async def _streamed(
        self, request: ProviderRequest, token: CopilotToken
    ) -> AsyncGenerator[ProviderEvent, None]:
        async with self._at(token) as provider, aclosing(provider.stream(request)) as events:
            async for event in events:
                yield event

    @asynccontextmanager
    async def _at(self, token: CopilotToken) -> "AsyncGenerator[OpenAICompatibleProvider, None]":
        """Lend the endpoint of a token; an old one closes when its last stream has ended."""
        before = self._endpoint
        endpoint = before
        if endpoint is None or endpoint.token is not token:
            endpoint = self._endpoint = _Endpoint(token=token, provider=self._provider(token))
            if before is not None and not before.users:
                await before.provider.close()
        endpoint.users += 1
        try:
            yield endpoint.provider
        finally:
            endpoint.users -= 1
            if not endpoint.users and endpoint is not self._endpoint:
                await endpoint.provider.close()

    def _provider(self, token: CopilotToken) -> OpenAICompatibleProvider:
        settings = replace(
            self._settings, key=token.key, base_url=token.base_url, is_exact_url=True
        )
        return OpenAICompatibleProvider(settings, name=NAME, ids=self._ids, headers=_headers)


def _headers(request: ProviderRequest) -> Mapping[str, str]:
    """Return what Copilot wants to know of a request: only the person's turns are counted."""
    marks = {
        "X-Initiator": "user" if request.is_users_turn else "agent",
        "Openai-Intent": "conversation-edits",
    }
    if any(isinstance(message, UserMessage) and message.images for message in request.messages):
        marks["Copilot-Vision-Request"] = "true"
    return {**client_headers(), **marks}
