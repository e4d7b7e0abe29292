"""Say what was noticed about a command.

Owns the value; the rules that make it are in ``dangers`` and ``risk``. Proven by
tests/unit/policy/test_risk.py.
"""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How much a finding weighs; the heaviest one decides."""

    NOTE = 1
    """Shown to who decides; decides nothing."""
    ASK = 2
    """Not without a person."""
    DENY = 3
    """Not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing worth knowing about a command."""

    code: str
    """Stable short kind, such as ``recursive_remove``."""
    note: str
    """In plain words, completing "this command …"."""
    level: Level = Level.ASK
