"""Show what an undo or a redo would do, and ask.

Owns the page with the files and their lines, and the choice for each file in conflict. It writes
nothing: the answer is the screen's result. Proven by tests/pilot/test_undo.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.agent.undo_port import PlannedFile, UndoPlan
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.undo import ConflictChoice, UndoScope
from caramelo_tui.ui.formatting import MINUS, count_text
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.screens.choices import Choice, ChoiceBar
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line

_LINES_PER_FILE = 60
"""Changed lines of one file that are listed; the others are counted."""
_ROWS = 24
"""Rows of the list before it scrolls."""
_PROMPT_CELLS = 60

_TITLES = {
    UndoScope.HUNK: "Take this hunk back?",
    UndoScope.FILE: "Take the changes of this file back?",
    UndoScope.TURN: "Take the changes of the last turn back?",
    UndoScope.RUN: "Take the changes of the last run back?",
    UndoScope.REST: "Take back all changes since this prompt?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One line of the list."""

    file: PlannedFile
    text: str = ""
    """Unsafe; empty for the head of the file."""
    sign: str = " "
    color: str = "foreground"


class PlanRows(RowList):
    """The files, each with the lines that go and come."""

    def __init__(self, plan: UndoPlan, choices: Mapping[str, ConflictChoice]) -> None:
        super().__init__(id="undo-rows")
        self._rows = tuple(row for file in plan.files for row in _rows_of(file))
        self._choices = choices

    @property
    def row_count(self) -> int:
        """Heads and lines."""
        return len(self._rows)

    @property
    def current(self) -> PlannedFile | None:
        """The file under the cursor."""
        return self._rows[self.cursor].file if self._rows else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Take as many rows as there are, up to a limit."""
        del container, viewport, width
        return min(max(len(self._rows), 1), _ROWS)

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return a head or a line."""
        row, palette = self._rows[index], self.palette
        if row.text:
            text = cut_cells(f"  {row.sign} {one_line(row.text)}", width)
            return [(text, palette.style(row.color, ground))]
        file = row.file
        note, color = self._note(file)
        counts = f"  +{file.added_lines} {MINUS}{file.removed_lines}"
        room = max(width - len(counts) - len(note) - 2, 8)
        return [
            (cut_cells(one_line(file.path), room), palette.style("foreground", ground, "bold")),
            (counts, palette.style("muted", ground)),
            (f"  {note}" if note else "", palette.style(color, ground)),
        ]

    def _note(self, file: PlannedFile) -> tuple[str, str]:
        if file.problem:
            return "cannot be changed", "error"
        if file.conflicts:
            if self._choices.get(file.path) is ConflictChoice.RESTORE:
                return "✓ changed since; the recorded lines win", "warning"
            return "! changed since; stays as it is", "warning"
        if file.is_merged:
            return "changed since; that change stays", "secondary"
        if file.is_removed:
            return "is removed", "secondary"
        return ("is there again", "secondary") if file.is_made else ("", "muted")


class UndoPlanScreen(Dialog[Mapping[str, ConflictChoice] | None]):
    """Asks; closes with the choice for each file in conflict, or ``None`` to leave all alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u,y", "carry_out", "Do what is shown", show=False),
        Binding("k", "choose('keep')", "Keep the file as it is", show=False),
        Binding("r", "choose('restore')", "Let the recorded lines win", show=False),
        Binding("escape,n,q", "close", "Leave all as it is", show=False),
    ]

    def __init__(self, plan: UndoPlan) -> None:
        title = "Put back what was taken back?" if plan.is_redo else _TITLES[plan.scope]
        super().__init__(title=title, kind="undo-plan")
        self.add_class("-large")
        self._plan = plan
        self._choices = {f.path: ConflictChoice.KEEP for f in plan.files if f.conflicts}
        self._list = PlanRows(plan, self._choices)
        self._bar = ChoiceBar(_answers(plan), marked="carry_out", id="undo-answers")

    def compose_parts(self) -> list[Widget]:
        """Show what is meant, the files, and the answers."""
        return [
            Static(Content(_intro(self._plan)), classes="dialog-text", markup=False),
            self._list,
            self._bar,
        ]

    def on_mount(self) -> None:
        """Give the list the keys."""
        self._list.focus()

    def action_carry_out(self) -> None:
        """Answer yes, with the choices as they are."""
        self.dismiss(self._choices)

    def action_choose(self, choice: str) -> None:
        """Choose for the file under the cursor; without a conflict there is nothing to choose."""
        file = self._list.current
        if file is not None and file.path in self._choices:
            self._choices[file.path] = ConflictChoice(choice)
            self._list.repaint()

    def action_close(self) -> None:
        """Answer no."""
        self.dismiss(None)

    @on(RowList.Opened)
    def _take_enter(self, event: RowList.Opened) -> None:
        event.stop()
        self.action_carry_out()

    @on(ChoiceBar.Chosen)
    def _take(self, event: ChoiceBar.Chosen) -> None:
        if event.name == "carry_out":
            self.action_carry_out()
        elif event.name == "close":
            self.action_close()
        else:
            self.action_choose(event.name)


def _answers(plan: UndoPlan) -> tuple[Choice, ...]:
    words = "Put back" if plan.is_redo else "Take back"
    answers = [Choice(name="carry_out", key="u", words=words, color="warning")]
    if any(file.conflicts for file in plan.files):
        answers += [
            Choice(name="keep", key="k", words="Keep this file", short="Keep"),
            Choice(name="restore", key="r", words="Let the recorded lines win", short="Restore"),
        ]
    return (*answers, Choice(name="close", key="esc", words="Leave all as it is", short="Leave"))


def _intro(plan: UndoPlan) -> str:
    files = count_text(len(plan.files), "file")
    added = sum(file.added_lines for file in plan.files)
    removed = sum(file.removed_lines for file in plan.files)
    parts = [f"{files}, +{added} {MINUS}{removed} lines."]
    conflicts = sum(1 for file in plan.files if file.conflicts)
    if conflicts:
        parts.append(f"{count_text(conflicts, 'file')} in conflict: k keeps it, r restores it.")
    text = " ".join(parts)
    if plan.prompt:
        text += f"\nPrompt: {cut_cells(one_line(plan.prompt), _PROMPT_CELLS)}"
    return text


def _rows_of(file: PlannedFile) -> Iterator[_Row]:
    yield _Row(file=file)
    if file.problem:
        yield _Row(file=file, text=file.problem, color="error")
    lines = [row for hunk in file.hunks for row in _lines_of(file, hunk)]
    yield from lines[:_LINES_PER_FILE]
    left = len(lines) - _LINES_PER_FILE
    if left > 0:
        yield _Row(file=file, text=f"and {count_text(left, 'more line')}", color="muted")


def _lines_of(file: PlannedFile, hunk: Hunk) -> Iterator[_Row]:
    yield _Row(file=file, text=f"line {hunk.old_start}", sign="@", color="muted")
    old, new = 0, 0
    for kept in hunk.kept:
        yield from _changed(file, hunk.old_lines[old : kept.old], hunk.new_lines[new : kept.new])
        old, new = kept.old + kept.count, kept.new + kept.count
    yield from _changed(file, hunk.old_lines[old:], hunk.new_lines[new:])


def _changed(file: PlannedFile, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[_Row]:
    for line in old:
        yield _Row(file=file, text=line.rstrip("\n") or " ", sign=MINUS, color="error")
    for line in new:
        yield _Row(file=file, text=line.rstrip("\n") or " ", sign="+", color="success")
