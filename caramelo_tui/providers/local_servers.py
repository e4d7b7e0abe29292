"""Find the model servers that already run on this machine.

Owns the probes: one small request to each port on which such servers listen, all at once, for a
moment only. Nothing but loopback is asked, no proxy and no key take part, and no SDK is loaded.
What a server says about itself is text from outside. Proven by
tests/unit/providers/test_local_servers.py.

Sources, read 2026-11-30: the projects' own pages on their servers and on their list of models:
Ollama ("OpenAI compatibility"), LM Studio ("OpenAI compatibility endpoints"), llama.cpp
(tools/server), vLLM ("OpenAI-compatible server").
"""

import asyncio
import ipaddress
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit

from caramelo_tui.providers.endpoints import openai_base_url
from caramelo_tui.providers.presets import LOCAL_PRESETS, PRESETS
from caramelo_tui.providers.vendor_json import as_list, as_object, name_at, parse_object, text_at

LIMIT_S = 0.3
"""Seconds for all probes together: a server on this machine answers in a few milliseconds."""
LIMIT_BYTES = 1024 * 1024
"""Longest answer that is read."""
MOST_MODELS = 200
"""Models that are taken of one server."""

_HTTP_PORT = 80
_OWNERS = MappingProxyType({"llamacpp": "llamacpp", "vllm": "vllm"})
"""Who a list of models says it is from, by what stands in ``owned_by``."""

LOCAL_ADDRESSES: Mapping[str, str] = MappingProxyType(
    {name: PRESETS[name].base_url for name in LOCAL_PRESETS}
)
"""Where each kind of server listens unless it is told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A server that answered."""

    name: str
    """The preset that speaks to it."""
    base_url: str
    """Its address, with the version path."""
    models: tuple[str, ...]
    """What it serves, in its own order; empty when nothing is loaded. Text from outside."""


async def find_local_servers(
    addresses: Mapping[str, str] = LOCAL_ADDRESSES, *, limit_s: float = LIMIT_S
) -> tuple[LocalServer, ...]:
    """Return the servers that answer with a list of models, in the order of ``addresses``.

    Whatever goes wrong at an address means that there is no server. Cancelled, all probes end.

    Args:
        addresses: Base URL of each preset; those that are not on loopback are not asked.
        limit_s: Seconds for all of them together.
    """
    async with asyncio.TaskGroup() as group:
        probes = [
            group.create_task(_probe(name, address, limit_s)) for name, address in addresses.items()
        ]
    return tuple(server for probe in probes if (server := probe.result()) is not None)


def find_local_server(name: str, address: str, *, limit_s: float = LIMIT_S) -> LocalServer | None:
    """Return the server at one address, ``None`` when none answers; for callers without a loop.

    Blocks for at most ``limit_s`` seconds.
    """
    # A thread of its own: the caller's may have a loop that runs.
    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(asyncio.run, find_local_servers({name: address}, limit_s=limit_s))
        return next(iter(found.result()), None)


def is_loopback(base_url: str) -> bool:
    """Whether an address names this machine, without asking any name server."""
    try:
        host = urlsplit(base_url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _probe(name: str, address: str, limit_s: float) -> LocalServer | None:
    if not is_loopback(address):
        return None
    try:
        base_url = openai_base_url(address)
        async with asyncio.timeout(limit_s):
            listed = as_list((await _models_at(base_url)).get("data"))
    except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        # Nobody listens there, or something else does (``TimeoutError`` is an ``OSError``).
        return None
    models = tuple(dict.fromkeys(_names(listed)))
    owners = (text_at(as_object(each), "owned_by") for each in listed)
    owner = next((_OWNERS[each] for each in owners if each in _OWNERS), name)
    return LocalServer(name=owner, base_url=base_url, models=models[:MOST_MODELS])


def _names(listed: object) -> Iterator[str]:
    for each in as_list(listed):
        if model := name_at(as_object(each), "id"):
            yield model


async def _models_at(base_url: str) -> Mapping[str, object]:
    """Return the list that a server gives.

    Raises:
        OSError: If nobody listens there.
        ValueError: If what comes is no list of models.
        asyncio.IncompleteReadError: If it ends too early.
        asyncio.LimitOverrunError: If its head is too long.
    """
    parts = urlsplit(base_url)
    host, port = parts.hostname or "", parts.port or _HTTP_PORT
    # By number: a name could be resolved to something else.
    reader, writer = await asyncio.open_connection(
        "127.0.0.1" if host == "localhost" else host, port
    )
    try:
        # Version 1.0: the answer comes in one piece, and the connection ends with it.
        request = f"GET {parts.path}/models HTTP/1.0\r\nHost: {parts.netloc}\r\nAccept: */*\r\n\r\n"
        writer.write(request.encode("ascii"))
        head = await reader.readuntil(b"\r\n\r\n")
        if head.split(b" ", 2)[1:2] != [b"200"]:
            raise ValueError("no list of models")
        body = await _body(reader, head)
    finally:
        # Aborted, not closed: nothing of ours is left to be sent.
        writer.transport.abort()
    listed = parse_object(body.decode("utf-8", "replace"))
    if listed is None or not isinstance(listed.get("data"), list):
        raise ValueError("no list of models")
    return listed


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length" and value.strip().isdigit():
            return await reader.readexactly(min(int(value), LIMIT_BYTES))
    body = bytearray()
    while len(body) < LIMIT_BYTES and (more := await reader.read(LIMIT_BYTES)):
        body += more
    return bytes(body)
