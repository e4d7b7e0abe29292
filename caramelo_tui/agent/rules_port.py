"""What the user interface may ask about the rules that the user made for the session.

Owns the protocol and its value. ``agent/session_rules.py`` implements it; tests of the UI use a
double. Proven by tests/pilot/test_session_grants.py and tests/unit/agent/test_session_rules.py.
"""

from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.decisions import WriteGrant


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRule:
    """A grant of writes, or a block of commands."""

    pattern: str
    meaning: str
    """What it does, as a sentence."""
    is_block: bool


class RulesPort(Protocol):
    """Grants, blocks and the limit of changed lines of one session."""

    @property
    def made(self) -> tuple[SessionRule, ...]:
        """All that are in force: grants first, each kind in the order in which they were made."""
        ...

    def take_back(self, rule: SessionRule) -> bool:
        """End a rule; what is decided already stays. ``False`` when it is not in force."""
        ...

    def write_grants(self, path: str) -> tuple[WriteGrant, ...]:
        """Return what the user may grant at a write of ``path``, narrowest first."""
        ...

    def grant_writes(self, pattern: str, *, path: str) -> str:
        """Ask no more about writes that match, this session; protected paths go on asking.

        Returns:
            Why it was not taken (it does not match ``path``, or is no pattern); empty: taken.
        """
        ...

    def block_commands(self, pattern: str, *, command: str) -> str:
        """Refuse commands that match a pattern, this session.

        Returns:
            Why it was not taken (it would not have refused ``command``); empty: taken.
        """
        ...

    def block_meaning(self, pattern: str) -> str:
        """Return what such a rule would refuse, as a sentence; any text may be asked about."""
        ...

    def raise_limits(self) -> None:
        """Raise both limits of changed lines by their configured size."""
        ...

    def reset_lines(self) -> None:
        """Count changed lines from zero again."""
        ...
