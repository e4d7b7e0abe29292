"""Ask whether one call may be made.

Owns the question, its guard against accidents, the editor line and the remark; what is asked
about is a command's or another action's, in the modules beside this one. What the rules are:

- Only ``y``, or a click on its answer, approves; Enter, the space bar and pasted text never do.
  Enter takes the marked answer unless that approves; the mark starts on Deny.
- No answer counts in the first half second, nor within half a second of any key or paste, and
  none approves before the end of what is asked about was on the screen.
- What is typed or pasted meanwhile goes to the prompt's draft, and so does any printable key
  that is no answer.

Proven by tests/pilot/test_approval_screen.py, test_action_approval.py and
test_approval_cases.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer
from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.answer_guard import TICK_S, AnswerGuard, guard_text
from caramelo_tui.ui.call_questions import CallRequest
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.messages import DraftTyped
from caramelo_tui.ui.panes.prompt_editor import PromptEditor
from caramelo_tui.ui.pasted_text import safe_paste
from caramelo_tui.ui.screens.approval_text import REMARK_HINT, title_text
from caramelo_tui.ui.screens.choices import Choice, ChoiceBar
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.fact_view import Fact, FactView
from caramelo_tui.ui.screens.question_moves import move_by_key
from caramelo_tui.ui.widgets.literal_view import LiteralView

if TYPE_CHECKING:
    from textual.app import App
    from textual.signal import Signal
    from textual.timer import Timer

_SHORT_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""
_BOX_COLUMNS = 100
"""Columns of the box on a wide screen."""
_EDITOR_ROWS = 4
"""Rows of the editor with its frame on a small screen."""

REMARK = "remark"
"""The editor's use, and the answer's name, for a denial with a remark."""


class ApprovalScreen(Dialog[CommandAnswer | None]):
    """One question; closes with the answer, or ``None`` when it was taken away."""

    BINDINGS: ClassVar[list[BindingType]] = []

    READY: ClassVar[str] = ""
    """Said when ``y`` would approve."""
    UNREAD: ClassVar[str] = ""
    """Said while the end was not on the screen."""
    ENTER_REFUSED: ClassVar[str] = ""
    """Said when Enter would have approved."""

    def __init__(
        self,
        request: CallRequest,
        *,
        question: str,
        view: LiteralView,
        answers: Sequence[Choice],
        clock: Clock,
    ) -> None:
        """Ask about a call.

        Args:
            request: The frozen question; what it holds is what is approved.
            question: What is asked, safe, without who asks.
            view: Shows what is asked about; its end must be seen.
            answers: From left to right; with Deny among them.
            clock: Measures the guard.
        """
        super().__init__(title=title_text(question, request.agent_title, ""), kind="approval")
        self.request = request
        self._question = question
        self._guard = AnswerGuard(clock)
        self._is_withdrawn = False
        self._editor_use = ""
        self._hint = ""
        self._countdown: Timer | None = None
        self.subject = view
        self._facts = FactView(id="command-facts")
        self._state = Static(id="command-state", markup=False)
        self._editor = PromptEditor(placeholder="", id="command-editor")
        self._editor.display = False
        self._bar = ChoiceBar(answers, marked=CommandAction.DENY, id="answers")

    def compose_parts(self) -> list[Widget]:
        """Lay out what is asked about, editor, facts, state and answers."""
        return [self.subject, self._editor, self._facts, self._state, self._bar]

    # --- what subclasses say -----------------------------------------------------------

    def facts(self) -> tuple[Fact, ...]:
        """Return what is said below the subject; subclasses implement it."""
        raise NotImplementedError

    def approving(self) -> CommandAnswer:
        """Return the answer that ``y`` gives."""
        return CommandAnswer(action=CommandAction.RUN)

    def further_keys(self) -> Mapping[str, Callable[[], None]]:
        """Return keys of the kind of question, by key and by the answer's name."""
        return {}

    def unready(self) -> str:
        """Return what has to be seen before ``y`` counts; empty when all was."""
        return "" if self.subject.is_end_shown else self.UNREAD

    def end_editing(self, use: str, text: str) -> None:
        """Take what was written into the editor for a use of the subclass."""
        del use, text
        self.close_editor()

    @property
    def marked_answer(self) -> str:
        """Name of the marked answer."""
        return self._bar.marked

    @property
    def can_approve(self) -> bool:
        """Whether ``y`` would approve now."""
        return not self._editor_use and self._guard.is_ready and not self.unready()

    def on_mount(self) -> None:
        """Mark Deny, and count from when the question is seen."""
        self.show_facts()
        self._bar.focus()
        self.call_after_refresh(self._mark_shown)
        # What came up while an editor had the terminal is seen only when it is back.
        self._resumed.subscribe(self, self._take_resume)

    def on_unmount(self) -> None:
        """Leave nothing of the question in the app, whose signals hold on to who follows them."""
        self._resumed.unsubscribe(self)

    @property
    def _resumed(self) -> "Signal[App[object]]":
        return cast("Signal[App[object]]", host_of(self).app_resume_signal)  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly

    def on_resize(self) -> None:
        """Give the subject the rows that the rest leaves."""
        self._fit()

    def on_screen_resume(self) -> None:
        """Go away if the question was withdrawn while another screen lay over it."""
        if self._is_withdrawn:
            self.dismiss(None)

    def show_position(self, position: str) -> None:
        """Say in the title how many questions wait behind this one; empty for none."""
        self.box.border_title = Content(
            title_text(self._question, self.request.agent_title, position)
        )

    def withdraw(self) -> None:
        """Take the question away without an answer."""
        self._is_withdrawn = True
        # Only the screen in front can go; under another one this waits for ``resume``.
        if host_of(self).screen is self:
            self.dismiss(None)

    # --- keys --------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Answer, scroll, or pass typed text on to the draft."""
        if self._editor_use:
            # The editor has the keys; what it leaves over still has to find its bindings.
            if event.key == "escape":
                event.stop()
                self.close_editor()
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
            move_by_key(event.key, self.subject, self._facts, self._bar)

    def on_paste(self, event: events.Paste) -> None:
        """Pass a paste on to the draft; it never answers."""
        event.stop()
        self._note_input()
        self.post_message(DraftTyped(event.text, is_paste=True))

    def _take_answer_key(self, key: str) -> bool:
        """Take a key that is an answer; ``False`` when it is none."""
        action = self._actions().get(key)
        if action is None:
            return False
        action()
        return True

    def _actions(self) -> Mapping[str, Callable[[], None]]:
        """Return what keys and answers do, by key and by the answer's name."""
        return {
            "y": self._approve,
            CommandAction.RUN.value: self._approve,
            "n": self._deny,
            CommandAction.DENY.value: self._deny,
            "m": self._ask_remark,
            REMARK: self._ask_remark,
            "escape": self._stop,
            CommandAction.STOP.value: self._stop,
            "enter": self._bar.choose_marked,
            **self.further_keys(),
        }

    @on(ChoiceBar.Chosen)
    def _take_choice(self, event: ChoiceBar.Chosen) -> None:
        """Take the marked or clicked answer; Enter never approves."""
        event.stop()
        if event.is_click and not self._guard.is_ready:
            return
        if event.name == CommandAction.RUN and not event.is_click:
            self._hint = self.ENTER_REFUSED
            self._draw_state()
            return
        self._actions()[event.name]()

    # --- answers -----------------------------------------------------------------------

    def _approve(self) -> None:
        if self.unready():
            self._draw_state()
            return
        self.dismiss(self.approving())

    def _deny(self) -> None:
        self.dismiss(CommandAnswer(action=CommandAction.DENY))

    def _stop(self) -> None:
        self.dismiss(CommandAnswer(action=CommandAction.STOP))

    def _ask_remark(self) -> None:
        self.open_editor(REMARK, "", REMARK_HINT)

    def open_editor(self, use: str, text: str, hint: str, *, hides_subject: bool = False) -> None:
        """Put a line to write in place of the answers.

        Args:
            use: What ``end_editing`` is told.
            text: What stands in it at first.
            hint: Said above the answers' place.
            hides_subject: Whether the text stands for the subject meanwhile.
        """
        self._editor_use = use
        self._editor.show_text(text)
        self.subject.display = not hides_subject
        self._editor.display = True
        self._bar.display = False
        self._say(hint)
        # At once, not after the next refresh: the hint is an invitation to type.
        self.set_focus(self._editor)
        self._fit()

    def close_editor(self) -> None:
        """Go back to the answers, which are guarded anew."""
        self._editor_use = ""
        self._editor.display = False
        self.subject.display = True
        self._bar.display = True
        self.show_facts()
        self.set_focus(self._bar)
        self._fit()
        # What stands here now is a new sight, and is guarded as such.
        self.call_after_refresh(self._mark_shown)

    @on(PromptEditor.SendAsked)
    def _finish_editor(self, event: PromptEditor.SendAsked) -> None:
        event.stop()
        if self._editor_use == REMARK:
            self.dismiss(CommandAnswer(action=CommandAction.DENY, remark=event.text.strip()))
            return
        self.end_editing(self._editor_use, event.text)

    @on(PromptEditor.Pasted)
    def _paste_into_editor(self, event: PromptEditor.Pasted) -> None:
        event.stop()
        self._editor.insert(safe_paste(event.text))

    # --- drawing -----------------------------------------------------------------------

    def _take_resume(self, _app: "App[object]") -> None:
        self.call_after_refresh(self._mark_shown)

    def _mark_shown(self) -> None:
        self._guard.mark_shown()
        self._draw_state()

    def _note_input(self) -> None:
        self._guard.mark_key()
        self._hint = ""
        self._draw_state()

    def show_facts(self) -> None:
        """Say again what is to be said below the subject."""
        self._facts.show(self.facts())

    def take_facts(self) -> None:
        """Show facts that came late: they may need other rows and settle what was waited for."""
        self.show_facts()
        self._fit()
        self._draw_state()

    @on(LiteralView.EndShown)
    def _draw_state(self) -> None:
        """Say what an answer waits for, and come back while it is time."""
        if self._editor_use:
            return
        remaining = self._guard.remaining_s()
        self._bar.set_dim(is_dim=remaining > 0)
        if remaining > 0:
            self._say(guard_text(self._guard))
            if self._countdown is None:
                self._countdown = self.set_timer(TICK_S, self._count_down, name="guard")
            return
        self._say(self.unready() or self._hint or self.READY)

    def _count_down(self) -> None:
        self._countdown = None
        self._draw_state()

    def _say(self, text: str) -> None:
        self._state.update(Content(text))

    def _fit(self) -> None:
        """Divide the rows: state and answers always stand, subject and facts share the rest."""
        self.set_class(self.size.height < _SHORT_BELOW, "-short")
        is_short = self.size.height < _SHORT_BELOW
        width = min(self.size.width, _BOX_COLUMNS) - (2 if is_short else 4)
        foot = 1 + (0 if is_short else 2)
        foot += _EDITOR_ROWS if self._editor_use else self._bar.rows_for(width)
        room = max(self.size.height - 2 - foot, 2)
        wanted = self.subject.get_content_height(self.size, self.size, width)
        if not self.subject.display:
            wanted = 0
        subject, facts = shared_rows(room, wanted, self._facts.rows_for(width))
        self.subject.styles.height = max(subject, 1)
        self._facts.styles.height = facts


def shared_rows(room: int, subject: int, facts: int) -> tuple[int, int]:
    """Return the rows for subject and facts; the facts keep a third of what there is."""
    if subject + facts <= room:
        return subject, facts
    least = min(facts, max(room // 3, 1))
    subject = min(subject, room - least)
    return subject, room - subject
