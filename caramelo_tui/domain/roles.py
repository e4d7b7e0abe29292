"""Name the roles that a sub-agent can be given.

Owns the built-in names and the value of ``[roles.NAME]``. Proven by
tests/unit/agent/test_subagents.py and tests/unit/config/.
"""

from dataclasses import dataclass

DEFAULT_ROLE = "coder"
BUILT_IN_ROLES = ("fast", "coder", "architect")
"""Roles that can always be asked for; one that is not configured uses the parent's model."""

SUMMARY_ROLE = "fast"
"""The role whose model sums up what no longer fits into a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSettings:
    """The table ``[roles.NAME]``."""

    provider: str | None = None
    """Name of a provider; ``None``: the parent's."""
    model: str | None = None
    """``None``: the parent's model, or the default of ``provider``."""
