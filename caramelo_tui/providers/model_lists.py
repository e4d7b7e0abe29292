"""Ask an endpoint which models it serves.

Owns the one request ``GET …/models``, which compatible servers and both vendors answer alike: an
object whose ``data`` is a list of objects with an ``id``. Proven by
tests/contract/test_model_lists.py.

Sources, read 2026-11-30: "List models" of developers.openai.com and of platform.claude.com.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import cast

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest, StreamBroken
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import anthropic_base_url, host_of, openai_base_url
from caramelo_tui.providers.presets import Wire
from caramelo_tui.providers.sdk_client import http_client_of
from caramelo_tui.providers.vendor_json import as_object, name_at, parse_object

TIME_LIMIT_S = 5.0
"""Seconds for the whole answer: somebody waits at a list."""
MOST_BYTES = 8 * 1024 * 1024
"""Largest answer that is read; the longest known list has a tenth of it."""
MOST_MODELS = 2_000
"""Names that are taken of a list."""
_OK = 200
_UNAUTHORIZED = frozenset({401, 403})


async def ask_for_models(
    settings: EndpointSettings,
    wire: Wire,
    *,
    time_limit_s: float = TIME_LIMIT_S,
    most_bytes: int = MOST_BYTES,
) -> tuple[str, ...]:
    """Return the names of the models that an endpoint serves, each once, in its order.

    Raises:
        BadRequest: If the endpoint has no such list, or too long a one.
        AuthenticationFailed: If it does not take the key; the message does not hold it.
        StreamBroken: If it cannot be reached, or does not answer in time.
    """
    try:
        url, headers = _request(settings, wire)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    host = host_of(url)
    try:
        async with asyncio.timeout(time_limit_s):
            status, content = await _fetch(settings, url, headers, most_bytes)
    except TimeoutError as error:
        msg = f"{host} did not answer within {time_limit_s:g} s."
        raise StreamBroken(msg) from error
    if status in _UNAUTHORIZED:
        msg = f"{host} does not take the key (HTTP {status})."
        raise AuthenticationFailed(msg)
    if status != _OK:
        msg = f"{host} has no list of models (HTTP {status})."
        raise BadRequest(msg)
    return _names(parse_object(content.decode("utf-8", "replace")), host)


def _request(settings: EndpointSettings, wire: Wire) -> tuple[str, Mapping[str, str]]:
    key = settings.usable_key()
    if wire is Wire.MESSAGES:
        url = f"{anthropic_base_url(settings.base_url)}/v1/models?limit=1000"
        return url, {"x-api-key": key, "anthropic-version": "2023-06-01"}
    if wire in {Wire.CHAT, Wire.RESPONSES}:
        return f"{openai_base_url(settings.base_url)}/models", {"authorization": f"Bearer {key}"}
    raise BadRequest("This provider has no list of models that can be asked for.")


async def _fetch(
    settings: EndpointSettings, url: str, headers: Mapping[str, str], most_bytes: int
) -> tuple[int, bytes]:
    import httpx2  # noqa: PLC0415 - paid for by whoever asks

    content = bytearray()
    try:
        async with (
            http_client_of(httpx2.AsyncClient, settings, TIME_LIMIT_S) as client,
            client.stream("GET", url, headers={"accept": "application/json", **headers}) as answer,
        ):
            async for part in answer.aiter_bytes():
                content += part
                if len(content) > most_bytes:
                    msg = f"The list of {host_of(url)} is too long."
                    raise BadRequest(msg)
            return answer.status_code, bytes(content)
    except httpx2.RequestError as error:
        reason = str(error) or "the connection was lost"
        msg = f"Could not reach {host_of(url)}: {reason}."
        raise StreamBroken(msg) from error


def _names(body: Mapping[str, object] | None, host: str) -> tuple[str, ...]:
    rows = body.get("data") if body is not None else None
    if not isinstance(rows, list):
        msg = f"{host} answered with something that is no list of models."
        raise BadRequest(msg)
    names = dict.fromkeys(_ids(cast("list[object]", rows)))
    return tuple(names)[:MOST_MODELS]


def _ids(rows: list[object]) -> Iterator[str]:
    for row in rows:
        # Google's compatible endpoint puts the kind before the name.
        name = name_at(as_object(row), "id").removeprefix("models/")
        if name:
            yield name
