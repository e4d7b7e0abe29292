"""Run the strict model server as a program of its own, and read what it was asked."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parent.parent.parent


@dataclass(frozen=True, kw_only=True)
class RunningServer:
    """A model server on loopback."""

    url: str
    log: Path

    def requests(self) -> list[Mapping[str, Any]]:
        """Return the logged requests, oldest first.

        A request that the server refused is followed by ``{"refused": why}``.
        """
        if not self.log.exists():
            return []
        whole = self.log.read_text(encoding="utf-8").rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def bodies(self) -> list[Mapping[str, Any]]:
        """Return the bodies of all requests, oldest first.

        Raises:
            AssertionError: If one was refused.
        """
        requests = self.requests()
        assert not [request for request in requests if "refused" in request]
        return [request["body"] for request in requests]


@contextmanager
def model_server(
    scenario: str, folder: Path, *, faults: Sequence[Mapping[str, object] | None] = ()
) -> Iterator[RunningServer]:
    """Serve a scenario (TOML) until the block ends.

    Args:
        scenario: What the model says.
        folder: Gets the script, the port and the log.
        faults: For each request the fields of a ``Fault``, or ``None``; then all goes right.
    """
    script, port, log = folder / "scenario.toml", folder / "port", folder / "requests.jsonl"
    script.write_text(scenario, encoding="utf-8")
    (folder / "faults.json").write_text(json.dumps(list(faults)), encoding="utf-8")
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.doubles.model_server",
            "--scenario",
            str(script),
            "--port-file",
            str(port),
            "--log",
            str(log),
            "--faults",
            str(folder / "faults.json"),
        ],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        try:
            yield RunningServer(url=f"http://127.0.0.1:{port.read_text()}", log=log)
        finally:
            process.terminate()
            process.wait(timeout=10)
