"""Faults below HTTP in our words."""

import httpx2
import pytest

from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.transport import EndpointFaults

FAULTS = EndpointFaults(
    settings=EndpointSettings(key="sk-secret-123", connect_timeout_s=10, stall_s=300),
    base_url="https://h.test/v1",
)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (httpx2.ConnectTimeout("x"), "No connection to h.test within 10 s."),
        (httpx2.ReadTimeout("x"), "h.test sent nothing for 300 s."),
        (httpx2.ConnectError("sk-secret-123"), "Could not connect to h.test: [key]."),
        (httpx2.ConnectError(""), "Could not connect to h.test: refused or unreachable."),
        (httpx2.ReadError("x"), "The connection to h.test was lost."),
        (httpx2.RemoteProtocolError("x"), "The connection to h.test was lost."),
        (None, "The connection to h.test was lost."),
    ],
)
def test_each_fault_has_its_sentence(fault: Exception | None, said: str) -> None:
    error = FAULTS.error_for(fault)

    assert str(error) == said
    assert error.is_retryable
    assert fault is None or isinstance(fault, FAULTS.types)
