"""Draw the parts of a diff: titles, file heads, hunks and lists.

Owns what each part looks like, row by row. Parts hold values and know no widget; the diff
view puts them one below the other. Proven by tests/unit/ui/test_diff_sections.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.formatting import MINUS, change_text
from caramelo_tui.ui.widgets.cells import (
    Line,
    cut_cells,
    cut_left,
    one_line,
    safe_lines,
    width_of,
    wrap_line,
)
from caramelo_tui.ui.widgets.hunk_rows import DiffLook, DrawnRow, Fate, HunkRows

FATE_SIGNS = {
    Fate.UNDECIDED: "?",
    Fate.ACCEPTED: "✓",
    Fate.REJECTED: "✗",
    Fate.APPLIED: "✓",
    Fate.NOT_APPLIED: MINUS,
    Fate.UNDONE: "↶",
    Fate.WRITING: "…",
    Fate.DIFFERS: "±",
}
"""One cell for each fate, so that none depends on colour."""

FATE_COLORS = {
    Fate.UNDECIDED: "state-waiting",
    Fate.ACCEPTED: "state-ok",
    Fate.REJECTED: "state-error",
    Fate.APPLIED: "state-ok",
    Fate.NOT_APPLIED: "state-muted",
    Fate.UNDONE: "state-muted",
    Fate.WRITING: "state-running",
    Fate.DIFFERS: "state-muted",
}

_OPEN_FATES = frozenset({Fate.UNDECIDED, Fate.WRITING, Fate.DIFFERS})
"""Fates that the gutter does not show beside every row: nothing is decided there."""


class Section(Protocol):
    """One part of a diff; rows are numbered from 0."""

    @property
    def stop(self) -> HunkId | None:
        """The hunk on which the cursor can stop here."""
        ...

    @property
    def path(self) -> str:
        """The file that the part belongs to; empty for titles."""
        ...

    def estimates(self, look: DiffLook) -> list[int]:
        """Return about how many lines each row needs; as many entries as there are rows."""
        ...

    def draw(self, row: int, look: DiffLook) -> DrawnRow:
        """Return one row as lines of the look's width."""
        ...

    def mark(self, row: int, look: DiffLook) -> Fate | None:
        """Return the fate that the gutter shows beside a row."""
        ...


@dataclass(slots=True)
class TextSection:
    """Plain words: a title, a note, a hint."""

    text: str
    color: str = "muted"
    attributes: str = ""
    sign: str = ""
    path: str = ""
    stop: HunkId | None = None

    def estimates(self, look: DiffLook) -> list[int]:
        """Count wrapped lines."""
        width = max(look.width - len(self.sign), 1)
        return [sum(max(1, -(-len(line) // width)) for line in self.text.split("\n"))]

    def draw(self, row: int, look: DiffLook) -> DrawnRow:
        """Wrap the text beside its sign."""
        del row
        style = look.palette.style(self.color, attributes=self.attributes)
        lines: list[Line] = []
        room = max(look.width - len(self.sign), 1)
        for text in safe_lines(self.text):
            for part in wrap_line([(text, style)], room):
                sign = self.sign if not lines else " " * len(self.sign)
                lines.append([(sign, look.palette.style(self.color, attributes="bold")), *part])
        return DrawnRow(lines)

    def mark(self, row: int, look: DiffLook) -> Fate | None:
        """Return nothing: text has no fate."""
        del row, look
        return None


@dataclass(slots=True, kw_only=True)
class FileSection:
    """The head of one file, a band across the pane."""

    path: str
    note: str = ""
    """Such as ``new file``."""
    added: int = 0
    removed: int = 0
    is_struck: bool = False
    """Whether the counts are of what was proposed and not written."""
    fates: Callable[[], Sequence[Fate]] = field(default=tuple)
    """Fates of the file's hunks now."""
    warnings: tuple[str, ...] = ()
    remarks: Callable[[], Sequence[Remark]] = field(default=tuple)
    stop: HunkId | None = None

    def estimates(self, look: DiffLook) -> list[int]:
        """Count the band, warnings and remarks."""
        del look
        return [2, *([1] * (len(self.warnings) + len(self.remarks())))]

    def draw(self, row: int, look: DiffLook) -> DrawnRow:
        """Name the file, say how much changes and what was decided."""
        if row > 0:
            return self._below(row - 1, look)
        palette = look.palette
        band = "panel"
        look_of_counts = "strike" if self.is_struck else "bold"
        right: Line = [
            (f"+{self.added}", palette.style("diff-added", band, look_of_counts)),
            (" ", palette.style("muted", band)),
            (f"{MINUS}{self.removed}", palette.style("diff-removed", band, look_of_counts)),
            (" ", palette.style("muted", band)),
        ]
        for fate in dict.fromkeys(self.fates()):
            count = sum(1 for other in self.fates() if other is fate)
            words = (
                f" {FATE_SIGNS[fate]} {count}" if len(self.fates()) > 1 else f" {FATE_SIGNS[fate]}"
            )
            right.append((words, palette.style(FATE_COLORS[fate], band, "bold")))
        right.append((" ", palette.style("muted", band)))
        note = f"  {self.note}" if self.note else ""
        room = max(look.width - width_of(right) - 2, 1)
        path = cut_left(one_line(self.path), max(room - len(note), 8))
        line: Line = [
            (f" {path}", palette.style("foreground", band, "bold")),
            (cut_cells(note, max(room - len(path), 0)), palette.style("muted", band, "italic")),
        ]
        gap = max(look.width - width_of(line) - width_of(right), 0)
        line += [(" " * gap, palette.style("muted", band)), *right]
        return DrawnRow([[], line])

    def _below(self, index: int, look: DiffLook) -> DrawnRow:
        if index < len(self.warnings):
            warning = TextSection(self.warnings[index], "warning", sign=" ! ")
            return warning.draw(0, look)
        remarks = self.remarks()
        index -= len(self.warnings)
        return remark_row(remarks[index], look) if index < len(remarks) else DrawnRow([[]])

    def mark(self, row: int, look: DiffLook) -> Fate | None:
        """Return nothing: the band says it in words."""
        del row, look
        return None


@dataclass(slots=True, kw_only=True)
class HunkSection:
    """One hunk: its head, its rows, the remarks about it."""

    hunk: Hunk
    path: str
    rows: HunkRows
    fate: Callable[[], Fate]
    stop: HunkId | None = None
    trouble: Callable[[], str] = field(default=str)
    """Such as ``depends on a rejected hunk``."""
    remarks: Callable[[], Sequence[Remark]] = field(default=tuple)

    def estimates(self, look: DiffLook) -> list[int]:
        """Estimate head, rows and remarks."""
        return [1, *self.rows.estimates(look), *([1] * len(self.remarks()))]

    def draw(self, row: int, look: DiffLook) -> DrawnRow:
        """Draw the head or a row."""
        if row == 0:
            return DrawnRow([self._head(look)])
        count = self.rows.plan.count(is_side_by_side=look.is_side_by_side)
        if row <= count:
            return self.rows.draw(row - 1, look, self.fate())
        remarks = self.remarks()
        index = row - 1 - count
        return remark_row(remarks[index], look) if index < len(remarks) else DrawnRow([[]])

    def mark(self, row: int, look: DiffLook) -> Fate | None:
        """Return the fate beside the changed rows, once it is decided."""
        fate = self.fate()
        wide = look.is_side_by_side
        if fate in _OPEN_FATES or not 1 <= row <= self.rows.plan.count(is_side_by_side=wide):
            return None
        return fate if self.rows.plan.is_changed(row - 1, is_side_by_side=wide) else None

    def _head(self, look: DiffLook) -> Line:
        palette, fate = look.palette, self.fate()
        hunk = self.hunk
        where = f"@@ line {hunk.new_start}"
        size = change_text(hunk.added_lines, hunk.removed_lines)
        trouble = self.trouble()
        words = trouble or fate.value
        color = "state-error" if trouble else FATE_COLORS[fate]
        sign = "!" if trouble else FATE_SIGNS[fate]
        right = cut_cells(f"{sign} {words} ", max(look.width - 4, 1))
        left = cut_cells(f" {where}  {size}", max(look.width - len(right) - 1, 1))
        gap = max(look.width - len(left) - len(right), 0)
        return [
            (left, palette.style("secondary")),
            (" " * gap, palette.text),
            (right, palette.style(color, attributes="bold")),
        ]


@dataclass(slots=True, kw_only=True)
class ListSection:
    """Paths that changed without a diff of ours."""

    rows: tuple[tuple[str, str, str], ...]
    """Sign, path and words of each row."""
    path: str = ""
    stop: HunkId | None = None

    def estimates(self, look: DiffLook) -> list[int]:
        """Return one line for each."""
        del look
        return [1] * len(self.rows)

    def draw(self, row: int, look: DiffLook) -> DrawnRow:
        """Show sign, path and what happened."""
        sign, path, words = self.rows[row]
        room = max(look.width - len(words) - 4, 1)
        shown = cut_left(one_line(path), room)
        gap = max(look.width - len(words) - 3 - width_of([(shown, look.palette.text)]), 1)
        line: Line = [
            (f" {sign} ", look.palette.style("warning", attributes="bold")),
            (shown, look.palette.text),
            (" " * gap, look.palette.text),
            (words, look.palette.muted),
        ]
        return DrawnRow([line])

    def mark(self, row: int, look: DiffLook) -> Fate | None:
        """Return nothing."""
        del row, look
        return None


def remark_row(remark: Remark, look: DiffLook) -> DrawnRow:
    """Draw what the user said about a hunk or a file."""
    where = f"line {remark.line}: " if remark.line is not None else ""
    return TextSection(f"{where}{remark.text}", "accent", sign=" » ").draw(0, look)
