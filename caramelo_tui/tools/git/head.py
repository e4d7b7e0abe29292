"""Know which branch and commit the working tree stands on.

Owns the reading of HEAD. Proven by tests/unit/tools/git/test_head.py.
"""

from dataclasses import dataclass

from caramelo_tui.tools.git.program import OpenRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where HEAD is."""

    branch: str
    """Name of the current branch; empty when HEAD is detached."""
    commit: str
    """Hash of the commit, 40 or 64 digits; empty when there is none yet."""

    @property
    def name(self) -> str:
        """The branch, or ``a detached HEAD``."""
        return self.branch or "a detached HEAD"


async def read_head(repository: OpenRepository) -> Head:
    """Return branch and commit.

    Raises:
        ToolFailure: If git fails.
    """
    branch = await repository.read("symbolic-ref", "--quiet", "HEAD", ends_with=(0, 1))
    commit = await repository.read(
        "rev-parse", "--verify", "--quiet", "HEAD^{commit}", ends_with=(0, 1)
    )
    return Head(branch=branch.text.strip().removeprefix("refs/heads/"), commit=commit.text.strip())
