"""Find one of many texts by typing.

Owns the line that narrows, the list below it, the words that must all be in a text, and the whole
text of a row that is cut. What the choice means is its caller's affair. Proven by
tests/pilot/test_find.py and tests/pilot/test_dialog_box.py.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets._static import Static

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.keys_in_force import keys_in_force
from caramelo_tui.ui.own_labels import NamedKeys, bindings_of_class, hint_among
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import one_line
from caramelo_tui.ui.widgets.choice_rows import ChoiceRow, ChoiceRows

_MOST_SHOWN = 200
"""Texts that are offered at once; more words narrow further."""
_AROUND = 5
"""Rows beside the list: the line, and the whole text of a row under a blank one."""
_REMOVES: NamedKeys = (("find.remove",), "removes")
_KEYS: tuple[NamedKeys, ...] = (
    (("find.up", "find.down"), ""),
    (("find.take",), "takes"),
    _REMOVES,
    (("find.close",), "closes"),
)


class FindLine(Input):
    """The line that narrows; its keys move the mark too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.move(-1)", "Row up", show=False, id="find.up"),
        Binding("down", "screen.move(1)", "Row down", show=False, id="find.down"),
        Binding("pageup", "screen.move(-8)", "Page up", show=False, id="find.page_up"),
        Binding("pagedown", "screen.move(8)", "Page down", show=False, id="find.page_down"),
        Binding("enter", "screen.take", "Take it", show=False, id="find.take"),
        Binding("ctrl+d", "screen.remove", "Remove it", show=False, id="find.remove"),
        Binding("escape", "screen.close", "Close", show=False, id="find.close"),
    ]


class FindScreen(Dialog[str | None]):
    """Texts to choose from; closes with one of them, or ``None``."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        texts: Sequence[str],
        *,
        title: str,
        remove: Callable[[str], object] | None = None,
    ) -> None:
        """Offer texts.

        Args:
            texts: Best first; shown as one line each.
            title: Safe text for the upper edge.
            remove: Takes a text away for good; ``None``: they stay.
        """
        super().__init__(title=title, kind="find")
        self._title = title
        self._texts = list(texts)
        self._found: list[str] = []
        self._marked = 0
        self._remove = remove
        self._line = FindLine(placeholder="type to narrow", compact=True, classes="filter")
        self._line.cursor_blink = False
        self._line.display = True
        self._rows = ChoiceRows(id="find-rows")
        self._words = Static(id="find-words", markup=False)

    def compose_parts(self) -> list[Widget]:
        """Show line, list, and the whole text of a row that is cut."""
        return [self._line, self._rows, self._words]

    @on(events.Resize)
    def _measure(self) -> None:
        # The rows get their width after the screen.
        self.call_after_refresh(self._draw_words)

    def _draw_words(self) -> None:
        text = one_line(self._found[self._marked]) if self._found else ""
        is_cut = cell_len(text) > self._rows.name_cells
        self._words.display = is_cut
        self._words.update(Content(text if is_cut else ""))

    def on_mount(self) -> None:
        """Type at once."""
        named = [named for named in _KEYS if self._remove is not None or named is not _REMOVES]
        hint = hint_among(bindings_of_class(FindLine), named, keys_in_force(self))
        self.box.show_hint(hint)
        self.box.hold_rows(len(self._texts) + _AROUND)
        self._line.focus()
        self._narrow()

    def action_move(self, rows: int) -> None:
        """Move the mark; it stops at both ends."""
        self._marked = min(max(self._marked + rows, 0), max(len(self._found) - 1, 0))
        self._draw()

    def action_take(self) -> None:
        """Close with the marked text; stays open when there is none."""
        # What was typed just before counts, whether or not it was drawn.
        self._narrow()
        if self._found:
            self.dismiss(self._found[self._marked])

    def action_remove(self) -> None:
        """Take the marked text away."""
        if self._remove is None or not self._found:
            return
        text = self._found[self._marked]
        self._remove(text)
        self._texts.remove(text)
        if not self._texts:
            self.dismiss(None)
            return
        self._found = []
        self._narrow()

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    @on(ChoiceRows.Clicked)
    def _take_click(self, event: ChoiceRows.Clicked) -> None:
        event.stop()
        self.dismiss(self._found[event.index])

    @on(Input.Changed)
    def _narrow(self) -> None:
        found = matching(self._texts, self._line.value)[:_MOST_SHOWN]
        if found != self._found:
            self._found = found
            self._marked = 0
        self._draw()

    def _draw(self) -> None:
        rows = [ChoiceRow(name=text) for text in self._found]
        self._rows.show(rows, marked=self._marked if rows else None, note="nothing has these words")
        self._draw_words()
        count = count_text(len(self._found), "match", "matches") if self._line.value else ""
        self.box.border_title = Content(f"{self._title} · {count}" if count else self._title)


def matching(texts: Sequence[str], words: str) -> list[str]:
    """Return the texts that hold all words, in their order; case does not count."""
    wanted = words.lower().split()
    return [text for text in texts if _holds_all(text.lower(), wanted)]


def _holds_all(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)
