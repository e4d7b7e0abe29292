"""What only the person asks of the agent: git, and the rules of the session.

Owns doubles of ``GitPort`` and ``RulesPort`` that answer from what a test sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from caramelo_tui.agent.rules_port import SessionRule
from caramelo_tui.agent.session_rules import block_meaning
from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.git_state import GitStates, HeadChanges


@dataclass(slots=True)
class FakeGit:
    """A repository that a test describes."""

    now: GitStates | None = None
    """``None``: there is no repository."""
    head: HeadChanges | None = None
    """``None``: git fails."""
    looks: int = 0
    """How often the states were asked for."""

    async def states(self) -> GitStates | None:
        """Return what the test set."""
        self.looks += 1
        return self.now

    async def head_changes(self) -> HeadChanges:
        """Return what the test set.

        Raises:
            ToolFailure: If it set nothing.
        """
        if self.head is None:
            raise ToolFailure("no git repository here")
        return self.head


@dataclass(slots=True)
class FakeRules:
    """Rules that a test made."""

    made: tuple[SessionRule, ...] = ()
    taken_back: list[SessionRule] = field(default_factory=list[SessionRule])
    grants: Mapping[str, tuple[WriteGrant, ...]] = field(
        default_factory=dict[str, tuple[WriteGrant, ...]]
    )
    """What may be granted, by path."""
    granted: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Patterns that were granted, with the path they were granted at."""
    blocked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Patterns that were blocked, with the command they were blocked at."""
    refusal: str = ""
    """Why rules are not taken; empty: they are."""
    limit_wishes: list[str] = field(default_factory=list[str])
    """``raise`` and ``reset``, in order."""

    def take_back(self, rule: SessionRule) -> bool:
        """Remember the wish."""
        if rule not in self.made:
            return False
        self.taken_back.append(rule)
        self.made = tuple(other for other in self.made if other != rule)
        return True

    def write_grants(self, path: str) -> tuple[WriteGrant, ...]:
        """Return the grants that the test set."""
        return self.grants.get(path, ())

    def grant_writes(self, pattern: str, *, path: str) -> str:
        """Remember the grant, unless the test refuses."""
        if not self.refusal:
            self.granted.append((pattern, path))
        return self.refusal

    def block_commands(self, pattern: str, *, command: str) -> str:
        """Remember the rule, unless the test refuses."""
        if not self.refusal:
            self.blocked.append((pattern, command))
        return self.refusal

    def block_meaning(self, pattern: str) -> str:
        """Say it as the agent does."""
        return block_meaning(pattern)

    def raise_limits(self) -> None:
        """Remember the wish."""
        self.limit_wishes.append("raise")

    def reset_lines(self) -> None:
        """Remember the wish."""
        self.limit_wishes.append("reset")
