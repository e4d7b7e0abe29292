"""Add up expenses and show them."""

from collections import defaultdict
from decimal import Decimal

from tally.store import Expense


def totals(expenses: list[Expense]) -> dict[str, Decimal]:
    """Return the sum of each category, largest first."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for expense in expenses:
        sums[expense.category] += expense.amount
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def render_text(sums: dict[str, Decimal]) -> str:
    """Return one aligned line per category."""
    width = max((len(name) for name in sums), default=0)
    lines = [f"{name:<{width}} {amount:>9.2f}" for name, amount in sums.items()]
    return "\n".join(lines)
