"""Look up names for requests to the web.

Owns the system's resolver behind a protocol, and the protocol of a connector. Checks nothing:
``host_rules`` judges what a look-up gave before anything is contacted. Proven by
tests/unit/tools/web/test_network.py.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import httpcore2


class Resolver(Protocol):
    """Finds the addresses of a name."""

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Return all addresses, the best first.

        Raises:
            OSError: If the name does not resolve.
        """
        ...


class Connector(Protocol):
    """Opens connections to addresses that were checked."""

    async def connect(
        self, address: str, port: int, timeout_s: float
    ) -> "httpcore2.AsyncNetworkStream":
        """Return an open TCP stream.

        Raises:
            httpcore2.ConnectError: If nothing answers there.
            httpcore2.ConnectTimeout: If nothing answered in time.
        """
        ...


class SystemResolver:
    """Asks the system, as every other program on the machine does."""

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Return all addresses of a name, in the system's order.

        A cancelled look-up goes on in its thread, which nothing waits for: the system's call
        cannot be interrupted.

        Raises:
            OSError: If the name does not resolve.
        """
        return await _in_daemon_thread(lambda: _look_up(host, port))


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def _in_daemon_thread(look_up: Callable[[], list[str]]) -> list[str]:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found or [])

    def work() -> None:
        found, error = None, None
        try:
            found = look_up()
        except (OSError, UnicodeError) as problem:
            error = problem if isinstance(problem, OSError) else OSError(str(problem))
        # A loop that was closed meanwhile has nobody who waits for the answer.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, found, error)

    # No thread of asyncio's pool: the program's end would wait for a name server that is dead.
    threading.Thread(target=work, name="web-look-up", daemon=True).start()
    return await answer
