"""Say how a workspace may change a setting: stricter only.

Owns the rules by which a trusted workspace's file adds to lists and lowers limits. A rule gets
what holds so far and what the workspace asks for, and returns what holds then; it raises
``ValueError`` that says why, when that would loosen anything. Proven by
tests/unit/config/test_tightening.py and tests/property/test_workspace_settings.py.
"""

from collections.abc import Callable
from typing import cast

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import ProtectedAction

Tighten = Callable[[object, object], object]
"""Takes the present value and the asked one; returns the value that holds then."""

MODES_BY_STRICTNESS = (
    ApprovalMode.PLAN,
    ApprovalMode.EACH,
    ApprovalMode.REVIEW,
    ApprovalMode.AUTO,
)
"""Strictest first. ``plan`` changes nothing at all; ``each`` puts every write in front of the
user by itself, ``review`` those of a turn at once; ``auto`` asks for none."""


def add(present: object, asked: object) -> object:
    """Return a list with what it lacks of another behind it; it never grows shorter."""
    kept = cast("tuple[str, ...]", present)
    return (
        *kept,
        *dict.fromkeys(item for item in cast("tuple[str, ...]", asked) if item not in kept),
    )


def lower(present: object, asked: object) -> object:
    """Return the lower one of two limits; ``None`` is no limit.

    Raises:
        ValueError: If the asked one is higher.
    """
    wanted = cast("float", asked)
    if present is not None and wanted > cast("float", present):
        msg = f"a workspace may only lower it, and {wanted:g} is above {cast('float', present):g}"
        raise ValueError(msg)
    return asked


def stricter_mode(present: object, asked: object) -> object:
    """Return the stricter one of two approval modes.

    Raises:
        ValueError: If the asked one is looser.
    """
    order = MODES_BY_STRICTNESS
    now, wanted = cast("ApprovalMode", present), cast("ApprovalMode", asked)
    if order.index(wanted) > order.index(now):
        msg = f"a workspace may only choose a stricter mode, and {wanted} is looser than {now}"
        raise ValueError(msg)
    return wanted


def stricter_action(present: object, asked: object) -> object:
    """Return the stricter one of two answers to a write to a protected path.

    Raises:
        ValueError: If the asked one is looser.
    """
    if present == ProtectedAction.DENY and asked != ProtectedAction.DENY:
        raise ValueError("a workspace may only turn ask into deny")
    return asked
