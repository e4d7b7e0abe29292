"""Speak with the system's keyring, as a program of its own.

Owns the only import of ``keyring``: whatever its backends do (hang, ask, print, crash) happens in
this process, which the parent ends after a time. One JSON object comes on standard input, one
goes to standard output; of an error nothing is passed on, since its text might hold a key.
Imports nothing of this program, and is started by ``keyring_store`` only. Proven by
tests/unit/config/test_keyring_store.py.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

SERVICE = "caramelo-tui"
"""Under which name the keys are kept."""
LEAST_PRIORITY = 1.0
"""Below it a backend is no real keyring: ``fail`` and ``null``, or a plain text file."""


class Keyring(Protocol):
    """What is used of a backend."""

    priority: float

    def get_password(self, service: str, username: str) -> str | None:
        """Return what is kept."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep it."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Keep it no longer."""
        ...


def answer(keyring: Keyring, asked: Mapping[str, object]) -> Mapping[str, object]:
    """Carry out one request.

    Args:
        keyring: The backend.
        asked: ``do`` is ``probe``, ``read``, ``write`` or ``delete``; ``names`` are whose keys,
            ``key`` is what is written.

    Returns:
        ``{"backend", "usable"}``, and what was read as ``{"keys": {name: key}}``.
    """
    kind = type(keyring)
    head: dict[str, object] = {
        "backend": f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}",
        "usable": float(keyring.priority) >= LEAST_PRIORITY,
    }
    if not head["usable"]:
        return head
    names = [str(name) for name in cast("Sequence[object]", asked.get("names", ()))]
    match asked["do"]:
        case "read":
            found = {name: keyring.get_password(SERVICE, name) for name in names}
            head["keys"] = {name: key for name, key in found.items() if key}
        case "write":
            for name in names:
                keyring.set_password(SERVICE, name, str(asked["key"]))
        case "delete":
            for name in names:
                if keyring.get_password(SERVICE, name):
                    keyring.delete_password(SERVICE, name)
        case _:
            pass
    return head


def main() -> None:
    """Answer one request; where the backend fails, the process ends without an answer."""
    asked = cast("Mapping[str, object]", json.load(sys.stdin))
    # A backend may print; what the parent reads must be ours alone.
    out = os.dup(1)
    os.dup2(2, 1)
    # An extra, and 280 ms: imported only here, and by name, since it need not be installed.
    library = importlib.import_module("keyring")
    told = answer(cast("Keyring", library.get_keyring()), asked)
    os.write(out, json.dumps(told).encode())


if __name__ == "__main__":
    main()
