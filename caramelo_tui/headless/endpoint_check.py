"""Ask the endpoint in use one small question, and explain what stands in the way.

Owns the request of ``caramelo doctor --online``: the list of models, with the key, within a
time. Nothing is sent without that flag. Proven by tests/unit/headless/test_endpoint_check.py.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import cast
from urllib.parse import urlsplit

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    Overloaded,
    ProviderError,
    RateLimited,
)
from caramelo_tui.headless.doctor_report import Check, good, problem, warning
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.presets import Wire

NAME = "endpoint"
LIMIT_S = 10.0
"""Seconds for the answer."""
_PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY")


def endpoint_check(settings: EndpointSettings, wire: Wire, environment: Mapping[str, str]) -> Check:
    """Ask for the list of models and say what came; blocks for some seconds at most.

    Args:
        settings: How the endpoint is reached; the key goes there and nowhere else.
        wire: What is spoken there.
        environment: The user's variables, for what is said of a proxy.
    """
    if wire in {Wire.SCRIPT, Wire.FILE}:
        return good(NAME, "this provider needs no network")
    host = urlsplit(settings.base_url).netloc.rpartition("@")[2]
    try:
        count = asyncio.run(_models(settings, wire))
    except ProviderError as error:
        return explained(error, environment)
    return good(NAME, f"{host} answers and takes the key: {count} models are listed")


async def _models(settings: EndpointSettings, wire: Wire) -> int:
    """Return how many models are listed.

    Raises:
        ProviderError: If there is no list.
    """
    if wire is not Wire.COPILOT:
        from caramelo_tui.providers.model_lists import ask_for_models  # noqa: PLC0415 - only with the flag

        return len(await ask_for_models(settings, wire, time_limit_s=LIMIT_S))
    from caramelo_tui.providers.copilot_http import GitHubHosts  # noqa: PLC0415 - as above
    from caramelo_tui.providers.copilot_models import list_models  # noqa: PLC0415 - as above

    hosts = GitHubHosts.of(settings.base_url)
    return len(await list_models(settings.key, hosts, timeout_s=LIMIT_S))


def explained(error: ProviderError, environment: Mapping[str, str]) -> Check:
    """Say what a failed question means, and what helps."""
    text = str(error)
    match error:
        case AuthenticationFailed():
            return problem(NAME, text, "give another key, or one that has the rights")
        case RateLimited() | Overloaded():
            return warning(NAME, text, "it is reached; try again later")
        case BadRequest() if "404" in text or "no list of models" in text:
            advice = "look at the base URL: many servers want /v1 at its end"
            return warning(NAME, text, advice)
        case _:
            return problem(NAME, text, f"{_reason(error)}{_proxy_words(environment)}")


def _reason(error: BaseException) -> str:
    """Return what helps against the first cause that is known."""
    causes = tuple(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "the name is not known: look at its spelling, and whether there is a network"
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return (
            "the connection is not safe: set SSL_CERT_FILE where a proxy of your company has a "
            "certificate of its own"
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return "nobody listens there: start the server, or look at the port"
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return "nothing came in time: look at the network, a firewall or a proxy"
    return "look at the address and at the network"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and all behind it, members of groups too; each once."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [each for each in (current.__cause__, current.__context__) if each is not None]
        if isinstance(current, BaseExceptionGroup):
            group = cast("BaseExceptionGroup[BaseException]", current)
            waiting += group.exceptions


def _proxy_words(environment: Mapping[str, str]) -> str:
    for name in _PROXY_VARIABLES:
        proxy = environment.get(name, "").strip()
        if proxy:
            # It may hold a password.
            host = urlsplit(proxy).hostname or "set"
            return f"; {name} sends it through {host}"
    return ""
