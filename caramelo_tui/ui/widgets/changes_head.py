"""Write the two lines at the top of the changes.

Owns their words: what waits and what was applied, the keys that matter now, the question
about undecided hunks. Pure. Proven by tests/unit/ui/test_changes_head.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap
from caramelo_tui.ui.own_labels import NamedKeys, joined_labels, label_among
from caramelo_tui.ui.widgets.cells import Line, cut_cells, width_of
from caramelo_tui.ui.widgets.changes_keys import CHANGES_KEYS
from caramelo_tui.ui.widgets.diff_keys import DIFF_KEYS
from caramelo_tui.ui.widgets.palette import Palette
from caramelo_tui.ui.widgets.review_state import ReviewCounts

_BAND = "surface"
_BINDINGS = (*CHANGES_KEYS, *DIFF_KEYS)

_HUNK: NamedKeys = (("diff.next_hunk", "diff.previous_hunk"), "hunk")
_FILE: NamedKeys = (("diff.next_file", "diff.previous_file"), "next file")
_OPEN: NamedKeys = (("changes.open_file",), "open")
_REMARK: NamedKeys = (("changes.remark_hunk",), "remark")
_SETTLE: NamedKeys = (("changes.settle",), "settle")
_APPLIED: NamedKeys = (("changes.switch",), "applied")
_WRAP: NamedKeys = (("diff.wrap",), "wrap")
_SIDES: NamedKeys = (("diff.sides",), "sides")

_REVIEW_KEYS: tuple[NamedKeys, ...] = (
    (("changes.accept_hunk",), "accept"),
    (("changes.reject_hunk",), "reject"),
    _SETTLE,
    _HUNK,
    (("changes.accept_file", "changes.reject_file"), "whole file"),
    (("changes.accept_all", "changes.reject_all"), "everything"),
    _REMARK,
    (("changes.edit",), "edit"),
    (("changes.grant",), "ask no more"),
    _FILE,
    _APPLIED,
    (("diff.next_line", "diff.more_lines"), "lines"),
    _OPEN,
)
_DECIDED_KEYS: tuple[NamedKeys, ...] = (_SETTLE, (("changes.toggle",), "toggle"), _REMARK, _HUNK)
_AGAIN_KEY: NamedKeys = (("changes.propose_again",), "propose again")
_UNDO_HUNK: NamedKeys = (("changes.undo_hunk",), "undo")
_UNDO_FILE: NamedKeys = (("changes.undo_file",), "undo file")
_WAITING: NamedKeys = (("changes.switch",), "waiting")
_APPLIED_KEYS: tuple[NamedKeys, ...] = (
    _HUNK,
    _FILE,
    _WAITING,
    (("changes.totals",), "turns/total"),
    _WRAP,
    _SIDES,
    _OPEN,
    (("diff.whitespace",), "blanks"),
    (("changes.head",), "git HEAD"),
)
_HEAD_BACK: NamedKeys = (("changes.head",), "back")
_HEAD_KEYS: tuple[NamedKeys, ...] = (
    _HUNK,
    _FILE,
    _HEAD_BACK,
    _WAITING,
    _WRAP,
    _SIDES,
    _OPEN,
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
    can_undo: bool = False
    """Whether the hunk under the cursor was applied and can be taken back."""
    keys: KeyMap = DEFAULT_KEYS
    """The keys in force."""
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
    if facts.shows_head or not counts.files:
        # Three tabs need the room.
        waiting = f"waiting {counts.files}"
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
        count = facts.current.undecided
        start = f" {count} undecided: "
        them = "it" if count == 1 else "them"
        accept, reject, back = (
            label_among(_BINDINGS, f"changes.{name}", facts.keys)
            for name in ("accept_hunk", "reject_hunk", "back")
        )
        question = f"{start}{accept} accepts {them} · {reject} rejects {them} · {back} back"
        if len(question) > width:
            question = f"{start}{accept} accepts · {reject} rejects · {back}"
        return [(cut_cells(question, width), palette.style("background", "warning", "bold"))]
    if facts.note:
        return [(cut_cells(f" {facts.note}", width), palette.style("warning", _BAND))]
    return _key_line(_keys_of(facts), facts.keys, palette, width)


def _keys_of(facts: HeadFacts) -> tuple[NamedKeys, ...]:
    """Return the keys that matter now, the nearest first."""
    if not facts.has_sections:
        return _keys_of_empty(facts)
    if facts.shows_waiting and facts.current is not None:
        return _REVIEW_KEYS if facts.current.undecided else _DECIDED_KEYS
    if facts.shows_head:
        return _HEAD_KEYS
    if facts.can_ask_again:
        return (_AGAIN_KEY, *_APPLIED_KEYS)
    if facts.can_undo:
        # Totals are of whole files: a single hunk cannot be told from them.
        undos = (_UNDO_FILE,) if facts.shows_totals else (_UNDO_HUNK, _UNDO_FILE)
        return (*undos, *_APPLIED_KEYS)
    return _APPLIED_KEYS


def _keys_of_empty(facts: HeadFacts) -> tuple[NamedKeys, ...]:
    """Return the way out of an empty list, where the other one has something."""
    if facts.shows_waiting:
        return (_APPLIED,) if facts.applied_files else ()
    if facts.shows_head:
        return (_HEAD_BACK,)
    return (_WAITING,) if facts.counts.files else ()


def _key_line(named: Sequence[NamedKeys], keys: KeyMap, palette: Palette, width: int) -> Line:
    line: Line = []
    used = 0
    for names, words in named:
        key = joined_labels([label_among(_BINDINGS, name, keys) for name in names])
        if not key:
            continue
        needed = len(key) + len(words) + 3
        if used + needed > width:
            continue
        used += needed
        line.append((f" {key}", palette.style("primary", _BAND, "bold")))
        line.append((f" {words} ", palette.style("muted", _BAND)))
    return line
