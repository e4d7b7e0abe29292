"""Start a server that others wrote, and end it.

Owns the child program, its port and its end. What it is asked is the tests' matter.
"""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import aiohttp

from tests.peers.places import AIMOCK_SCRIPT, LLMOCK_PROGRAM

START_S = 20.0
"""Seconds within which a server listens, on a busy machine too."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _server(command: Sequence[str], port: int, home: Path) -> Iterator[str]:
    # Only what a program needs: the tests' own variables are not its business.
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment, cwd=home, stdin=quiet, stdout=quiet, stderr=quiet
    ) as process:
        try:
            _wait_until_listening(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


def _wait_until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_S
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=START_S).close()
        except OSError:
            assert time.monotonic() < end, "the server does not listen"
            # There is nothing to wait on but the port itself.
            time.sleep(0.05)
            continue
        return
    raise AssertionError("the server ended at its start")


class Llmock:
    """A running ``llmock``."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def reset(self) -> None:
        """Forget what was queued and what was asked."""
        async with (
            aiohttp.ClientSession() as client,
            client.post(f"{self.url}/_llmock/reset") as answer,
        ):
            assert answer.status < 300, await answer.text()

    async def queue(self, *behaviours: Mapping[str, object]) -> None:
        """Let the next requests go wrong, or be answered, as told."""
        async with aiohttp.ClientSession() as client:
            body = {"behaviors": list(behaviours)}
            async with client.post(f"{self.url}/_llmock/scenario", json=body) as answer:
                assert answer.status < 300, await answer.text()

    async def findings(self) -> list[str]:
        """Return what it holds against its clients, by the names of its own."""
        async with (
            aiohttp.ClientSession() as client,
            client.get(f"{self.url}/_llmock/verdict") as answer,
        ):
            verdict = await answer.json()
        return [str(finding) for finding in verdict["findings"]]


@contextmanager
def llmock(home: Path, *options: str) -> Iterator[Llmock]:
    """Run ``llmock`` for the time of the block."""
    port = _free_port()
    command = [str(LLMOCK_PROGRAM), "serve", "-p", str(port), "--log-level", "warning", *options]
    with _server(command, port, home) as url:
        yield Llmock(url)


@contextmanager
def aimock(home: Path, fixtures: Sequence[Mapping[str, object]], *options: str) -> Iterator[str]:
    """Run ``aimock`` on fixtures for the time of the block; gives its address."""
    port = _free_port()
    file = home / "fixtures.json"
    file.write_text(json.dumps({"fixtures": list(fixtures)}), encoding="utf-8")
    command = ["node", str(AIMOCK_SCRIPT), "-p", str(port), "-f", str(file)]
    with _server([*command, "--log-level", "silent", *options], port, home) as url:
        yield url
