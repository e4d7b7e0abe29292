"""Write the two lines at the top of the changes.

Owns their words: what waits and what was applied, the keys that matter now, the question
about undecided hunks. Pure. Proven by tests/unit/ui/test_changes_head.py.
"""

from dataclasses import dataclass

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.widgets.cells import Line, cut_cells, width_of
from caramelo_tui.ui.widgets.palette import Palette
from caramelo_tui.ui.widgets.review_state import ReviewCounts

_BAND = "surface"

_REVIEW_KEYS: tuple[tuple[str, str], ...] = (
    ("a", "accept"),
    ("r", "reject"),
    ("s", "settle"),
    ("j/k", "hunk"),
    ("A/R", "whole file"),
    ("Y/N", "everything"),
    ("c", "remark"),
    ("e", "edit"),
    ("g", "ask no more"),
    ("J/K", "next file"),
    ("v", "applied"),
    (". >", "lines"),
    ("o", "open"),
)
_DECIDED_KEYS = (("s", "settle"), ("space", "toggle"), ("c", "remark"), ("j/k", "hunk"))
_AGAIN_KEY = ("p", "propose again")
_APPLIED_KEYS = (
    ("j/k", "hunk"),
    ("J/K", "next file"),
    ("v", "waiting"),
    ("t", "turns/total"),
    ("w", "wrap"),
    ("b", "sides"),
    ("o", "open"),
    ("W", "blanks"),
    ("h", "git HEAD"),
)
_HEAD_KEYS = (
    ("j/k", "hunk"),
    ("J/K", "next file"),
    ("h", "back"),
    ("v", "waiting"),
    ("w", "wrap"),
    ("b", "sides"),
    ("o", "open"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadFacts:
    """What the head talks about."""

    counts: ReviewCounts
    """Of all waiting reviews together."""
    applied_files: int
    shows_waiting: bool
    """Which of the two lists is on show."""
    shows_totals: bool = False
    """Whether the applied list shows each file once, instead of by turn."""
    shows_head: bool = False
    """Whether the changes against git HEAD are on show, instead of either list."""
    head_files: int = 0
    """Files that differ from it."""
    has_sections: bool
    """Whether there is anything in the list on show."""
    is_asking: bool
    """Whether the question about undecided hunks is open."""
    current: ReviewCounts | None
    """Of the review under the cursor; ``None`` when none waits."""
    writing_files: int = 0
    """Files that the model is writing to just now."""
    can_ask_again: bool = False
    """Whether the hunk under the cursor was not applied and can be asked for again."""
    note: str = ""
    """Said instead of the keys, such as that keys are not taken yet."""


def head_lines(facts: HeadFacts, palette: Palette, width: int) -> tuple[Line, Line]:
    """Return the two lines, at most ``width`` cells each."""
    return _tabs(facts, palette, width), _second(facts, palette, width)


def _tabs(facts: HeadFacts, palette: Palette, width: int) -> Line:
    counts = facts.counts
    waiting = f"waiting {count_text(counts.files, 'file')} · {count_text(counts.hunks, 'hunk')}"
    if counts.undecided != counts.hunks:
        waiting += f" · {counts.undecided} undecided"
    if not counts.files:
        waiting = "waiting 0"
    applied = count_text(facts.applied_files, "file") if facts.applied_files else "0"
    if facts.applied_files and not facts.shows_waiting and not facts.shows_head:
        applied += " · in total" if facts.shows_totals else " · by turn"
    is_applied = not facts.shows_waiting and not facts.shows_head
    tabs = [
        (waiting, facts.shows_waiting, bool(counts.files)),
        (f"applied {applied}", is_applied, False),
    ]
    if facts.shows_head:
        tabs.append((f"git HEAD {count_text(facts.head_files, 'file')}", True, False))
    line: Line = []
    for text, is_active, is_urgent in tabs:
        color = "state-waiting" if is_urgent else "foreground" if is_active else "muted"
        mark = "▌" if is_active else " "
        room = max(width - width_of(line), 0)
        words = cut_cells(f"{mark}{text}  ", room)
        line.append((words, palette.style(color, _BAND, "bold" if is_active else "")))
    if facts.writing_files:
        words = f"… writing {count_text(facts.writing_files, 'file')}"
        room = max(width - width_of(line), 0)
        line.append((cut_cells(words, room), palette.style("state-running", _BAND, "bold")))
    return line


def _second(facts: HeadFacts, palette: Palette, width: int) -> Line:
    if facts.is_asking and facts.current is not None:
        start = f" {facts.current.undecided} undecided: "
        question = f"{start}[a]ccept them · [r]eject them · esc back"
        if len(question) > width:
            question = f"{start}[a]ccept · [r]eject · esc"
        return [(cut_cells(question, width), palette.style("background", "warning", "bold"))]
    if facts.note:
        return [(cut_cells(f" {facts.note}", width), palette.style("warning", _BAND))]
    if not facts.has_sections:
        return []
    keys: tuple[tuple[str, str], ...] = _APPLIED_KEYS
    if facts.shows_head:
        keys = _HEAD_KEYS
    elif facts.can_ask_again:
        keys = (_AGAIN_KEY, *_APPLIED_KEYS)
    if facts.shows_waiting and facts.current is not None:
        keys = _REVIEW_KEYS if facts.current.undecided else _DECIDED_KEYS
    return _key_line(keys, palette, width)


def _key_line(keys: tuple[tuple[str, str], ...], palette: Palette, width: int) -> Line:
    line: Line = []
    used = 0
    for key, words in keys:
        needed = len(key) + len(words) + 3
        if used + needed > width:
            continue
        used += needed
        line.append((f" {key}", palette.style("primary", _BAND, "bold")))
        line.append((f" {words} ", palette.style("muted", _BAND)))
    return line
