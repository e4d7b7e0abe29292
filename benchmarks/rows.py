"""Rows of figures that have no target, and their table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured figure."""

    what: str
    unit: str
    median: float
    smallest: float
    largest: float
    rounds: int


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | median | spread | rounds |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {row.what} | {row.median} {row.unit} | {row.smallest} to {row.largest} | {row.rounds} |"
        for row in rows
    ]
    return "\n".join(lines)
