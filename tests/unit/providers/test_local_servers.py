"""Servers that already run on this machine are found, and nothing else is asked."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from caramelo_tui.providers.local_servers import (
    LOCAL_ADDRESSES,
    MOST_MODELS,
    LocalServer,
    find_local_server,
    find_local_servers,
    is_loopback,
)
from caramelo_tui.providers.vendor_json import LONGEST_NAME
from tests.doubles.loopback_servers import OK, answering, listing


def test_the_four_servers_are_looked_for_where_they_listen() -> None:
    assert LOCAL_ADDRESSES == {
        "ollama": "http://127.0.0.1:11434/v1",
        "lmstudio": "http://127.0.0.1:1234/v1",
        "llamacpp": "http://127.0.0.1:8080/v1",
        "vllm": "http://127.0.0.1:8000/v1",
    }


async def test_each_server_is_found_with_its_models_in_the_order_of_the_presets() -> None:
    async with answering(listing("qwen3:8b", "gemma3")) as one, answering(listing()) as other:
        found = await find_local_servers({"ollama": one.base_url, "lmstudio": other.base_url})

    assert found == (
        LocalServer(name="ollama", base_url=one.base_url, models=("qwen3:8b", "gemma3")),
        LocalServer(name="lmstudio", base_url=other.base_url, models=()),
    )
    assert one.heads[0].startswith(b"GET /v1/models HTTP/1.0\r\n")
    assert b"uthorization" not in one.heads[0]


async def test_a_server_that_says_who_it_is_is_called_so() -> None:
    async with answering(listing("m", owner="llamacpp")) as server:
        (found,) = await find_local_servers({"vllm": server.base_url})
    assert found.name == "llamacpp"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9\r\n\r\n",
        b"HTTP/1.0 404 Not Found\r\n\r\n",
        b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n" + b'{"data": []}',
        OK + b"\r\n<html>",
        OK + b"\r\n[]",
        OK + b'\r\n{"data": "many"}',
        OK + b'Content-Length: 99\r\n\r\n{"data": []}',
        b"x" * 200_000,
    ],
)
async def test_what_is_no_list_of_models_is_no_server(answer: bytes) -> None:
    async with answering(answer) as server:
        assert await find_local_servers({"vllm": server.base_url}) == ()


async def test_odd_entries_of_a_list_are_left_out_and_long_lists_cut() -> None:
    names = [f"m{number}" for number in range(MOST_MODELS + 9)]
    async with answering(listing("a", "a", "", "x" * (LONGEST_NAME + 1), *names)) as server:
        (found,) = await find_local_servers({"vllm": server.base_url})
    assert found.models == ("a", *names)[:MOST_MODELS]


async def test_a_list_without_a_length_is_read_to_its_end() -> None:
    async with answering(OK + b'\r\n{"data": [{"id": "m"}]}') as server:
        (found,) = await find_local_servers({"vllm": server.base_url})
    assert found.models == ("m",)


async def test_silent_servers_are_waited_for_together_and_not_long() -> None:
    async with AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(answering(None)) for _ in range(4)]
        prompt = await stack.enter_async_context(answering(listing("m")))
        addresses = {f"s{at}": server.base_url for at, server in enumerate(silent)}
        began = time.monotonic()
        found = await find_local_servers({**addresses, "vllm": prompt.base_url}, limit_s=0.6)
        # One after the other they would take 2.4 s.
        assert time.monotonic() - began < 2
    assert [server.name for server in found] == ["vllm"]


async def test_a_port_on_which_nobody_listens_is_no_server() -> None:
    async with answering(listing()) as server:
        pass
    assert await find_local_servers({"vllm": server.base_url}) == ()


@pytest.mark.parametrize(
    ("address", "is_here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.8.0.1:1", True),
        ("http://localhost:1", True),
        ("http://[::1]:1", True),
        ("http://10.0.0.1:1", False),
        ("http://localhost.example.test:1", False),
        ("http://127.0.0.1.example.test:1", False),
        ("http://0.0.0.0:1", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_only_loopback_is_asked(address: str, *, is_here: bool) -> None:
    assert is_loopback(address) is is_here


async def test_an_address_elsewhere_is_never_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(asyncio, "open_connection", refuse)
    assert await find_local_servers({"vllm": "http://192.0.2.1:8000/v1"}) == ()


async def test_one_server_can_be_asked_for_from_a_thread_with_or_without_a_loop() -> None:
    async with answering(listing("m")) as server:
        found = await asyncio.to_thread(find_local_server, "ollama", server.base_url)
    assert found == LocalServer(name="ollama", base_url=server.base_url, models=("m",))
    assert find_local_server("ollama", server.base_url) is None


async def test_the_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(listing("wrong")) as proxy, answering(listing("m")) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        (found,) = await find_local_servers({"ollama": server.base_url})
    assert found.models == ("m",)
    assert proxy.heads == []
