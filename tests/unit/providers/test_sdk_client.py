"""An SDK's client is built once, when it is needed, and closed once."""

import asyncio
import threading

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest
from caramelo_tui.providers.bounded_answers import bound_answer
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of


class FakeClient:
    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.times_closed = 0

    async def close(self) -> None:
        self.times_closed += 1


async def test_it_is_built_once_in_a_thread_however_many_ask() -> None:
    built: list[FakeClient] = []

    def build() -> FakeClient:
        built.append(FakeClient())
        return built[-1]

    holder = SdkClient(build)
    assert not built
    clients = await asyncio.gather(*(holder.ready() for _ in range(3)))
    assert clients == [built[0]] * 3
    assert built[0].thread is not threading.main_thread()


async def test_closing_is_done_once_and_it_can_be_built_again() -> None:
    holder = SdkClient(FakeClient)
    await holder.close()
    first = await holder.ready()
    await holder.close()
    await holder.close()
    assert first.times_closed == 1
    assert await holder.ready() is not first


async def test_a_client_that_cannot_be_built_is_tried_again() -> None:
    outcomes = [AuthenticationFailed("no key"), None]

    def build() -> FakeClient:
        failure = outcomes.pop(0)
        if failure is not None:
            raise failure
        return FakeClient()

    holder = SdkClient(build)
    with pytest.raises(AuthenticationFailed):
        await holder.ready()
    assert isinstance(await holder.ready(), FakeClient)


def test_the_http_client_follows_no_redirect_and_names_an_unusable_proxy() -> None:
    def keep(**options: object) -> dict[str, object]:
        return options

    settings = EndpointSettings(key="k", obeys_proxy_variables=False)
    assert http_client_of(keep, settings, 3) == {
        "timeout": 3,
        "follow_redirects": False,
        "trust_env": False,
        "event_hooks": {"response": [bound_answer]},
    }

    def refuse(**_options: object) -> None:
        raise ImportError("socksio is not installed")

    with pytest.raises(BadRequest, match=r"proxy of the environment .*socksio"):
        http_client_of(refuse, settings, 3)
