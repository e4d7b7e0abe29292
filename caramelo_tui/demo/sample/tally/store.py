"""Read expenses from a text file."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True)
class Expense:
    """One line of the file."""

    day: str
    category: str
    amount: Decimal
    note: str


def load(path: Path) -> list[Expense]:
    """Return the expenses in the order of the file."""
    expenses = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        day, category, amount, note = line.split(maxsplit=3)
        expenses.append(Expense(day, category, Decimal(amount), note))
    return expenses
