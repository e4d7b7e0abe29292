"""Ask once before undecided work is left behind.

Owns the question; the app quits. Proven by tests/pilot/test_interrupt.py.
"""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.screens.choices import Choice, ChoiceBar
from caramelo_tui.ui.screens.dialog import Dialog


class ConfirmQuitScreen(Dialog[bool]):
    """Quit with undecided hunks or queued prompts? ``True`` quits."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n,s", "answer(False)", "Stay", show=False),
        Binding("q,y", "answer(True)", "Quit", show=False),
        Binding("left,shift+tab", "step(-1)", "Mark the answer before", show=False),
        Binding("right,tab", "step(1)", "Mark the next answer", show=False),
        Binding("enter", "choose", "Take the marked answer", show=False),
    ]

    def __init__(self, *, undecided_hunks: int, queued_prompts: int) -> None:
        super().__init__(title="Quit?", kind="confirm-quit")
        self._text = loss_text(undecided_hunks, queued_prompts)
        self._bar = ChoiceBar(
            (
                Choice(name="stay", key="esc", words="Stay"),
                Choice(name="quit", key="q", words="Quit", color="warning"),
            ),
            marked="stay",
        )

    def compose_parts(self) -> list[Widget]:
        """Say what would be lost, over the answers."""
        return [Static(Content(self._text), classes="dialog-text"), self._bar]

    def on_mount(self) -> None:
        """Mark the safe answer."""
        self._bar.focus()

    def action_answer(self, is_quit: bool) -> None:  # noqa: FBT001 - named in the binding
        """Take an answer."""
        self.dismiss(is_quit)

    def action_step(self, steps: int) -> None:
        """Mark another answer."""
        self._bar.move(steps)

    def action_choose(self) -> None:
        """Take the marked answer."""
        self._bar.choose_marked()

    @on(ChoiceBar.Chosen)
    def _take(self, event: ChoiceBar.Chosen) -> None:
        self.dismiss(event.name == "quit")


def loss_text(undecided_hunks: int, queued_prompts: int) -> str:
    """Return what quitting now would leave behind, as sentences."""
    sentences: list[str] = []
    if undecided_hunks:
        hunks = count_text(undecided_hunks, "hunk is", "hunks are")
        sentences.append(f"{hunks} undecided; nothing of it is written.")
    if queued_prompts:
        prompts = count_text(queued_prompts, "queued prompt was", "queued prompts were")
        sentences.append(f"{prompts} not sent.")
    return " ".join(sentences)
