"""What the user interface may ask about the rules that the user made for the session.

Owns the protocol and its value. ``agent/session_rules.py`` implements it; tests of the UI use a
double. Proven by tests/pilot/test_session_grants.py and tests/unit/agent/test_session_rules.py.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRule:
    """A grant of writes, or a block of commands."""

    pattern: str
    meaning: str
    """What it does, as a sentence."""
    is_block: bool


class RulesPort(Protocol):
    """Grants and blocks of one session."""

    @property
    def made(self) -> tuple[SessionRule, ...]:
        """All that are in force: grants first, each kind in the order in which they were made."""
        ...

    def take_back(self, rule: SessionRule) -> bool:
        """End a rule; what is decided already stays. ``False`` when it is not in force."""
        ...
