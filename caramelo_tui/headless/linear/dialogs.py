"""Say what every question of the agent has in common.

Owns the shape of a question and of what a typed line leads to. Proven by
tests/unit/headless/test_linear_questions.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.approvals import ApprovalAnswer, ApprovalRequest
from caramelo_tui.domain.screen_text import visible

_MOST_DIGITS = 9
"""Digits of a number that is typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a line led to."""

    say: tuple[str, ...] = ()
    """Lines for the user."""
    answer: ApprovalAnswer | None = None
    """What the agent is told; the question is closed with it."""
    asks_anew: bool = False
    """Whether the question stands there again, so that its guard begins anew."""


class Dialog(Protocol):
    """One question of the agent."""

    @property
    def request(self) -> ApprovalRequest:
        """The frozen question."""
        ...

    @property
    def takes_text(self) -> bool:
        """Whether the next lines are text of any kind, pasted or not, and no answer."""
        ...

    @property
    def undecided(self) -> int:
        """Hunks without a decision; 0 for questions without hunks."""
        ...

    def text(self) -> tuple[str, ...]:
        """Return the whole question, with its choices at the end."""
        ...

    async def take(self, lines: Sequence[str]) -> Reply:
        """Take what was typed; several lines only where ``takes_text``."""
        ...


def one_line(text: str, *, is_exact: bool = False) -> str:
    """Return text from outside as one safe line.

    Args:
        text: Any text.
        is_exact: Whether letters that only look like others are marked, as in paths and hosts.
    """
    return visible(text, keeps_newlines=False, marks_look_alikes=is_exact)


def number_in(text: str) -> int | None:
    """Return the whole number that was typed, from 0; ``None`` for anything else.

    More digits than any number here can have are none.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None


def numbered(choices: Sequence[str]) -> str:
    """Return choices with their numbers, from 1."""
    return " ".join(f"{number} {choice}." for number, choice in enumerate(choices, 1))


def chosen(line: str, choices: Sequence[str]) -> int | None:
    """Return the index of the choice whose number was typed; ``None`` for anything else."""
    text = line.strip()
    numbers = [str(number) for number in range(1, len(choices) + 1)]
    return numbers.index(text) if text in numbers else None


def not_an_answer(line: str, count: int) -> str:
    """Return what is said of a line that answers nothing."""
    typed = "An empty line" if not line.strip() else "That"
    return f"{typed} answers nothing. Type a number from 1 to {count} and press Enter."
