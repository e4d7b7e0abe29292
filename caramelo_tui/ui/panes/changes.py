"""Show what would change, what changed, and take the keys of the review.

Owns what each key leads to, what comes in from the session, and the message with the answer.
Decisions and other wishes about a hunk are taken by classes of their own; lists are the desk's,
lines the view's. It writes nothing and holds no agent. Proven by tests/pilot/test_changes.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import ClassVar, Self

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from caramelo_tui.domain.agent_events import AgentEvent, ChangesUndone
from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.files import ChangeOrigin, FileChange
from caramelo_tui.domain.git_state import HeadChanges
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.ui.keymap import DEFAULT_KEYS
from caramelo_tui.ui.live_proposals import LiveProposals
from caramelo_tui.ui.messages import HeadAsked
from caramelo_tui.ui.own_labels import label_among
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.cells import Line
from caramelo_tui.ui.widgets.change_lists import ChangeLists
from caramelo_tui.ui.widgets.changes_head import HeadFacts, head_lines
from caramelo_tui.ui.widgets.changes_keys import CHANGES_KEYS
from caramelo_tui.ui.widgets.diff_view import DiffView
from caramelo_tui.ui.widgets.hunk_undos import HunkUndos
from caramelo_tui.ui.widgets.hunk_wishes import HunkWishes
from caramelo_tui.ui.widgets.remark_line import RemarkLine
from caramelo_tui.ui.widgets.review_decisions import DecisionSite, ReviewDecisions
from caramelo_tui.ui.widgets.review_desk import ReviewDesk


class ChangesPane(Widget):
    """Waiting proposals and applied changes."""

    BORDER_TITLE = "3 Changes"

    BINDINGS: ClassVar[list[BindingType]] = [*CHANGES_KEYS]

    class ReviewSettled(Message):
        """The user settled a review."""

        def __init__(self, approval_id: ApprovalId, answer: ReviewAnswer) -> None:
            super().__init__()
            self.approval_id = approval_id
            self.answer = answer

    class WaitingChanged(Message):
        """What waits, or how much of it is undecided, is different now."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.view = DiffView(monotonic=monotonic)
        self.view.head_lines = self._head
        self.view.empty_lines = lambda: self.desk.empty_text
        self._lists = ChangeLists(self, self.view)
        site = DecisionSite(
            owner=self,
            view=self.view,
            lists=self._lists,
            settle=self._post_answer,
            count=self._post_count,
            monotonic=monotonic,
        )
        self._decisions = ReviewDecisions(site)
        self._wishes = HunkWishes(site, self._decisions, lambda: self._show(keeps_place=True))
        self._undos = HunkUndos(
            site, self._decisions.say, lambda name: label_among(CHANGES_KEYS, name, self.keys)
        )
        self._has_chosen_list = False
        self.keys = DEFAULT_KEYS
        """The keys in force, for the head."""

    def compose(self) -> ComposeResult:
        """Mount the view and the line for remarks."""
        yield self.view
        yield self._wishes.remark_line

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Focus the view, which takes the keys."""
        self.view.focus(scroll_visible)
        return self

    # --- what is shown -----------------------------------------------------------------

    @property
    def desk(self) -> ReviewDesk:
        """What waits and what was changed."""
        return self._lists.desk

    @property
    def live(self) -> LiveProposals:
        """What the model is writing."""
        return self._lists.live

    @property
    def has_waiting(self) -> bool:
        """Whether a review waits for the user."""
        return bool(self.desk.waiting)

    @property
    def waiting_counts(self) -> tuple[int, int, int]:
        """Files, hunks and undecided hunks that wait."""
        counts = self.desk.counts
        return counts.files, counts.hunks, counts.undecided

    def take_live(self, event: AgentEvent) -> None:
        """Follow the calls that the model is writing; other events change nothing here."""
        self._lists.take_live(event)

    def show_review(self, request: ReviewRequest, *, turn: Turn) -> None:
        """Show a review; every hunk starts undecided, and the focus stays where it is."""
        was_clear = self.desk.is_clear
        # Who chose the other list and reads in it keeps it; the head says what waits.
        is_reading = self.has_focus_within and self._has_chosen_list
        self.desk.take(request, turn=turn, can_switch=not is_reading)
        if self.desk.shows_waiting:
            self._lists.head.is_shown = False
        if self.has_focus_within:
            self._decisions.begin_guard()
        self._show(keeps_place=not was_clear)

    def settle_review(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        """Take a review off the waiting list; what was turned down stays in the other list."""
        if self.desk.settle(approval_id, outcome):
            words = "The file changed meanwhile: it is proposed again, without what you edited."
            self.notify(words, severity="warning", markup=False)
        self._decisions.forget()
        if self.desk.is_clear:
            self._wishes.leave_remark()
        self._show(keeps_place=not self.desk.is_clear)

    def mark_not_applied(self, approval_id: ApprovalId) -> None:
        """Take a withdrawn review off; all its hunks stay visible as not applied."""
        self.settle_review(approval_id, ApprovalOutcome.WITHDRAWN)

    def show_applied(self, call_id: CallId, changes: ChangeSet, *, turn: Turn) -> None:
        """Show what a call really wrote."""
        del call_id  # the change set names it too
        self.desk.history.add_applied(changes, turn=turn)
        self._show(keeps_place=True)
        self._lists.add_up()

    def show_disk_changes(
        self, changes: Sequence[FileChange], *, origin: ChangeOrigin, turn: Turn
    ) -> None:
        """List files that commands or others changed."""
        if changes:
            self.desk.history.add_disk(changes, origin=origin, turn=turn)
            self._show(keeps_place=True)

    def show_undone(self, event: ChangesUndone) -> None:
        """Show what the user took back or put back."""
        self.desk.history.mark_undone(event)
        self._show(keeps_place=True)
        self._lists.add_up()

    @property
    def shows_head(self) -> bool:
        """Whether the changes against the last commit are on show."""
        return self._lists.head.is_shown

    def show_head(self, changes: HeadChanges | None, problem: str = "") -> None:
        """Show what differs from the last commit, or why that is not known."""
        if self._lists.head.take(changes, problem) and self.shows_head:
            self._show(keeps_place=True)

    def clear(self) -> None:
        """Forget everything."""
        self._lists.clear()
        self._decisions.forget()
        self._wishes.leave_remark()
        self._show(keeps_place=False)

    def go_to_waiting(self) -> None:
        """Bring the waiting list to the front, and take the focus."""
        if self.has_waiting and not self.desk.shows_waiting:
            self.action_switch()
        self.focus()

    def say(self, note: str) -> None:
        """Say something above the list until the next key."""
        self._decisions.say(note)

    # --- keys --------------------------------------------------------------------------

    def action_toggle_hunk(self) -> None:
        """Accept the hunk, or reject it when it is accepted."""
        self._decisions.toggle_hunk()

    def action_decide_hunk(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide the hunk and go to the next undecided one; answer the question if it is open."""
        self._decisions.decide_hunk(is_accepted=is_accepted)

    def action_decide_file(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide all hunks of the file."""
        self._decisions.decide_file(is_accepted=is_accepted)

    def action_decide_all(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide all hunks of the review."""
        self._decisions.decide_all(is_accepted=is_accepted)

    def action_settle(self) -> None:
        """Settle the review, or ask what becomes of undecided hunks."""
        self._decisions.settle()

    def action_remark(self, is_about_hunk: bool) -> None:  # noqa: FBT001 - from a key binding
        """Open the line for a remark on the hunk or on its file."""
        self._wishes.remark(is_about_hunk=is_about_hunk)

    def action_grant(self) -> None:
        """Offer to ask no more about writes such as those to the file under the cursor."""
        self._wishes.grant()

    def action_propose_again(self) -> None:
        """Ask for the file under the cursor again, when its hunk was not applied."""
        self._wishes.propose_again()

    def action_undo_hunk(self) -> None:
        """Ask for the applied hunk under the cursor to be taken back."""
        self._undos.undo_hunk()

    def action_undo_file(self) -> None:
        """Ask for the changes of the file under the cursor to be taken back."""
        self._undos.undo_file()

    def action_switch(self) -> None:
        """Show the other list."""
        self._decisions.is_asking = False
        self._lists.head.is_shown = False
        self.desk.shows_waiting = not self.desk.shows_waiting
        self._has_chosen_list = not self.desk.shows_waiting
        self._show(keeps_place=False)

    def action_totals(self) -> None:
        """Show the changes by turn, or what they come to since the session's start."""
        if self.desk.shows_waiting:
            self.action_switch()
        self._lists.head.is_shown = False
        self.desk.shows_totals = not self.desk.shows_totals
        self._show(keeps_place=False)
        self._lists.add_up()

    def action_against_head(self) -> None:
        """Show what differs from the last commit, or the list from before."""
        if self.desk.shows_waiting:
            self.action_switch()
        head = self._lists.head
        head.is_shown = not head.is_shown
        self._has_chosen_list = True
        if head.is_shown:
            self.post_message(HeadAsked())
        self._show(keeps_place=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let escape through to the screen when there is nothing here to leave."""
        del parameters
        return action != "back" or self._decisions.is_asking or self.view.chosen_lines is not None

    def action_back(self) -> None:
        """Leave the question, or else the choice of lines."""
        if not self._decisions.leave_question():
            self.view.choose_no_lines()

    def action_edit(self) -> None:
        """Edit the file under the cursor as its write would leave it, in the person's editor."""
        self._wishes.edit()

    def action_open_file(self) -> None:
        """Open the file at the chosen line, else at the hunk, in the person's own editor."""
        self._wishes.open_file()

    # --- what the parts say ------------------------------------------------------------

    def on_remark_line_kept(self, message: RemarkLine.Kept) -> None:
        """Keep a remark."""
        message.stop()
        self._wishes.keep_remark(message)

    def on_remark_line_left(self, message: RemarkLine.Left) -> None:
        """Give the keys back to the view."""
        message.stop()
        self.view.focus()

    def on_diff_view_cursor_moved(self, message: DiffView.CursorMoved) -> None:
        """Say what matters at the new place."""
        message.stop()
        if self.desk.is_clear:
            self._decisions.note = ""
        self.view.repaint()

    def on_diff_view_too_narrow(self, message: DiffView.TooNarrow) -> None:
        """Say why both sides are not beside each other."""
        message.stop()
        self.say(f"side by side needs {message.needed_cells} columns")

    # --- inside ------------------------------------------------------------------------

    def _post_answer(self, approval_id: ApprovalId, answer: ReviewAnswer) -> None:
        self.post_message(self.ReviewSettled(approval_id, answer))

    def _post_count(self) -> None:
        self.post_message(self.WaitingChanged())

    def _show(self, *, keeps_place: bool) -> None:
        self._lists.show(keeps_place=keeps_place)
        self._post_count()

    def _head(self, width: int) -> Sequence[Line]:
        state = self._decisions.review
        facts = HeadFacts(
            counts=self.desk.counts,
            writing_files=self.live.files,
            applied_files=self.desk.history.applied_files,
            shows_waiting=self.desk.shows_waiting,
            shows_totals=self.desk.shows_totals,
            keys=self.keys,
            shows_head=self._lists.head.is_shown,
            head_files=self._lists.head.file_count,
            has_sections=self.view.has_sections,
            is_asking=self._decisions.is_asking,
            current=state.counts if state is not None else None,
            note=self._decisions.note,
            can_ask_again=self.desk.lost_hunk(self.view.current) is not None,
            can_undo=self._undos.can_undo,
        )
        return head_lines(facts, self.view.palette, width)
