"""What only the person asks of the agent: git, and the rules of the session.

Owns doubles of ``GitPort`` and ``RulesPort`` that answer from what a test sets.
"""

from dataclasses import dataclass, field

from caramelo_tui.agent.rules_port import SessionRule
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

    def take_back(self, rule: SessionRule) -> bool:
        """Remember the wish."""
        if rule not in self.made:
            return False
        self.taken_back.append(rule)
        self.made = tuple(other for other in self.made if other != rule)
        return True
