"""Which provider is built for a connection, and which model is meant when none is set."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.composition.providers import build_provider
from caramelo_tui.config.credentials import Connection, find_connection
from caramelo_tui.config.settings import EndpointTable, ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError, StreamBroken
from caramelo_tui.providers import local_model
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.presets import PRESETS, Wire
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.loopback_servers import answering, listing
from tests.doubles.model_server import Fault, ModelServer
from tests.doubles.model_server_clients import KEY, hear, request_of

CHAT = [name for name in ProviderName if PRESETS[name].wire is Wire.CHAT]
GONE = "http://127.0.0.1:1/v1"


def build(connection: Connection, model: str | None = "m") -> tuple[Provider, str]:
    return build_provider(Settings(model=model), connection)


def at(
    url: str, name: ProviderName = ProviderName.CUSTOM, like: ProviderName | None = None
) -> Connection:
    return Connection(provider=name, key=KEY, base_url=url, like=like, endpoint_name="mine")


@pytest.mark.parametrize("name", CHAT)
async def test_each_compatible_preset_speaks_chat_completions_in_its_own_way(
    name: ProviderName,
) -> None:
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        connection = Connection(provider=name, key=KEY, base_url=server.url)
        provider, model = build(connection)
        assert (await hear(provider, request_of(model=model))).message.text == "hello"
        await provider.close()
        (request,) = server.requests
    quirks = PRESETS[name].quirks
    # OpenAI's name stands for compatible servers too, unless the address is its own.
    field = "max_tokens" if name is ProviderName.OPENAI else quirks.max_tokens_field
    assert field in request.body
    assert ("stream_options" in request.body) is quirks.sends_stream_options
    assert ("parallel_tool_calls" in request.body) is quirks.asks_parallel_calls
    assert provider.name == name.value
    assert provider.capabilities.images is quirks.takes_images


@pytest.mark.parametrize(
    ("like", "path"),
    [
        (None, "/v1/chat/completions"),
        (ProviderName.ANTHROPIC, "/v1/messages"),
        (ProviderName.OPENAI_RESPONSES, "/v1/responses"),
        (ProviderName.MISTRAL, "/v1/chat/completions"),
    ],
)
async def test_an_endpoint_of_ones_own_speaks_like_what_it_names(
    like: ProviderName | None, path: str
) -> None:
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        provider, model = build(at(server.url, like=like))
        assert (await hear(provider, request_of(model=model))).message.text == "hello"
        await provider.close()
        (request,) = server.requests
    assert request.path == path
    assert provider.name == "mine"


def test_the_model_is_the_one_set_then_the_tables_then_the_catalogues() -> None:
    table = {"anthropic": EndpointTable(model="of-the-table")}
    settings = Settings(provider=ProviderName.ANTHROPIC, endpoints=table)
    connection = find_connection(settings, {"ANTHROPIC_API_KEY": "k"})
    assert build(connection)[1] == "m"
    assert build(connection, None)[1] == "of-the-table"
    plain = Connection(provider=ProviderName.ANTHROPIC, key="k", base_url=None)
    assert build(plain, None)[1].startswith("claude-")


def test_a_preset_without_a_default_says_how_to_name_a_model() -> None:
    groq = Connection(provider=ProviderName.GROQ, key="k", base_url=None)
    with pytest.raises(ConfigError, match=r"provider groq has no default.*--model ID.*\.groq\]"):
        build(groq, None)


async def test_a_local_server_with_one_model_needs_no_name() -> None:
    async with answering(listing("qwen3:8b")) as server:
        connection = at(server.base_url, ProviderName.OLLAMA)
        _, model = await asyncio.to_thread(build, connection, None)
    assert model == "qwen3:8b"


@pytest.mark.parametrize(
    ("models", "said"),
    [((), "Ollama serves none; load one"), (("a", "c\x1b", "b"), "Ollama serves a, b$")],
)
async def test_a_local_server_with_more_or_none_says_what_there_is(
    models: tuple[str, ...], said: str
) -> None:
    async with answering(listing(*(each.replace("\x1b", r"\u001b") for each in models))) as server:
        with pytest.raises(ConfigError, match=said) as caught:
            await asyncio.to_thread(build, at(server.base_url, ProviderName.OLLAMA), None)
    assert "\x1b" not in str(caught.value)


def test_a_local_server_that_does_not_run_is_named_with_its_address() -> None:
    with pytest.raises(ConfigError, match=r"nothing answers at http://127\.0\.0\.1:1/v1"):
        build(at(GONE, ProviderName.LMSTUDIO), None)


def test_a_server_elsewhere_is_not_asked_what_it_serves() -> None:
    with pytest.raises(ConfigError, match=r"name one of the server at http://192\.0\.2\.1"):
        build(at("http://192.0.2.1:8000/v1", ProviderName.VLLM), None)


def test_a_models_file_is_checked_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "_LIBRARY", "json")
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF\x03")
    local = Connection(provider=ProviderName.LOCAL, key="", base_url=None)
    provider, model = build(local, str(file))
    assert (provider.name, model) == ("local", str(file))
    with pytest.raises(ConfigError, match="there is no file"):
        build(local, str(tmp_path / "other.gguf"))
    with pytest.raises(ConfigError, match="has no default"):
        build(local, None)


def test_an_address_that_cannot_be_used_is_named() -> None:
    with pytest.raises(ConfigError, match="base URL"):
        build(at("gopher://x"))


@pytest.mark.parametrize(
    "name",
    [
        ProviderName.ANTHROPIC,
        ProviderName.OPENAI,
        ProviderName.OPENAI_RESPONSES,
        ProviderName.COPILOT,
        ProviderName.OLLAMA,
    ],
)
async def test_the_time_without_a_byte_is_the_settings(name: ProviderName) -> None:
    async with ModelServer(faults=[Fault(start_delay_s=20)]) as server:
        connection = Connection(provider=name, key=KEY, base_url=server.url)
        provider, _ = build_provider(Settings(model="m", stall_s=0.25), connection)
        heard = await hear(provider)
        await provider.close()
    assert isinstance(heard.error, StreamBroken)
    assert "0.25 s" in str(heard.error)


def test_a_stalled_stream_is_given_up_after_300_s_by_default() -> None:
    assert (Settings().stall_s, EndpointSettings(key=KEY).stall_s) == (300.0, 300.0)


@pytest.mark.parametrize(
    ("variables", "agent"), [({}, "caramelo"), ({"OPENAI_ORG_ID": "o"}, "openai")]
)
async def test_the_environment_can_ask_for_the_sdk(variables: dict[str, str], agent: str) -> None:
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        provider, _ = build_provider(
            Settings(model="m"), at(server.url + "/v1"), environment=variables
        )
        assert (await hear(provider)).error is None
        await provider.close()
    assert agent in server.requests[0].headers["user-agent"].lower()
