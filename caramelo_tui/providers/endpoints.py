"""Understand base URLs as people write them.

Owns the forms of an endpoint's address: with and without ``/v1``, with a trailing slash, or
copied with the method's own path. Sends nothing. Proven by
tests/unit/providers/test_endpoints.py.
"""

from urllib.parse import urlsplit, urlunsplit

ANTHROPIC_BASE_URL = "https://api.anthropic.com"
"""The vendor's own endpoint; the SDK adds ``/v1/messages``."""

OPENAI_BASE_URL = "https://api.openai.com/v1"
"""The vendor's own endpoint; the SDK adds ``/chat/completions``."""


def anthropic_base_url(text: str) -> str:
    """Return the address without ``/v1``, as the Anthropic SDK wants it.

    Args:
        text: With or without ``/v1``; empty means the vendor's own endpoint.

    Raises:
        ValueError: If it is no http or https address; the message says so.
    """
    if not text.strip():
        return ANTHROPIC_BASE_URL
    base, path = _split(text)
    return base + path.removesuffix("/messages").removesuffix("/v1")


def openai_base_url(text: str) -> str:
    """Return the address with its version path, as the OpenAI SDK wants it.

    A path that is there is kept (``/v1beta/openai``, ``/api/v1``); ``/v1`` is added only
    where there is none.

    Args:
        text: With or without ``/v1``; empty means the vendor's own endpoint.

    Raises:
        ValueError: If it is no http or https address; the message says so.
    """
    if not text.strip():
        return OPENAI_BASE_URL
    base, path = _split(text)
    return base + (path.removesuffix("/chat/completions") or "/v1")


def responses_base_url(text: str) -> str:
    """Return the address as the OpenAI SDK wants it for the Responses API.

    Args:
        text: As for ``openai_base_url``, or copied with ``/responses``.

    Raises:
        ValueError: If it is no http or https address; the message says so.
    """
    return openai_base_url(text.strip().rstrip("/").removesuffix("/responses"))


def host_of(base_url: str) -> str:
    """Return the host and, where one is given, the port of an address, for messages."""
    return urlsplit(base_url).netloc.rpartition("@")[2]


def _split(text: str) -> tuple[str, str]:
    """Return scheme with host, and the path without its trailing slash.

    Raises:
        ValueError: If it is no http or https address.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        msg = "the base URL must start with http:// or https:// and name a host"
        raise ValueError(msg)
    return urlunsplit((parts.scheme, parts.netloc, "", "", "")), parts.path.rstrip("/")
