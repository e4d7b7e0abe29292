"""What is refused before a server listens."""

import importlib.util
import socket
from collections.abc import Iterator

import pytest

from caramelo_tui.command_line import parse
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.launch import launch
from tests.doubles.logs import logging_as_before


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_as_before():
        yield


def refusal(*words: str) -> str:
    with pytest.raises(ConfigError) as caught:
        launch(parse(["serve", *words]))
    return str(caught.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])  # noqa: S104 - what is refused
def test_all_addresses_at_once_are_refused(host: str) -> None:
    assert "name one address" in refusal("--host", host)


def test_an_address_that_cannot_be_used_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port} cannot be used" in refusal("--port", port)


def test_what_the_app_would_refuse_is_said_at_once() -> None:
    assert "there is no such folder" in refusal("missing")
    assert "unknown mode" in refusal("--mode", "fast")


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert "pip install 'caramelo-tui[serve]'" in refusal()
