"""Values for a command inside a command.

Owns the two forms that such a command has: words, or shell text. Proven by
tests/unit/policy/test_wrappers.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.policy.shell_words import Field


@dataclass(frozen=True, slots=True)
class InnerWords:
    """A command given as words."""

    words: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class InnerScript:
    """A command given as shell text."""

    text: Field
    positional: tuple[Field, ...] = ()
    """``$0``, ``$1`` and so on."""


Inner = InnerWords | InnerScript


def joined(args: Sequence[Field]) -> Field:
    """Return words as the one text that a shell makes of them."""
    return Field(
        text=" ".join(arg.text for arg in args),
        is_certain=all(arg.is_certain for arg in args),
        is_downloaded=any(arg.is_downloaded for arg in args),
    )
