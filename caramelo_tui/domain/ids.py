"""Name the identifiers that travel between rooms.

Owns the id types and the sources of ids and time that are injected, so that tests are
deterministic. Proven by tests/unit/domain/test_ids.py.
"""

import time
import uuid
from typing import NewType, Protocol

SessionId = NewType("SessionId", str)
"""One conversation on one workspace."""
RunId = NewType("RunId", str)
"""One run: from a user prompt to the agent's stop."""
TurnId = NewType("TurnId", str)
"""One provider request and the calls that it made."""
CallId = NewType("CallId", str)
"""One tool call, as the provider named it (made unique within the session)."""
ApprovalId = NewType("ApprovalId", str)
"""One question to the user."""
HunkId = NewType("HunkId", str)
"""One proposed hunk: ``<call id>:<index>``, index from 0."""


class Clock(Protocol):
    """The two clocks the agent reads."""

    def now(self) -> float:
        """Return seconds since the Unix epoch, UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back, from an arbitrary start."""
        ...


class IdSource(Protocol):
    """Where new ids come from."""

    def new(self, prefix: str) -> str:
        """Return a fresh id that starts with ``prefix`` and a dash."""
        ...


class SystemClock:
    """The machine's clocks."""

    def now(self) -> float:
        """Return seconds since the Unix epoch, UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()


class RandomIds:
    """Ids that do not repeat over sessions."""

    def new(self, prefix: str) -> str:
        """Return ``prefix``, a dash, and 12 hexadecimal digits."""
        return f"{prefix}-{uuid.uuid4().hex[:12]}"


class CountingIds:
    """Ids that count up, for tests and for transcripts that must not vary."""

    def __init__(self) -> None:
        self._count = 0

    def new(self, prefix: str) -> str:
        """Return ``prefix``, a dash, and the next number from 1."""
        self._count += 1
        return f"{prefix}-{self._count}"
