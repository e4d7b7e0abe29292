"""Look through a text of any length, and search it.

Owns the lines with the searched words and the way from one to the next; drawing, scrolling and
wrapping are the output view's. Proven by tests/pilot/test_pager.py.
"""

from bisect import bisect_left
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.block_search import Words, lines_with, marked
from caramelo_tui.ui.widgets.cells import cut_cells, one_line, strip_of
from caramelo_tui.ui.widgets.output_view import OutputView


class PagerView(OutputView):
    """Numbered lines of a text, wrapped by words, with a search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search the text", show=False, id="pager.search"),
        Binding("n", "match(1)", "Next line with a match", show=False, id="pager.next"),
        Binding("N", "match(-1)", "Line with a match before", show=False, id="pager.before"),
    ]

    class SearchAsked(Message):
        """The user wants to type what is searched for."""

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._text = visible(text.replace("\r\n", "\n"))
        self._words: Words | None = None
        self._found: list[int] = []
        self._current: int | None = None
        self._small: list[str] | None = None

    @property
    def text(self) -> str:
        """The whole text, safe to show."""
        return self._text

    def on_mount(self) -> None:
        """Show what there is from its start."""
        super().on_mount()
        self.show_start()

    def show_start(self) -> None:
        """Show the text from its start, long lines wrapped."""
        self.show_bytes(self._text.encode("utf-8", "replace"))
        self.action_wrap()
        self.go_home()

    # --- search ------------------------------------------------------------------------

    def search(self, text: str) -> None:
        """Search from the line at the top; an empty text ends the search."""
        self._words = Words(text) if text else None
        self._found = []
        self._current = None
        if self._words is not None:
            lines = self._text.split("\n") if self._words.keeps_case else self._small_lines()
            self._found = [index for index, line in enumerate(lines) if text in line]
        self.forget_rendering()
        if self._found:
            self._show(bisect_left(self._found, self.top[0]) % len(self._found))
        self.repaint()

    def _small_lines(self) -> list[str]:
        """Return the lines in small letters; made once, because each key searches anew."""
        if self._small is None:
            self._small = self._text.lower().split("\n")
        return self._small

    def action_search(self) -> None:
        """Let the user type what is searched for."""
        self.post_message(self.SearchAsked())

    def action_match(self, step: int) -> None:
        """Go to the next line with the words, or the one before; at the end it starts over."""
        if self._words is None:
            self.action_search()
        elif self._found:
            self._show(((-1 if self._current is None else self._current) + step) % len(self._found))

    def _show(self, place: int) -> None:
        if self._current is not None:
            self.forget_block(self._found[self._current])
        self._current = place
        line = self._found[place]
        self.forget_block(line)
        words = self._words
        shown = lines_with(self._lines_of(line), words) if words is not None else []
        row = shown[0] if shown else 0
        if not self.is_line_shown(line, row):
            self.center_line(line, row)
        self.repaint()

    # --- drawing -----------------------------------------------------------------------

    def head_strips(self) -> list[Strip]:
        """Say what is searched for, and how many lines have it."""
        words = self._words
        if words is None:
            return []
        style = self.palette.style("foreground", "panel")
        found = "nothing found"
        if self._found:
            place = 0 if self._current is None else self._current + 1
            lines = count_text(len(self._found), "line")
            found = f"{place:,} of {lines} · n next · N before"
        room = max(self.size.width - len(found) - 5, 1)
        text = f" /{cut_cells(one_line(words.text), room)}  {found}"
        return [strip_of([(text, style)], max(self.size.width, 1), style)]

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one line with its matches."""
        made = super().render_block(index, width)
        words = self._words
        if words is None:
            return made
        is_current = self._current is not None and self._found[self._current] == index
        style = (
            self.palette.style("background", "primary", "bold underline")
            if is_current
            else self.palette.style("background", "secondary")
        )
        return Rendered([marked(strip, words, style) for strip in made.strips], made.is_final)
