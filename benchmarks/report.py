"""Make the JSON and the table of what was measured; every number comes from the samples.

Owns medians, spreads, targets that follow from floors, and what counts as missed. Proven by
tests/unit/benchmarks/test_report.py.
"""

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from benchmarks.figures import HALF, Direction, Figure, Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One line of the table."""

    key: str
    what: str
    unit: str
    value: float | None
    """The median, or what the figure's share says; ``None``: it could not be measured."""
    smallest: float | None
    largest: float | None
    count: int
    """Values it is drawn from."""
    direction: Direction
    target: float | None
    target_words: str
    """How the target follows from a floor; empty: it stands by itself."""
    ratio: float | None
    """To the floor, where there is one."""
    is_missed: bool


def results(figures: Sequence[Figure], samples: Samples) -> list[Result]:
    """Return a result for each figure, also for those that have no values."""
    return [_result(figure, samples) for figure in figures]


def share_of(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of all lies; the nearest one that was taken.

    Raises:
        ValueError: If there are no values.
    """
    if share == HALF:
        return statistics.median(values)
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _result(figure: Figure, samples: Samples) -> Result:
    values = samples.get(figure.samples, ())
    value = share_of(values, figure.share) if values else None
    target, ratio, words = figure.target, None, ""
    if figure.floor is not None and (floors := samples.get(figure.floor.samples)):
        floor = statistics.median(floors)
        target, words = figure.floor.target(floor), figure.floor.words
        ratio = None if value is None else value / floor
    return Result(
        key=figure.key,
        what=figure.what,
        unit=figure.unit,
        value=value,
        smallest=min(values, default=None),
        largest=max(values, default=None),
        count=len(values),
        direction=figure.direction,
        target=target,
        target_words=words,
        ratio=ratio,
        is_missed=value is not None and target is not None and not _is_met(figure, value, target),
    )


def _is_met(figure: Figure, value: float, target: float) -> bool:
    # As shown: a figure that is told as its target is not marked as missed.
    shown, bound = round(value, 2), round(target, 2)
    return shown <= bound if figure.direction is Direction.AT_MOST else shown >= bound


def table(lines: Sequence[Result]) -> str:
    """Return the lines as a Markdown table, with the targets beside, and misses marked."""
    out = ["| what | figure | spread | of | target | |", "| --- | --: | --: | --: | --: | --- |"]
    for line in lines:
        spread = "-" if line.count < 2 else f"{_number(line.smallest)} to {_number(line.largest)}"
        ratio = "" if line.ratio is None else f" ({line.ratio:.2f} x)"
        figure = "not measured" if line.value is None else f"{_number(line.value)} {line.unit}"
        words = f" ({line.target_words})" if line.target_words else ""
        target = "" if line.target is None else f"{line.direction} {_number(line.target)}{words}"
        mark = _mark(line)
        out.append(
            f"| {line.what} | {figure}{ratio} | {spread} | {line.count} | {target} | {mark} |"
        )
    return "\n".join(out)


def _mark(line: Result) -> str:
    if line.value is None:
        return "**not measured**"
    if line.target is None:
        return ""
    return "**missed**" if line.is_missed else "met"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")


def document(
    facts: Mapping[str, str],
    lines: Sequence[Result],
    failures: Mapping[str, str],
    hows: Mapping[str, str],
) -> str:
    """Return the whole Markdown page."""
    missed = sum(line.is_missed for line in lines if line.value is not None)
    with_target = sum(None not in {line.target, line.value} for line in lines)
    parts = [
        "# Figures of one run",
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
        f"{with_target - missed} of {with_target} targets met. Compare figures of one run only.",
        table(lines),
    ]
    parts.append("## How")
    parts.append("\n".join(f"- {group}: {how}." for group, how in hows.items()))
    if failures:
        parts.append("## Could not be measured")
        parts.append("\n".join(f"- {group}: {why}" for group, why in failures.items()))
    return "\n\n".join(parts) + "\n"


def data(
    facts: Mapping[str, str],
    lines: Sequence[Result],
    samples: Samples,
    failures: Mapping[str, str],
) -> str:
    """Return the JSON: the same, with every single value."""
    whole = {
        "facts": dict(facts),
        "results": [asdict(line) for line in lines],
        "samples": {name: [*values] for name, values in samples.items()},
        "failures": dict(failures),
    }
    return json.dumps(whole, indent=1)
