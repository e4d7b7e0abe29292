"""Show which key does what, for the focused pane first.

Owns the page; what is on it is gathered by ``key_sections``. Proven by
tests/pilot/test_help.py.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.ui.key_sections import (
    HelpSection,
    all_sections,
    keys_of_class,
    place_section,
    problem_section,
)
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap, KeyPlace
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.screens.dialog import Dialog

_KEY_CELLS = 24
"""Cells for the keys; what longer ones do begins in the next line."""
_KEY_CELLS_NARROW = 10
"""The same on a narrow screen."""
_NARROW_BELOW = 60
"""Cells of the page below which it is narrow."""
_MARGIN = 2
"""Blank cells before the keys."""
_BAR = 1
"""Cells of the scroll bar."""
PAGE_CELLS = 74
"""Cells of the page on a screen of 80 columns and wider."""


class HelpScreen(Dialog[None]):
    """All keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q", "close", "Close", show=False),
        Binding("down,j", "scroll_by(1)", "Down", show=False),
        Binding("up,k", "scroll_by(-1)", "Up", show=False),
        Binding("pagedown,space", "scroll_by(12)", "Page down", show=False),
        Binding("pageup", "scroll_by(-12)", "Page up", show=False),
        Binding("home", "scroll_by(-100000)", "Top", show=False),
        Binding("end", "scroll_by(100000)", "End", show=False),
    ]

    def __init__(self, sections: Sequence[HelpSection]) -> None:
        super().__init__(title="Keys", kind="help")
        self.sections = tuple(sections)
        self.box.show_hint("↑↓ scroll · esc close")
        self._page = VerticalScroll(can_focus=False)
        self._text = Static(markup=False)

    def compose_parts(self) -> list[Widget]:
        """Lay out the sections."""
        self._page.compose_add_child(self._text)
        return [self._page]

    def on_resize(self) -> None:
        """Write the page for the width that it has."""
        frame = self.box.gutter.width + _BAR
        width = min(self.size.width, PAGE_CELLS + frame) - frame
        self._text.update(page_of(self.sections, width))

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss(None)

    def action_scroll_by(self, rows: int) -> None:
        """Scroll by rows."""
        self._page.scroll_relative(y=rows, animate=False)


def help_sections(screen: Screen[None], keys: KeyMap = DEFAULT_KEYS) -> tuple[HelpSection, ...]:
    """Return the focused pane's keys, then the keys of all places.

    Args:
        screen: The screen whose panes are described.
        keys: The keys in force.
    """
    sections: list[HelpSection] = []
    focused = screen.focused
    if focused is not None:
        rows = tuple(_binding_rows(focused, screen, keys))
        if rows:
            sections.append(HelpSection(title="Here, now", rows=rows))
    return (*problem_section(keys), *sections, *all_sections(keys))


def _binding_rows(node: Widget, screen: Screen[None], keys: KeyMap) -> Iterator[tuple[str, str]]:
    """Yield the keys of the focused pane, then those of what is focused in it, each once."""
    steps: list[Widget] = []
    for step in node.ancestors_with_self:
        if step is screen or not isinstance(step, Widget):
            break
        if type(step).__module__.startswith("caramelo_tui"):
            steps.append(step)
    seen: set[str] = set()
    if any(isinstance(step, PromptPane) for step in steps):
        # Most of what the prompt takes is text to the editor inside it, and no binding.
        for labels, words in place_section(KeyPlace.PROMPT, keys).rows:
            seen.add(labels)
            yield labels, words
    # What a pane is for comes before how one moves in it.
    for step in reversed(steps):
        for labels, words, _name in keys_of_class(type(step), keys):
            if seen.isdisjoint({labels, words}):
                seen.add(words)
                yield labels, words


def page_of(sections: Sequence[HelpSection], width: int = PAGE_CELLS) -> Content:
    """Return the sections below one another, keys and words in two columns.

    Args:
        sections: From top to bottom.
        width: Cells of the page; no line is longer, but for keys that are.
    """
    key_cells = _KEY_CELLS if width >= _NARROW_BELOW else _KEY_CELLS_NARROW
    word_cells = max(width - _MARGIN - key_cells, 1)
    lines: list[Content] = []
    for section in sections:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(section.title, "bold $primary"))
        for keys, words in section.rows:
            lines += _row(keys, words, key_cells, word_cells)
    return Content("\n").join(lines)


def _row(keys: str, words: str, key_cells: int, word_cells: int) -> list[Content]:
    """Return the lines of a row: keys, and what they do, in a column of its own."""
    first, *rest = wrap(words, word_cells)
    indent = " " * (key_cells + _MARGIN)
    head = [Content.styled(f"  {keys}", "bold"), Content(f"{indent}{first}")]
    if len(keys) < key_cells:
        head = [Content.assemble((f"  {keys:<{key_cells}}", "bold"), first)]
    return [*head, *(Content(f"{indent}{line}") for line in rest)]
