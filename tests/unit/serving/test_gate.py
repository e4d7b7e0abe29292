"""Who gets an answer from the server, and who nothing."""

import pytest

from caramelo_tui.serving.gate import (
    Gate,
    in_address,
    is_every_address,
    is_loopback,
    new_token,
)

GATE = Gate(token="t0ken", host="127.0.0.1", port=8123)


def test_the_address_is_let_in() -> None:
    assert GATE.lets_in(path="/t0ken/", host="127.0.0.1:8123", origin="")
    own = "http://127.0.0.1:8123"
    assert GATE.lets_in(path="/t0ken/static/js/a.js", host="127.0.0.1:8123", origin=own)


@pytest.mark.parametrize(
    "path",
    ["", "/", "/ws", "/t0ke/", "/t0ken1/", "//t0ken/", "/x/t0ken/", "/T0KEN/", "/\udcff/", "/é"],
)
def test_without_the_token_there_is_nothing(path: str) -> None:
    assert not GATE.lets_in(path=path, host="127.0.0.1:8123", origin="")


@pytest.mark.parametrize(
    "host", ["", "evil.test", "evil.test:8123", "127.0.0.1", "127.0.0.1:80", "localhost:8123"]
)
def test_another_name_is_refused(host: str) -> None:
    assert not GATE.lets_in(path="/t0ken/", host=host, origin="")


@pytest.mark.parametrize("origin", ["http://evil.test", "https://127.0.0.1:8123", "null"])
def test_another_origin_is_refused(origin: str) -> None:
    assert not GATE.lets_in(path="/t0ken/ws", host="127.0.0.1:8123", origin=origin)


def test_a_browser_leaves_out_the_port_of_http() -> None:
    gate = Gate(token="t", host="LOCALHOST", port=80)
    assert gate.names == {"localhost", "localhost:80"}


def test_tokens_differ_and_are_long() -> None:
    assert len({new_token() for _ in range(50)}) == 50
    assert len(new_token()) >= 43


def test_addresses_are_known_for_what_they_are() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("192.168.0.2")
    assert not is_loopback("example.org")
    assert is_every_address("0.0.0.0")  # noqa: S104 - what is refused
    assert is_every_address("::")
    assert is_every_address("")
    assert not is_every_address("127.0.0.1")
    assert in_address("::1") == "[::1]"
    assert in_address("127.0.0.1") == "127.0.0.1"
