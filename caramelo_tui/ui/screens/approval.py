"""Ask whether a literal command may run.

Owns the question, its guard against accidents, the editing of the command and the remark. What
the rules are:

- Only ``y``, or a click on Run, approves; Enter, the space bar and pasted text never do. Enter
  takes the marked answer unless that is Run; the mark starts on Deny.
- No answer counts in the first half second, nor within half a second of any key or paste, and
  none approves before the end of the command was on the screen.
- What is typed or pasted meanwhile goes to the prompt's draft, and so does any printable key
  that is no answer.
- An edited command is shown again like a new question; ``y`` then runs what is shown.

Proven by tests/pilot/test_approval_screen.py and tests/pilot/test_approval_cases.py.
"""

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, CommandRequest
from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.answer_guard import TICK_S, AnswerGuard, guard_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.messages import DraftTyped
from caramelo_tui.ui.panes.prompt_editor import PromptEditor
from caramelo_tui.ui.pasted_text import safe_paste
from caramelo_tui.ui.screens.approval_text import (
    ANSWERS,
    EDITING_HINT,
    REMARK_HINT,
    facts_of,
    title_text,
)
from caramelo_tui.ui.screens.choices import ChoiceBar
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.fact_view import FactView
from caramelo_tui.ui.widgets.command_view import CommandView

if TYPE_CHECKING:
    from textual.timer import Timer

_SHORT_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""
_BOX_COLUMNS = 100
"""Columns of the box on a wide screen."""
_EDITOR_ROWS = 4
"""Rows of the editor with its frame on a small screen."""

_SCROLLS = {
    "up": -1,
    "down": 1,
}
_PAGES = {"pageup": -1, "pagedown": 1}
_FACT_SCROLLS = {"shift+up": -1, "shift+down": 1}
_STEPS = {"left": -1, "shift+tab": -1, "right": 1, "tab": 1}


class ApprovalScreen(Dialog[CommandAnswer | None]):
    """One question; closes with the answer, or ``None`` when it was taken away."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, request: CommandRequest, *, root: str, clock: Clock) -> None:
        """Ask about a command.

        Args:
            request: The frozen question; what it holds is what is approved.
            root: Absolute path of the workspace; another start folder is pointed out.
            clock: Measures the guard.
        """
        super().__init__(title=title_text(request, ""), kind="approval")
        self.request = request
        self._root = root
        self._command = request.command.command
        self._guard = AnswerGuard(clock)
        self._is_withdrawn = False
        self._mode: CommandAction | None = None
        self._countdown: Timer | None = None
        self._view = CommandView(self._command, id="command")
        self._facts = FactView(id="command-facts")
        self._state = Static(id="command-state", markup=False)
        self._editor = PromptEditor(placeholder="", id="command-editor")
        self._editor.display = False
        self._bar = ChoiceBar(ANSWERS, marked=CommandAction.DENY, id="answers")

    def compose_parts(self) -> list[Widget]:
        """Lay out command, facts, state and answers."""
        return [self._view, self._editor, self._facts, self._state, self._bar]

    @property
    def marked_answer(self) -> str:
        """Name of the marked answer."""
        return self._bar.marked

    @property
    def can_approve(self) -> bool:
        """Whether ``y`` would run the command now."""
        return self._mode is None and self._guard.is_ready and self._view.is_end_shown

    def on_mount(self) -> None:
        """Mark Deny, and count from when the question is seen."""
        self._show_command()
        self._bar.focus()
        self.call_after_refresh(self._mark_shown)

    def on_resize(self) -> None:
        """Give the command the rows that the rest leaves."""
        self._fit()

    def on_screen_resume(self) -> None:
        """Go away if the question was withdrawn while another screen lay over it."""
        if self._is_withdrawn:
            self.dismiss(None)

    def show_position(self, position: str) -> None:
        """Say in the title how many questions wait behind this one; empty for none."""
        self.box.border_title = Content(title_text(self.request, position))

    def withdraw(self) -> None:
        """Take the question away without an answer."""
        self._is_withdrawn = True
        # Only the screen in front can go; under another one this waits for ``resume``.
        if host_of(self).screen is self:
            self.dismiss(None)

    # --- keys --------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Answer, scroll, or pass typed text on to the draft."""
        if self._mode is not None:
            # The editor has the keys; what it leaves over still has to find its bindings.
            if event.key == "escape":
                event.stop()
                self._close_editor()
            elif event.is_printable and event.character is not None:
                # The editor keeps what is typed into it: this key was on its way to the
                # answers when the editor opened.
                event.stop()
                self._editor.insert(event.character)
            return
        event.stop()
        was_ready, was_ever_ready = self._guard.is_ready, self._guard.was_ready
        self._note_input()
        if was_ready and self._take_answer_key(event.key):
            return
        if event.is_printable and event.character is not None:
            self.post_message(DraftTyped(event.character))
        elif was_ever_ready:
            self._move(event.key)

    def on_paste(self, event: events.Paste) -> None:
        """Pass a paste on to the draft; it never answers."""
        event.stop()
        self._note_input()
        self.post_message(DraftTyped(event.text, is_paste=True))

    def _take_answer_key(self, key: str) -> bool:
        """Take a key that is an answer; ``False`` when it is none."""
        actions = {
            "y": self._run,
            "e": self._edit,
            "n": self._deny,
            "m": self._ask_remark,
            "escape": self._stop,
            "enter": self._bar.choose_marked,
        }
        action = actions.get(key)
        if action is None:
            return False
        action()
        return True

    def _move(self, key: str) -> None:
        if key in _SCROLLS:
            self._view.scroll_lines(_SCROLLS[key])
        elif key in _PAGES:
            # A page leaves one line of the last, so that nothing is passed over.
            self._view.scroll_lines(_PAGES[key] * max(self._view.body_height - 1, 1))
        elif key == "home":
            self._view.go_home()
        elif key == "end":
            self._view.go_end()
        elif key in _FACT_SCROLLS:
            self._facts.scroll_lines(_FACT_SCROLLS[key])
        elif key in _STEPS:
            self._bar.move(_STEPS[key])

    @on(ChoiceBar.Chosen)
    def _take_choice(self, event: ChoiceBar.Chosen) -> None:
        """Take the marked or clicked answer; a key never chooses Run."""
        event.stop()
        if event.is_click and not self._guard.is_ready:
            return
        if event.name == CommandAction.RUN and not event.is_click:
            self._say("Enter never runs a command; y does.")
            return
        actions = {
            CommandAction.RUN.value: self._run,
            CommandAction.EDIT.value: self._edit,
            CommandAction.DENY.value: self._deny,
            "remark": self._ask_remark,
            CommandAction.STOP.value: self._stop,
        }
        actions[event.name]()

    # --- answers -----------------------------------------------------------------------

    def _run(self) -> None:
        if not self._view.is_end_shown:
            self._draw_state()
            return
        if self._command == self.request.command.command:
            self.dismiss(CommandAnswer(action=CommandAction.RUN))
            return
        self.dismiss(CommandAnswer(action=CommandAction.EDIT, command=self._command))

    def _deny(self) -> None:
        self.dismiss(CommandAnswer(action=CommandAction.DENY))

    def _stop(self) -> None:
        self.dismiss(CommandAnswer(action=CommandAction.STOP))

    def _edit(self) -> None:
        # Marks stand for hidden characters here too: what is shown is what would run.
        self._open_editor(CommandAction.EDIT, visible(self._command), EDITING_HINT)

    def _ask_remark(self) -> None:
        self._open_editor(CommandAction.DENY, "", REMARK_HINT)

    def _open_editor(self, mode: CommandAction, text: str, hint: str) -> None:
        self._mode = mode
        self._editor.show_text(text)
        self._view.display = mode is not CommandAction.EDIT
        self._editor.display = True
        self._bar.display = False
        self._say(hint)
        # At once, not after the next refresh: the hint is an invitation to type.
        self.set_focus(self._editor)
        self._fit()

    def _close_editor(self) -> None:
        self._mode = None
        self._editor.display = False
        self._view.display = True
        self._bar.display = True
        self.set_focus(self._bar)
        self._fit()
        # What stands here now is a new sight, and is guarded as such.
        self.call_after_refresh(self._mark_shown)

    @on(PromptEditor.SendAsked)
    def _finish_editor(self, event: PromptEditor.SendAsked) -> None:
        event.stop()
        text = event.text
        if self._mode is CommandAction.DENY:
            self.dismiss(CommandAnswer(action=CommandAction.DENY, remark=text.strip()))
            return
        if text.strip():
            self._command = text
            self._show_command()
        self._close_editor()

    @on(PromptEditor.Pasted)
    def _paste_into_editor(self, event: PromptEditor.Pasted) -> None:
        event.stop()
        self._editor.insert(safe_paste(event.text))

    # --- drawing -----------------------------------------------------------------------

    def _mark_shown(self) -> None:
        self._guard.mark_shown()
        self._draw_state()

    def _note_input(self) -> None:
        self._guard.mark_key()
        self._draw_state()

    def _show_command(self) -> None:
        self._view.show_command(self._command)
        self._facts.show(facts_of(self.request, self._command, self._root))

    @on(CommandView.EndShown)
    def _draw_state(self) -> None:
        """Say what an answer waits for, and come back while it is time."""
        if self._mode is not None:
            return
        remaining = self._guard.remaining_s()
        self._bar.set_dim(is_dim=remaining > 0)
        if remaining > 0:
            self._say(guard_text(self._guard))
            if self._countdown is None:
                self._countdown = self.set_timer(TICK_S, self._count_down, name="guard")
            return
        if not self._view.is_end_shown:
            self._say("scroll to the end of the command to run it (end)")
            return
        self._say("ready: y runs it once")

    def _count_down(self) -> None:
        self._countdown = None
        self._draw_state()

    def _say(self, text: str) -> None:
        self._state.update(Content(text))

    def _fit(self) -> None:
        """Divide the rows: state and answers always stand, command and facts share the rest."""
        self.set_class(self.size.height < _SHORT_BELOW, "-short")
        is_short = self.size.height < _SHORT_BELOW
        width = min(self.size.width, _BOX_COLUMNS) - (2 if is_short else 4)
        foot = 1 + (0 if is_short else 2) + self._bar.rows_for(width)
        room = max(self.size.height - 2 - foot, 2)
        if self._mode is not None:
            room = max(room - _EDITOR_ROWS, 1)
        command = self._view.get_content_height(self.size, self.size, width)
        if not self._view.display:
            command = 0
        command, facts = shared_rows(room, command, self._facts.rows_for(width))
        self._view.styles.height = max(command, 1)
        self._facts.styles.height = facts


def shared_rows(room: int, command: int, facts: int) -> tuple[int, int]:
    """Return the rows for command and facts; the facts keep a third of what there is."""
    if command + facts <= room:
        return command, facts
    least = min(facts, max(room // 3, 1))
    command = min(command, room - least)
    return command, room - command
