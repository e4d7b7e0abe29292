"""A row of answers with one of them marked.

Owns the choice among a few answers by arrow keys, tab, Enter and mouse, drawn in as many rows as
the width needs. What an answer means, and whether it counts now, is the screen's affair. Proven
by tests/pilot/test_approval_screen.py and tests/pilot/test_start.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import Line, strip_of
from caramelo_tui.ui.widgets.frame_view import FrameView

_GAP = 1
"""Blank cells between two answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer."""

    name: str
    """What the screen knows it by."""
    key: str
    """The key as shown, such as ``y`` or ``esc``."""
    words: str
    short: str = ""
    """Words for a narrow screen; empty: the same."""
    color: str = "foreground"


class ChoiceBar(FrameView):
    """The answers; the marked one is reversed and stands between arrows."""

    class Chosen(Message):
        """An answer was chosen by Enter or by the mouse."""

        def __init__(self, name: str, *, is_click: bool) -> None:
            super().__init__()
            self.name = name
            self.is_click = is_click

    def __init__(
        self,
        choices: Sequence[Choice],
        *,
        marked: str,
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        super().__init__(id=id)
        self._choices = tuple(choices)
        self._marked = next(i for i, c in enumerate(self._choices) if c.name == marked)
        self._dim = False

    @property
    def marked(self) -> str:
        """Name of the marked answer."""
        return self._choices[self._marked].name

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all answers, from left to right."""
        return tuple(choice.name for choice in self._choices)

    def set_dim(self, *, is_dim: bool) -> None:
        """Draw the answers as not to be given now, or as ready."""
        if is_dim != self._dim:
            self._dim = is_dim
            self.repaint()

    def move(self, steps: int) -> None:
        """Mark another answer, round and round."""
        self._marked = (self._marked + steps) % len(self._choices)
        self.repaint()

    def choose_marked(self) -> None:
        """Tell the screen that the marked answer was chosen by a key."""
        self.post_message(self.Chosen(self.marked, is_click=False))

    def rows_for(self, width: int) -> int:
        """Return the rows that the answers need at a width."""
        return len(self._rows(width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Tell the layout how many rows are needed."""
        del container, viewport
        return self.rows_for(width)

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the answers."""
        strips = [self._row_strip(row, width) for row in self._rows(width)[:height]]
        blank = strip_of([], width, self.palette.style("foreground", "surface"))
        return strips + [blank] * (height - len(strips))

    def watch_has_focus(self, has_focus: bool) -> None:  # noqa: FBT001 - Textual's signature
        """Show the mark only while the keys go here."""
        super().watch_has_focus(has_focus)
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked answer."""
        rows = self._rows(self.size.width)
        if event.y >= len(rows):
            return
        at = 0
        for index, text in rows[event.y]:
            if at <= event.x < at + cell_len(text):
                self._marked = index
                self.repaint()
                self.post_message(self.Chosen(self._choices[index].name, is_click=True))
                return
            at += cell_len(text) + _GAP

    def _rows(self, width: int) -> list[list[tuple[int, str]]]:
        """Return the answers by rows; long words give way to short ones before rows do."""
        long = self._flow(width, is_short=False)
        return long if len(long) == 1 else self._flow(width, is_short=True)

    def _flow(self, width: int, *, is_short: bool) -> list[list[tuple[int, str]]]:
        rows: list[list[tuple[int, str]]] = [[]]
        used = 0
        for index, choice in enumerate(self._choices):
            words = (choice.short or choice.words) if is_short else choice.words
            text = f" {choice.key} {words} "
            cells = cell_len(text) + (_GAP if rows[-1] else 0)
            if rows[-1] and used + cells > width:
                rows.append([])
                used, cells = 0, cell_len(text)
            rows[-1].append((index, text))
            used += cells
        return rows

    def _row_strip(self, row: Sequence[tuple[int, str]], width: int) -> Strip:
        palette = self.palette
        line: Line = []
        for index, text in row:
            if line:
                line.append((" " * _GAP, palette.style("foreground", "surface")))
            is_marked = index == self._marked and self.has_focus
            color = "muted" if self._dim else self._choices[index].color
            if is_marked:
                line.append((f"▸{text[1:-1]}◂", palette.style(color, "surface", "bold reverse")))
            else:
                line.append((text, palette.style(color, "panel")))
        return strip_of(line, width, palette.style("foreground", "surface"))
