"""Say what was checked, what was found, and what to do about it.

Owns the form of ``caramelo doctor``; checks nothing. Every text is made safe for the screen.
Proven by tests/unit/headless/test_doctor_report.py.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.screen_text import visible

EXIT_PROBLEM = 1
"""Something does not work as it is."""


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    """Everything works, but for what the text names."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    level: Level
    text: str
    """What was found, in one sentence."""
    advice: str = ""
    """What to do; empty when nothing has to be done."""


def good(name: str, text: str) -> Check:
    """Return a finding that needs nothing."""
    return Check(name=name, level=Level.OK, text=text)


def warning(name: str, text: str, advice: str) -> Check:
    """Return a finding that takes something away."""
    return Check(name=name, level=Level.WARN, text=text, advice=advice)


def problem(name: str, text: str, advice: str) -> Check:
    """Return a finding that has to be mended."""
    return Check(name=name, level=Level.PROBLEM, text=text, advice=advice)


def exit_code(checks: Iterable[Check]) -> int:
    """Return 0, or ``EXIT_PROBLEM`` where one of the findings is a problem."""
    return EXIT_PROBLEM if any(check.level is Level.PROBLEM for check in checks) else 0


def text_report(checks: Sequence[Check]) -> str:
    """Return the findings for people, and how many need something."""
    names = max((len(check.name) for check in checks), default=0)
    levels = max(map(len, Level))
    lines: list[str] = []
    for check in checks:
        lines.append(f"{check.level:<{levels}}  {check.name:<{names}}  {_safe(check.text)}")
        if check.advice:
            lines.append(f"{'':{levels + names + 4}}→ {_safe(check.advice)}")
    counted = {level: sum(check.level is level for check in checks) for level in Level}
    lines += ["", f"problems: {counted[Level.PROBLEM]}, warnings: {counted[Level.WARN]}"]
    return "\n".join(lines) + "\n"


def json_report(checks: Sequence[Check]) -> str:
    """Return the findings for programs, an object a line."""
    return "".join(
        json.dumps(
            {
                "name": check.name,
                "level": check.level.value,
                "text": check.text,
                "advice": check.advice,
            }
        )
        + "\n"
        for check in checks
    )


def _safe(text: str) -> str:
    return visible(text, keeps_newlines=False)
