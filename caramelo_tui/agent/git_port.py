"""What the user interface may ask about the workspace's repository.

Owns the protocol. ``agent/git_view.py`` implements it; tests of the UI use a double. Proven by
tests/pilot/test_git_signs.py and tests/unit/agent/test_git_view.py.
"""

from typing import Protocol

from caramelo_tui.domain.git_state import GitStates, HeadChanges


class GitPort(Protocol):
    """The repository as the person sees it; reads only."""

    async def states(self) -> GitStates | None:
        """Return what is not as in the last commit; ``None`` where there is no repository."""
        ...

    async def head_changes(self) -> HeadChanges:
        """Return what differs from the last commit.

        Raises:
            ToolFailure: If there is no repository, or git fails.
        """
        ...
