"""Copilot over loopback: the login, the exchange of tokens, what is counted, and what ends."""

import asyncio
import traceback
from collections.abc import Sequence
from dataclasses import replace

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest, StreamBroken
from caramelo_tui.domain.messages import ImageAttachment, UserMessage
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.copilot import CopilotProvider
from caramelo_tui.providers.copilot_http import GitHubHosts
from caramelo_tui.providers.copilot_login import CopilotLogin, LoginEnded
from caramelo_tui.providers.copilot_models import CopilotModel, list_models
from caramelo_tui.providers.copilot_tokens import RENEW_BEFORE_S
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.clocks import ManualClock
from tests.doubles.copilot_server import GITHUB_TOKEN, USER_CODE, CopilotServer
from tests.doubles.model_server_clients import hear, request_of

HELLO = [ScriptedTurn(text="hello")] * 4


class Pauses:
    """Sleeps at once, moves the clock, and remembers how long each pause was."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.lengths_s: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.lengths_s.append(seconds)
        self.clock.move(seconds)


def login_at(server: CopilotServer, pauses: Pauses) -> CopilotLogin:
    return CopilotLogin(GitHubHosts.of(server.url), sleep=pauses.sleep, clock=pauses.clock)


def provider_at(
    server: CopilotServer, *, key: str = GITHUB_TOKEN, clock: ManualClock | None = None
) -> CopilotProvider:
    return CopilotProvider(
        EndpointSettings(key=key, base_url=server.url), clock=clock or ManualClock()
    )


def users(*words: str) -> ProviderRequest:
    messages = [UserMessage(text=each) for each in words or ("go",)]
    return replace(request_of(*messages), is_users_turn=True)


# --- login -----------------------------------------------------------------------------------


async def test_a_login_shows_a_code_and_ends_with_a_token() -> None:
    pauses = Pauses()
    async with CopilotServer(polls=["authorization_pending"] * 2) as server:
        login = login_at(server, pauses)
        code = await login.begin()
        assert (code.user_code, code.address) == (USER_CODE, f"{server.url}/login/device")
        assert "device-secret" not in repr(code)
        assert await login.wait(code) == GITHUB_TOKEN
        assert server.asked_to_log_in == 3
    assert pauses.lengths_s == [5, 5, 5]


async def test_a_login_asks_less_often_when_github_wants_it() -> None:
    pauses = Pauses()
    async with CopilotServer(polls=["slow_down", "authorization_pending"]) as server:
        login = login_at(server, pauses)
        await login.wait(await login.begin())
    assert pauses.lengths_s == [5, 10, 10]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("expired_token", "ran out"),
        ("access_denied", "refused"),
        ("device_flow_disabled", "not allow"),
    ],
)
async def test_a_login_that_ends_says_why(error: str, words: str) -> None:
    async with CopilotServer(polls=[error]) as server:
        login = login_at(server, Pauses())
        with pytest.raises(LoginEnded, match=words):
            await login.wait(await login.begin())


async def test_a_code_that_nobody_types_runs_out() -> None:
    pauses = Pauses()
    async with CopilotServer(polls=["authorization_pending"] * 1000) as server:
        login = login_at(server, pauses)
        with pytest.raises(LoginEnded, match="ran out"):
            await login.wait(await login.begin())
    assert sum(pauses.lengths_s) <= 900


async def test_an_answer_that_means_nothing_known_ends_the_login() -> None:
    async with CopilotServer(polls=["surprise"]) as server:
        login = login_at(server, Pauses())
        with pytest.raises(BadRequest, match="not known"):
            await login.wait(await login.begin())


async def test_a_page_on_another_host_is_never_shown() -> None:
    async with CopilotServer() as server:
        server.verification_uri = "https://github.example.test/login/device"
        with pytest.raises(BadRequest, match="another host"):
            await login_at(server, Pauses()).begin()


async def test_a_login_can_be_cancelled_while_it_waits() -> None:
    async with CopilotServer(polls=["authorization_pending"] * 9) as server:
        begun = asyncio.Event()

        async def sleep(_seconds: float) -> None:
            begun.set()
            await asyncio.Event().wait()

        login = CopilotLogin(GitHubHosts.of(server.url), sleep=sleep)
        waiting = asyncio.create_task(login.wait(await login.begin()))
        await begun.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert server.asked_to_log_in == 0


async def test_a_github_that_cannot_be_reached_is_named() -> None:
    async with CopilotServer() as server:
        gone = server.url
    with pytest.raises(StreamBroken, match=gone.removeprefix("http://")):
        await CopilotLogin(GitHubHosts.of(gone)).begin()


@pytest.mark.parametrize(
    ("address", "web", "api"),
    [
        ("", "https://github.com", "https://api.github.com"),
        ("https://octo.ghe.com/", "https://octo.ghe.com", "https://api.octo.ghe.com"),
        ("http://127.0.0.1:9/x", "http://127.0.0.1:9", "http://127.0.0.1:9"),
    ],
)
def test_the_api_is_found_from_the_address_of_a_github(address: str, web: str, api: str) -> None:
    assert GitHubHosts.of(address) == GitHubHosts(web=web, api=api)


@pytest.mark.parametrize("address", ["github.com", "ftp://github.com", "https://"])
def test_an_address_that_names_no_github_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="https://"):
        GitHubHosts.of(address)


# --- tokens ----------------------------------------------------------------------------------


async def test_one_exchange_serves_many_requests_at_the_endpoint_of_the_answer() -> None:
    async with CopilotServer(HELLO) as server:
        provider = provider_at(server)
        heard = await asyncio.gather(*(hear(provider, users()) for _ in range(3)))
        await provider.close()
        assert [each.message.text for each in heard] == ["hello"] * 3
        assert server.exchanges == 1
        assert {chat.token for chat in server.chats} == {server.token(1)}


async def test_a_token_is_renewed_before_it_ends() -> None:
    clock = ManualClock()
    async with CopilotServer(HELLO, life_s=1500, now=clock.now()) as server:
        provider = provider_at(server, clock=clock)
        await hear(provider, users())
        clock.move(1500 - RENEW_BEFORE_S - 1)
        await hear(provider, users())
        assert server.exchanges == 1
        clock.move(2)
        server.now = clock.now()
        await hear(provider, users())
        await provider.close()
        assert [chat.token for chat in server.chats] == [
            server.token(1),
            server.token(1),
            server.token(2),
        ]


async def test_a_token_that_is_refused_in_mid_session_is_renewed_once() -> None:
    async with CopilotServer(HELLO) as server:
        provider = provider_at(server)
        await hear(provider, users())
        server.dead_tokens.add(server.token(1))
        heard = await hear(provider, users())
        await provider.close()
        assert heard.error is None
        assert server.exchanges == 2


async def test_an_endpoint_that_refuses_fresh_tokens_too_is_not_asked_for_ever() -> None:
    async with CopilotServer(HELLO) as server:
        server.dead_tokens.update(server.token(number) for number in range(1, 9))
        provider = provider_at(server)
        heard = await hear(provider, users())
        await provider.close()
        assert isinstance(heard.error, AuthenticationFailed)
        assert "/login" in str(heard.error)
        assert server.exchanges == 2


async def test_a_revoked_login_says_how_to_log_in_again_and_the_session_goes_on() -> None:
    clock = ManualClock()
    async with CopilotServer(HELLO, now=clock.now()) as server:
        provider = provider_at(server, key="gho_old", clock=clock)
        heard = await hear(provider, users())
        assert isinstance(heard.error, AuthenticationFailed)
        assert "/login" in str(heard.error)
        provider.log_in(GITHUB_TOKEN)
        assert (await hear(provider, users())).message.text == "hello"
        server.is_revoked = True
        server.dead_tokens.add(server.token(1))
        heard = await hear(provider, users())
        await provider.close()
        assert "does not take the login any more" in str(heard.error)


@pytest.mark.parametrize("status", [403, 404])
async def test_an_account_without_copilot_is_told_so(status: int) -> None:
    async with CopilotServer() as server:
        server.exchange_status = status
        heard = await hear(provider_at(server), users())
        assert "cannot use Copilot" in str(heard.error)
        assert GITHUB_TOKEN not in str(heard.error)


async def test_no_token_stands_in_an_error_or_a_value() -> None:
    async with CopilotServer() as server:
        server.exchange_status = 418
        provider = provider_at(server)
        heard = await hear(provider, users())
        assert heard.error is not None
        shown = "".join(traceback.format_exception(heard.error)) + repr(vars(provider))
        assert GITHUB_TOKEN not in shown


# --- what is counted -------------------------------------------------------------------------


async def test_only_turns_of_the_person_are_marked_as_theirs() -> None:
    async with CopilotServer(HELLO) as server:
        provider = provider_at(server)
        await hear(provider, users())
        await hear(provider, request_of())
        await provider.close()
        assert [chat.initiator for chat in server.chats] == ["user", "agent"]
        assert all(chat.editor.startswith("Caramelo/") for chat in server.chats)


@pytest.mark.parametrize("has_image", [True, False])
async def test_a_request_with_an_image_says_so(*, has_image: bool) -> None:
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"png")
    message = UserMessage(text="look", images=(image,) if has_image else ())
    async with CopilotServer(HELLO) as server:
        provider = provider_at(server)
        await hear(provider, replace(request_of(message), is_users_turn=True))
        await provider.close()
        assert [chat.has_vision_mark for chat in server.chats] == [has_image]


# --- models ----------------------------------------------------------------------------------


async def test_models_are_listed_with_what_a_prompt_costs() -> None:
    async with CopilotServer() as server:
        provider = provider_at(server)
        listed = await provider.models()
        await provider.close()
        assert await list_models(GITHUB_TOKEN, GitHubHosts.of(server.url)) == listed
    assert _brief(listed) == [("gpt-test", 0.0), ("claude-test", 1.5)]
    assert [model.words for model in listed] == [
        "GPT test · included",
        "Claude test · 1.5 premium requests for each prompt",
    ]


async def test_models_of_a_token_that_is_refused_are_an_error() -> None:
    async with CopilotServer() as server:
        server.dead_tokens.add(server.token(1))
        with pytest.raises(AuthenticationFailed, match="/login"):
            await provider_at(server).models()


def _brief(models: Sequence[CopilotModel]) -> list[tuple[str, float | None]]:
    return [(model.id, model.premium_multiplier) for model in models]
