"""Hold what the user configured for the policy, each rule with where it came from.

Owns values only; what they mean is the policy's business, where they are read the
configuration's. Proven by tests/unit/policy/test_engine.py and tests/unit/config/.
"""

from dataclasses import dataclass
from enum import StrEnum

BUILT_IN = "built in"
"""Origin of a rule that no file states."""
THIS_SESSION = "this session"
"""Origin of what the user chose or made meanwhile."""


class ProtectedAction(StrEnum):
    """What becomes of a write to a protected path."""

    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One pattern that somebody wrote down."""

    text: str
    """The pattern, such as ``.env*`` or ``git push --force``."""
    origin: str = BUILT_IN
    """``built in``, ``this session``, or file and line such as ``~/.config/…/config.toml:12``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLimit:
    """A limit for the session's count of changed lines."""

    lines: int
    origin: str = BUILT_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings:
    """The table ``[policy]``, merged over its layers."""

    protected_paths: tuple[Rule, ...] = ()
    """Further patterns, on top of those that are built in."""
    blocked_commands: tuple[Rule, ...] = ()
    """Further commands, on top of those that are built in."""
    protected_action: ProtectedAction = ProtectedAction.ASK
    protected_action_origin: str = BUILT_IN
    max_diff_lines: LineLimit | None = None
    """``None``: the profile's own (500 in ``core``, none in ``caramelo``)."""
    require_approval_above: LineLimit | None = None
    """``None``: the profile's own (200 in ``core``, none in ``caramelo``)."""
