"""One question to the endpoint, and what is said of the answer."""

import socket
import ssl
from collections.abc import Sequence

import pytest

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.headless.doctor_report import Check, Level
from caramelo_tui.headless.endpoint_check import endpoint_check, explained
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.presets import Wire
from tests.doubles.answers import one_answer

KEY = "sk-planted-77"


def looked_at(base_url: str, *, wire: Wire = Wire.CHAT, key: str = KEY) -> Check:
    check = endpoint_check(EndpointSettings(key=key, base_url=base_url), wire, {})
    assert KEY not in check.text + check.advice
    return check


def test_an_endpoint_that_lists_its_models_is_good() -> None:
    with one_answer("200 OK", '{"data": [{"id": "a"}, {"id": "b"}]}') as server:
        check = looked_at(f"http://127.0.0.1:{server.port}/v1")
        assert check.level is Level.OK
        assert "2 models" in check.text
        assert server.seen.startswith(b"GET /v1/models ")


@pytest.mark.parametrize(
    ("status", "level", "words"),
    [
        ("401 No", Level.PROBLEM, "another key"),
        ("404 No", Level.WARN, "/v1"),
        ("200 OK", Level.WARN, "base URL"),
    ],
)
def test_a_refusal_isexplained(status: str, level: Level, words: str) -> None:
    with one_answer(status) as server:
        check = looked_at(f"http://127.0.0.1:{server.port}/v1")
        assert check.level is level
        assert words in check.advice


def test_a_port_where_nobody_listens_isexplained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    check = looked_at(f"http://127.0.0.1:{port}/v1")
    assert check.level is Level.PROBLEM
    assert "nobody listens there" in check.advice


def test_a_server_that_speaks_no_tls_isexplained() -> None:
    with one_answer("200 OK") as server:
        check = looked_at(f"https://127.0.0.1:{server.port}/v1")
        assert "not safe" in check.advice


def test_copilot_is_asked_for_a_token() -> None:
    with one_answer("401 No") as server:
        check = looked_at(f"http://127.0.0.1:{server.port}", wire=Wire.COPILOT)
        assert check.level is Level.PROBLEM
        assert "/login" in check.text
        assert server.seen.startswith(b"GET /copilot_internal/v2/token ")


@pytest.mark.parametrize("wire", [Wire.SCRIPT, Wire.FILE])
def test_what_needs_no_network_is_not_asked(wire: Wire) -> None:
    assert looked_at("http://127.0.0.1:1", wire=wire).level is Level.OK


@pytest.mark.parametrize(
    ("causes", "words"),
    [
        ([socket.gaierror(-2, "Name or service not known")], "the name is not known"),
        ([OSError("all failed"), ConnectionRefusedError(111, "no")], "nobody listens"),
        ([ssl.SSLCertVerificationError("bad")], "SSL_CERT_FILE"),
        ([TimeoutError()], "in time"),
        ([ExceptionGroup("all", [ConnectionRefusedError(111, "no")])], "nobody listens"),
        ([], "look at the address"),
    ],
)
def test_the_cause_behind_an_error_is_found(causes: Sequence[Exception], words: str) -> None:
    error: Exception = StreamBroken("broken")
    at = error
    for cause in causes:
        at.__cause__ = cause
        at = cause
    assert isinstance(error, StreamBroken)
    assert words in explained(error, {}).advice


def test_a_proxy_is_named_without_its_password() -> None:
    environment = {"HTTPS_PROXY": "http://me:secret@proxy.example.test:3128"}
    advice = explained(StreamBroken("broken"), environment).advice
    assert "HTTPS_PROXY sends it through proxy.example.test" in advice
    assert "secret" not in advice
