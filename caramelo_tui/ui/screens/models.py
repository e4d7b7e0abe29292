"""Let the person choose a model.

Owns the line that narrows, the list with its figures, and what is said of the row under the mark.
What a choice does is its caller's affair, as is asking a provider for its own list. Proven by
tests/pilot/test_models.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets._static import Static

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.model_words import MARKS_INTRO, figures_text, model_sentence, name_text
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.find import matching
from caramelo_tui.ui.widgets.choice_rows import ChoiceRow, ChoiceRows

_MOST_SHOWN = 400
"""Models that are listed at once; words narrow further."""


class ModelUse(StrEnum):
    """What a model is chosen for."""

    MAIN = "main"
    """For the conversation."""
    ROLE = "role"
    """For sub-agents of a role, which is asked for next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPick:
    """A chosen model."""

    row: ModelRow
    use: ModelUse


class ModelLine(Input):
    """The line that narrows, with the keys of the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.take", "Use the model from the next turn on", show=False),
        Binding("ctrl+r", "screen.take_for_role", "Use the model for a role", show=False),
        Binding("ctrl+l", "screen.ask", "Ask the provider for its own list", show=False),
        Binding("up", "screen.move(-1)", "Row up", show=False),
        Binding("down", "screen.move(1)", "Row down", show=False),
        Binding("pageup", "screen.move(-8)", "Page up", show=False),
        Binding("pagedown", "screen.move(8)", "Page down", show=False),
        Binding("escape", "screen.close", "Close", show=False),
    ]


class ModelScreen(Dialog[ModelPick | None]):
    """Models to choose from; closes with one of them, or ``None``."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        rows: Sequence[ModelRow],
        *,
        words: str = "",
        ask: Callable[[str], None],
        note: str = "",
    ) -> None:
        """Offer models.

        Args:
            rows: As they are listed.
            words: What stands in the line at first.
            ask: Asks a provider, by its name, for its own list; ``take_served`` gets it.
            note: Safe text at the upper edge, such as the day of the figures.
        """
        super().__init__(title="Models", kind="models")
        self._rows = list(rows)
        self._found: list[ModelRow] = []
        self._marked = 0
        self._ask = ask
        self._note = note
        self._line = ModelLine(words, placeholder="type to narrow", compact=True, classes="filter")
        self._line.cursor_blink = False
        self._line.display = True
        self._list = ChoiceRows(id="model-rows")
        self._words = Static(id="model-words", markup=False)
        self.box.show_hint("enter uses · ctrl+r for a role · ctrl+l provider's list · esc closes")

    def compose_parts(self) -> list[Widget]:
        """Show line, list and words."""
        legend = Static(Content(MARKS_INTRO), id="model-legend", markup=False)
        return [self._line, self._list, legend, self._words]

    def on_mount(self) -> None:
        """Type at once; the mark begins at the model in use."""
        self._line.focus()
        self._narrow()

    def take_served(self, provider: str, rows: Sequence[ModelRow], problem: str) -> None:
        """Add what a provider serves beside what is listed, or say why there is no list."""
        if problem:
            self._say(problem)
            return
        known = {name_text(row) for row in self._rows}
        new = [row for row in rows if name_text(row) not in known]
        ends = [index for index, row in enumerate(self._rows) if row.provider == provider]
        at = ends[-1] + 1 if ends else len(self._rows)
        self._rows[at:at] = new
        self._found = []
        self._narrow()
        more = f"{count_text(len(new), 'more model')}"
        self._say(f"{provider} serves {count_text(len(rows), 'model')}, {more} than were listed.")

    def action_move(self, rows: int) -> None:
        """Move the mark; it stops at both ends."""
        self._marked = min(max(self._marked + rows, 0), max(len(self._found) - 1, 0))
        self._draw()

    def action_take(self) -> None:
        """Close with the marked model, for the conversation."""
        self._close_with(ModelUse.MAIN)

    def action_take_for_role(self) -> None:
        """Close with the marked model, for a role."""
        self._close_with(ModelUse.ROLE)

    def action_ask(self) -> None:
        """Ask the provider of the marked model for its own list."""
        if self._found:
            provider = self._found[self._marked].provider
            self._say(f"Asking {provider} …")
            self._ask(provider)

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    def _close_with(self, use: ModelUse) -> None:
        # What was typed just before counts, whether or not it was drawn.
        self._narrow()
        if self._found:
            self.dismiss(ModelPick(row=self._found[self._marked], use=use))

    @on(ChoiceRows.Clicked)
    def _take_click(self, event: ChoiceRows.Clicked) -> None:
        event.stop()
        self._marked = event.index
        self._close_with(ModelUse.MAIN)

    @on(Input.Changed)
    def _narrow(self) -> None:
        by_text = {f"{name_text(row)} {figures_text(row)}": row for row in self._rows}
        found = [by_text[text] for text in matching(tuple(by_text), self._line.value)]
        found = found[:_MOST_SHOWN]
        if found != self._found:
            self._found = found
            current = (index for index, row in enumerate(found) if row.is_current)
            self._marked = 0 if self._line.value else next(current, 0)
        self._draw()

    def _draw(self) -> None:
        rows = [ChoiceRow(name=name_text(row), words=figures_text(row)) for row in self._found]
        marked = self._marked if rows else None
        self._list.show(rows, marked=marked, note="no known model has these words")
        self._say("" if marked is None else model_sentence(self._found[marked]))
        count = count_text(len(rows), "match", "matches") if self._line.value else self._note
        self.box.border_title = Content(f"Models · {count}" if count else "Models")

    def _say(self, text: str) -> None:
        self._words.update(Content(text))
