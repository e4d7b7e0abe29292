"""Ask whether the folder is trusted.

Owns the question and its guard; the answer is stored by the composition. Nothing of the folder
has been read or run when it is asked. Proven by tests/pilot/test_start.py.
"""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.ui.answer_guard import TICK_S, AnswerGuard, guard_text
from caramelo_tui.ui.screens.choices import Choice, ChoiceBar
from caramelo_tui.ui.screens.dialog import Dialog

if TYPE_CHECKING:
    from textual.timer import Timer

_QUIT = "quit"
_READY = "one key answers; enter takes the marked answer"
_READY_SHORT = "one key answers; enter the marked"

_TRUST = (
    "Trusted: its own settings, skills and git hooks may be used.",
    (
        "Restricted: the agent works and asks as ever; nothing in the folder "
        "acts by itself, and git does not commit."
    ),
)
_HOME_WARNING = (
    "This folder holds far more than one project, so it can't be trusted as a whole.",
    "Start in a project's own folder, or work restricted here.",
)
_PAGES = {"pagedown": 4, "pageup": -4}
"""Rows by which keys scroll the texts."""
_BOX_COLUMNS = 72
"""Columns of the box on a wide screen, as in the style sheet."""
_SHORT_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""
_FRAME = 4
"""Cells of the frame and of what is blank inside it, left and right."""


class StartQuestion(Dialog[str | None]):
    """A question before there is an agent; keys typed early never answer it."""

    KEYS: ClassVar[dict[str, str]] = {}
    """Key to the name of its answer."""

    def __init__(self, *, title: str, kind: str, clock: Clock, choices: tuple[Choice, ...]) -> None:
        super().__init__(title=title, kind=kind)
        self._guard = AnswerGuard(clock)
        self._countdown: Timer | None = None
        self.bar = ChoiceBar(choices, marked=choices[0].name)
        self._state = Static(classes="dialog-state", markup=False)
        self._texts = VerticalScroll(classes="dialog-texts", can_focus=False)

    def compose_parts(self) -> list[Widget]:
        """Lay out the texts over state and answers."""
        for text in self.compose_texts():
            self._texts.compose_add_child(text)
        return [self._texts, self._state, self.bar]

    def compose_texts(self) -> list[Widget]:
        """Return what is said above the answers; subclasses implement it."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Mark the first answer, and count from when it is seen."""
        self.bar.focus()
        self._draw_state()
        self.call_after_refresh(self._mark_shown)

    def on_resize(self) -> None:
        """Keep state and answers in view; the texts scroll in the rows that are left."""
        is_short = self.size.height < _SHORT_BELOW
        self.set_class(is_short, "-short")
        width = min(self.size.width, _BOX_COLUMNS) - _FRAME
        foot = 2 + 1 + self.bar.rows_for(width) + (0 if is_short else 2)
        self._texts.styles.max_height = max(self.size.height - foot, 1)
        self._draw_state()

    def on_key(self, event: events.Key) -> None:
        """Take an answer, unless it comes too early to be meant."""
        event.stop()
        is_ready = self._guard.is_ready
        self._guard.mark_key()
        self._draw_state()
        if event.key in {"left", "up", "shift+tab"}:
            self.bar.move(-1)
        elif event.key in {"right", "down", "tab"}:
            self.bar.move(1)
        elif event.key in _PAGES:
            self._texts.scroll_relative(y=_PAGES[event.key], animate=False)
        elif not is_ready:
            return
        elif event.key == "enter":
            self.bar.choose_marked()
        elif event.key in self.KEYS and self.KEYS[event.key] in self.bar.names:
            self.answer(self.KEYS[event.key])

    def answer(self, name: str) -> None:
        """Close with an answer; ``None`` for quitting."""
        self.dismiss(None if name == _QUIT else name)

    def _mark_shown(self) -> None:
        self._guard.mark_shown()
        self._draw_state()

    def _draw_state(self) -> None:
        """Say what an answer waits for, and come back while it is time."""
        remaining = self._guard.remaining_s()
        self.bar.set_dim(is_dim=remaining > 0)
        if remaining <= 0:
            has_room = self.size.width - _FRAME >= len(_READY)
            self._state.update(Content(_READY if has_room else _READY_SHORT))
            return
        self._state.update(Content(guard_text(self._guard)))
        if self._countdown is None:
            self._countdown = self.set_timer(TICK_S, self._count_down, name="guard")

    def _count_down(self) -> None:
        self._countdown = None
        self._draw_state()

    @on(ChoiceBar.Chosen)
    def _take(self, event: ChoiceBar.Chosen) -> None:
        if not event.is_click or self._guard.is_ready:
            self.answer(event.name)


class TrustScreen(StartQuestion):
    """Trust this folder? Closes with a ``TrustChoice`` value, or ``None`` to quit."""

    KEYS: ClassVar[dict[str, str]] = {
        "t": TrustChoice.TRUST,
        "r": TrustChoice.RESTRICTED,
        "q": _QUIT,
        "escape": _QUIT,
    }

    def __init__(self, folder: Path, *, offers_trust: bool, clock: Clock) -> None:
        restricted = Choice(name=TrustChoice.RESTRICTED, key="r", words="Work restricted")
        trust = Choice(name=TrustChoice.TRUST, key="t", words="Trust", color="warning")
        quits = Choice(name=_QUIT, key="q", words="Quit")
        choices = (restricted, trust, quits) if offers_trust else (restricted, quits)
        super().__init__(
            title="Do you trust this folder?" if offers_trust else "Work in this folder?",
            kind="trust",
            clock=clock,
            choices=choices,
        )
        self._folder = folder
        self._offers_trust = offers_trust

    def compose_texts(self) -> list[Widget]:
        """Show the real folder over what the answers mean."""
        shown = visible(str(self._folder), keeps_newlines=False, marks_look_alikes=True)
        text = _TRUST if self._offers_trust else _HOME_WARNING
        return [
            Static(Content.styled(shown, "bold"), classes="dialog-text"),
            *(Static(Content(each), classes="dialog-text -muted") for each in text),
        ]
