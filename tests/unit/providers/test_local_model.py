"""A model's file is checked before anything is started, and asked as a compatible endpoint."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.providers import local_model
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.local_model import (
    LocalModelProvider,
    find_model,
    order_for,
)
from caramelo_tui.providers.local_process import ModelOrder
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.model_server import ModelServer
from tests.doubles.model_server_clients import hear, request_of


class ProcessAt:
    """Stands for a process: its address is that of servers that run already."""

    def __init__(self, *urls: str) -> None:
        self._urls = list(urls)
        self.orders: list[ModelOrder] = []
        self.is_closed = False

    def run(self, order: ModelOrder) -> "ProcessAt":
        self.orders.append(order)
        return self

    async def ready(self) -> str:
        return self._urls.pop(0) if len(self._urls) > 1 else self._urls[0]

    async def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def has_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "_LIBRARY", "json")


@pytest.mark.usefixtures("has_library")
def test_a_models_file_is_found_by_any_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF\x03")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert [find_model(name) for name in ("m.gguf", str(file), "~/m.gguf")] == [file] * 3


@pytest.mark.usefixtures("has_library")
def test_what_is_no_models_file_is_said(tmp_path: Path) -> None:
    other = tmp_path / "notes.gguf"
    other.write_text("GGU")
    with pytest.raises(ValueError, match="no model's file in GGUF form"):
        find_model(str(other))
    with pytest.raises(ValueError, match=r"there is no file .*--model FILE\.gguf"):
        find_model(str(tmp_path / "m.gguf"))
    with pytest.raises(ValueError, match="cannot be read"):
        find_model(str(tmp_path))


def test_without_the_extra_the_line_to_install_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "_LIBRARY", "no_such_library")
    with pytest.raises(ValueError, match=r"pip install 'caramelo-tui\[local\]'"):
        find_model(str(tmp_path))


def test_each_start_has_a_key_of_its_own_and_a_template_beside_the_model_is_used(
    tmp_path: Path,
) -> None:
    model = tmp_path / "m.gguf"
    first, second = order_for(model), order_for(model)
    assert first.template == ""
    assert first.key != second.key
    assert len(first.key) >= 40
    (tmp_path / "m.jinja").write_text("{{ messages }}", encoding="utf-8")
    assert order_for(model).template == "{{ messages }}"
    (tmp_path / "m.jinja").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"m\.jinja cannot be read"):
        order_for(model)


@pytest.fixture
def model(tmp_path: Path, has_library: None) -> str:
    del has_library
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF\x03")
    return str(file)


def asking(model: str) -> ProviderRequest:
    return request_of(model=model)


@asynccontextmanager
async def asked_at(process: ProcessAt, model: str) -> AsyncIterator[LocalModelProvider]:
    provider = LocalModelProvider(model, process_for=process.run)
    try:
        yield provider
    finally:
        await provider.close()


async def test_it_is_asked_as_a_compatible_endpoint_with_the_key_of_the_start(model: str) -> None:
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        process = ProcessAt(server.url)
        async with asked_at(process, model) as provider:
            await provider.warm()
            assert (await hear(provider, asking(model))).message.text == "hello"
        assert process.is_closed
        (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {process.orders[0].key}"
    assert request.body["parallel_tool_calls"] is True
    assert provider.name == "local"
    assert not provider.capabilities.images


async def test_after_a_new_start_the_new_address_is_asked(model: str) -> None:
    turn = ScriptedTurn(text="hello")
    async with ModelServer([turn]) as first, ModelServer([turn]) as second:
        async with asked_at(ProcessAt(first.url, second.url), model) as provider:
            await hear(provider, asking(model))
            assert (await hear(provider, asking(model))).message.text == "hello"
        assert (len(first.requests), len(second.requests)) == (1, 1)


async def test_a_request_for_another_file_ends_the_process_of_the_one_before(model: str) -> None:
    other = Path(model).with_name("other.gguf")
    other.write_bytes(b"GGUF\x03")
    async with ModelServer([ScriptedTurn(text="hello")]) as server:
        process = ProcessAt(server.url)
        async with asked_at(process, model) as provider:
            await hear(provider, asking(model))
            assert not process.is_closed
            assert (await hear(provider, asking(str(other)))).error is None
            assert process.is_closed
            failed = await hear(provider, asking("gone.gguf"))
    assert [order.model.name for order in process.orders] == ["m.gguf", "other.gguf"]
    assert isinstance(failed.error, BadRequest)
    assert "there is no file" in str(failed.error)
