"""The forms of API that the model server speaks.

Owns one entry for each form: where it is served, what it refuses, and how its answers and errors
are written. A further form is a further entry in ``SERVED``; the server itself knows none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from caramelo_tui.providers.scenario import Observation, ScriptedTurn
from tests.doubles.model_server_observation import anthropic_observation, openai_observation
from tests.doubles.model_server_rules import (
    check_anthropic,
    check_anthropic_count,
    check_openai,
)
from tests.doubles.model_server_streams import (
    anthropic_error_event,
    anthropic_stream,
    openai_error_event,
    openai_stream,
)
from tests.doubles.responses_rules import (
    check_counted,
    check_responses,
    responses_observation,
)
from tests.doubles.responses_streams import ENCRYPTED, responses_error_event, responses_stream

Body = Mapping[str, object]

ANTHROPIC = "anthropic"
OPENAI = "openai"
COPILOT = "copilot"
RESPONSES = "openai-responses"


class WriteStream(Protocol):
    """Writes a turn as a stream."""

    def __call__(self, turn: ScriptedTurn, body: Body, /, *, number: int) -> bytes:
        """Return the stream for a request; ``number`` is the answer's, for ids."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedWire:
    """One form of API."""

    name: str
    path: str
    refusal: Callable[[Mapping[str, str]], tuple[int, str] | None]
    """What is wrong with the headers, with the status for it."""
    check: Callable[[Body], None]
    """Raises ``Refused`` for a body that is not valid."""
    observation: Callable[[Body], Observation]
    stream: WriteStream
    error_event: Callable[[str], bytes]
    """Writes an error in mid-stream, from its message."""
    envelope: Callable[[str, str], Mapping[str, object]]
    """Writes the body of an error status, from its kind and its message."""
    count_path: str = ""
    """Where a request is counted only."""
    check_count: Callable[[Body], None] | None = None
    """Raises ``Refused`` for a body that cannot be counted; ``None``: nothing is counted."""


def bearer_refusal(headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Refuse a request without a bearer token."""
    if headers.get("authorization", "").removeprefix("Bearer ").strip():
        return None
    return 401, "You didn't provide an API key."


def openai_envelope(kind: str, message: str) -> Mapping[str, object]:
    """Return OpenAI's envelope of an error."""
    return {"error": {"type": kind, "message": message, "param": None, "code": None}}


def _anthropic_refusal(headers: Mapping[str, str]) -> tuple[int, str] | None:
    bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not (headers.get("x-api-key") or bearer):
        return 401, "x-api-key header is required"
    if not headers.get("anthropic-version"):
        return 400, "anthropic-version: header is required"
    return None


def _anthropic_envelope(kind: str, message: str) -> Mapping[str, object]:
    error = {"type": kind, "message": message}
    return {"type": "error", "error": error, "request_id": "req_1"}


def _anthropic_stream(turn: ScriptedTurn, body: Body, /, *, number: int) -> bytes:
    return anthropic_stream(turn, model=str(body["model"]), number=number)


def _openai_stream(turn: ScriptedTurn, body: Body, /, *, number: int) -> bytes:
    with_usage = "stream_options" in body
    return openai_stream(turn, model=str(body["model"]), number=number, with_usage=with_usage)


def _responses_stream(turn: ScriptedTurn, body: Body, /, *, number: int) -> bytes:
    return responses_stream(turn, model=str(body["model"]), number=number)


ANTHROPIC_WIRE = ServedWire(
    name=ANTHROPIC,
    path="/v1/messages",
    refusal=_anthropic_refusal,
    check=check_anthropic,
    observation=anthropic_observation,
    stream=_anthropic_stream,
    error_event=lambda message: anthropic_error_event("overloaded_error", message),
    envelope=_anthropic_envelope,
    count_path="/v1/messages/count_tokens",
    check_count=check_anthropic_count,
)
OPENAI_WIRE = ServedWire(
    name=OPENAI,
    path="/v1/chat/completions",
    refusal=bearer_refusal,
    check=check_openai,
    observation=openai_observation,
    stream=_openai_stream,
    error_event=openai_error_event,
    envelope=openai_envelope,
)
RESPONSES_WIRE = ServedWire(
    name=RESPONSES,
    path="/v1/responses",
    refusal=bearer_refusal,
    check=lambda body: check_responses(body, encrypted=ENCRYPTED),
    observation=responses_observation,
    stream=_responses_stream,
    error_event=responses_error_event,
    envelope=openai_envelope,
    count_path="/v1/responses/input_tokens",
    check_count=lambda body: check_counted(body, encrypted=ENCRYPTED),
)
COPILOT_WIRE = replace(OPENAI_WIRE, name=COPILOT, path="/copilot/chat/completions")
"""Chat behind GitHub's exchange of tokens, which the server answers too."""
SERVED = (ANTHROPIC_WIRE, OPENAI_WIRE, RESPONSES_WIRE, COPILOT_WIRE)
