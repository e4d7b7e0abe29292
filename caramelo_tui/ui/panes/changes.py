"""Show what would change, what changed, and take the user's decisions.

Owns the waiting reviews, the list of what became of changes, the keys of the review and the
message with its answer. Nothing is decided here but by a key of the user: keys that decide
are ignored for half a second after a review came, so that a key meant for something else
cannot settle it. It writes nothing and holds no agent. Proven by tests/pilot/test_changes.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import ClassVar, Self

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.files import FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId
from caramelo_tui.ui.widgets.cells import Line
from caramelo_tui.ui.widgets.change_history import ChangeHistory
from caramelo_tui.ui.widgets.changes_head import HeadFacts, head_lines
from caramelo_tui.ui.widgets.diff_sections import HunkSection, Section
from caramelo_tui.ui.widgets.diff_view import SIDE_BY_SIDE_FROM, DiffView
from caramelo_tui.ui.widgets.hunk_rows import Fate
from caramelo_tui.ui.widgets.review_sections import review_sections
from caramelo_tui.ui.widgets.review_state import ReviewCounts, ReviewState

QUIET_S = 0.5
"""How long keys decide nothing after a review came into a focused pane."""


def _key(key: str, action: str, words: str, name: str) -> Binding:
    return Binding(key, action, words, show=False, id=f"changes.{name}")


class ChangesPane(Widget):
    """Waiting proposals and applied changes."""

    BORDER_TITLE = "3 Changes"

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("j", "hunk(1)", "Next hunk", "next_hunk"),
        _key("k", "hunk(-1)", "Previous hunk", "previous_hunk"),
        _key("J", "file(1)", "Next file", "next_file"),
        _key("K", "file(-1)", "Previous file", "previous_file"),
        _key("space", "toggle_hunk", "Accept or reject the hunk", "toggle"),
        _key("a", "decide_hunk(True)", "Accept the hunk", "accept_hunk"),
        _key("r", "decide_hunk(False)", "Reject the hunk", "reject_hunk"),
        _key("A", "decide_file(True)", "Accept the file", "accept_file"),
        _key("R", "decide_file(False)", "Reject the file", "reject_file"),
        _key("Y", "decide_all(True)", "Accept all", "accept_all"),
        _key("N", "decide_all(False)", "Reject all", "reject_all"),
        _key("c", "remark(True)", "Remark on the hunk", "remark_hunk"),
        _key("C", "remark(False)", "Remark on the file", "remark_file"),
        _key("s", "settle", "Settle the review", "settle"),
        _key("v", "switch", "Waiting or applied", "switch"),
        _key("w", "wrap", "Wrap long lines", "wrap"),
        _key("b", "sides", "Side by side", "sides"),
        _key("up", "scroll(-1)", "Scroll up", "up"),
        _key("down", "scroll(1)", "Scroll down", "down"),
        _key("left", "sideways(-1)", "Scroll left", "left"),
        _key("right", "sideways(1)", "Scroll right", "right"),
        _key("pageup", "page(-1)", "Page up", "page_up"),
        _key("pagedown", "page(1)", "Page down", "page_down"),
        _key("home", "edge(-1)", "Go to the start", "first"),
        _key("end", "edge(1)", "Go to the end", "last"),
        _key("escape", "back", "Leave the question or the remark", "back"),
    ]

    class ReviewSettled(Message):
        """The user settled a review."""

        def __init__(self, approval_id: ApprovalId, answer: ReviewAnswer) -> None:
            super().__init__()
            self.approval_id = approval_id
            self.answer = answer

    class WaitingChanged(Message):
        """The number of waiting files, hunks or undecided hunks is another."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._monotonic = monotonic
        self._reviews: dict[ApprovalId, ReviewState] = {}
        self._review_sections: dict[ApprovalId, list[Section]] = {}
        self._history = ChangeHistory()
        self._shows_waiting = False
        self._is_asking = False
        self._arrived_at = float("-inf")
        self._remark_hunk: HunkSection | None = None
        self._note = ""
        self.view = DiffView(monotonic=monotonic)
        self.view.head_lines = self._head
        self.view.empty_lines = self._empty
        self._input = Input(id="changes-remark", placeholder="remark for the model")
        self._input.cursor_blink = False
        self._input.display = False

    def compose(self) -> ComposeResult:
        """Mount the view and the line for remarks."""
        yield self.view
        yield self._input

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Focus the view, which takes the keys."""
        self.view.focus(scroll_visible)
        return self

    # --- what is shown -----------------------------------------------------------------

    @property
    def has_waiting(self) -> bool:
        """Whether a review waits for the user."""
        return any(not review.is_sent for review in self._reviews.values())

    @property
    def waiting_counts(self) -> tuple[int, int, int]:
        """Files, hunks and undecided hunks that wait."""
        counts = self._counts()
        return counts.files, counts.hunks, counts.undecided

    @property
    def history(self) -> ChangeHistory:
        """What became of changes so far."""
        return self._history

    def show_review(self, request: ReviewRequest) -> None:
        """Show a review; every hunk starts undecided, and the focus stays where it is."""
        state = ReviewState(request)
        self._reviews[request.id] = state
        self._review_sections[request.id] = review_sections(state)
        was_empty = len(self._reviews) == 1
        if self.has_focus_within:
            self._guard()
        if not (self.has_focus_within and not self._shows_waiting and not self._history.is_empty):
            self._shows_waiting = True
        self._show(keeps_place=not was_empty)

    def settle_review(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        """Take a review off the waiting list; what was turned down stays in the other list."""
        if outcome is ApprovalOutcome.WITHDRAWN:
            self.mark_not_applied(approval_id)
            return
        state = self._take_off(approval_id)
        if state is not None and outcome is not ApprovalOutcome.REPLACED:
            is_denied = outcome in {ApprovalOutcome.DENIED, ApprovalOutcome.STOPPED}
            self._keep(
                state, Fate.REJECTED, lambda hunk: is_denied or state.decision(hunk) is not True
            )
        self._after_settling()

    def mark_not_applied(self, approval_id: ApprovalId) -> None:
        """Take a withdrawn review off; all its hunks stay visible as not applied."""
        state = self._take_off(approval_id)
        if state is not None:
            self._keep(state, Fate.NOT_APPLIED, lambda _hunk: True)
        self._after_settling()

    def show_applied(self, call_id: CallId, changes: ChangeSet, *, turn: int) -> None:
        """Show what a call really wrote."""
        del call_id
        self._history.add_applied(changes, turn=turn)
        self._show(keeps_place=True)

    def show_external(self, changes: Sequence[FileChange]) -> None:
        """List files that something else changed."""
        if changes:
            self._history.add_outside(changes)
            self._show(keeps_place=True)

    def clear(self) -> None:
        """Forget everything."""
        self._reviews.clear()
        self._review_sections.clear()
        self._history = ChangeHistory()
        self._is_asking = False
        self._close_remark()
        self._show(keeps_place=False)

    # --- keys that decide --------------------------------------------------------------

    def action_toggle_hunk(self) -> None:
        """Accept the hunk, or reject it when it is accepted."""
        current = self._current_hunk()
        if current is not None:
            state, hunk = current
            is_accepted = state.decision(hunk) is not True
            self._decide(state, (hunk,), is_accepted=is_accepted)

    def action_decide_hunk(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide the hunk and go to the next undecided one; answer the question if it is open."""
        if self._is_asking:
            self._answer_question(is_accepted=is_accepted)
            return
        current = self._current_hunk()
        if current is not None:
            state, hunk = current
            self._decide(state, (hunk,), is_accepted=is_accepted)
            self._go_on_from(state, hunk)

    def action_decide_file(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide all hunks of the file."""
        current = self._current_hunk()
        if current is not None:
            state, hunk = current
            hunks = state.hunks_of(self.view.current_path)
            self._decide(state, hunks, is_accepted=is_accepted)
            self._go_on_from(state, hunk)

    def action_decide_all(self, is_accepted: bool) -> None:  # noqa: FBT001 - from a key binding
        """Decide all hunks of the review."""
        state = self._current_review()
        if state is not None and self._takes_decisions():
            self._decide(state, state.hunk_ids, is_accepted=is_accepted)

    def action_settle(self) -> None:
        """Settle the review, or ask what becomes of undecided hunks."""
        state = self._current_review()
        if state is None or not self._takes_decisions():
            return
        if state.undecided:
            self._is_asking = True
            self.view.repaint()
            return
        self._send(state)

    def action_remark(self, is_about_hunk: bool) -> None:  # noqa: FBT001 - from a key binding
        """Open the line for a remark on the hunk or on its file."""
        section = self.view.current
        if self._current_hunk() is None or not isinstance(section, HunkSection):
            return
        self._remark_hunk = section
        self._input.value = ""
        about = f"line {section.hunk.new_start}" if is_about_hunk else section.path
        self._input.border_title = f"remark on {about}"
        self._input.set_class(not is_about_hunk, "-file")
        self._input.display = True
        self._input.focus()

    # --- keys that only show -----------------------------------------------------------

    def action_hunk(self, step: int) -> None:
        """Go to another hunk."""
        self.view.move_cursor(step)

    def action_file(self, step: int) -> None:
        """Go to another file."""
        self.view.move_file(step)

    def action_switch(self) -> None:
        """Show the other list."""
        self._is_asking = False
        self._shows_waiting = not self._shows_waiting
        self._show(keeps_place=False)

    def action_wrap(self) -> None:
        """Wrap lines or let them run on."""
        self.view.toggle_wrap()

    def action_sides(self) -> None:
        """Show both sides beside each other."""
        if not self.view.toggle_side_by_side():
            self._say(f"side by side needs {SIDE_BY_SIDE_FROM} columns")

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.view.scroll_lines(lines)

    def action_sideways(self, step: int) -> None:
        """Scroll sideways where lines do not wrap."""
        self.view.scroll_sideways(step)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.view.scroll_lines(pages * max(self.view.body_height - 1, 1))

    def action_edge(self, step: int) -> None:
        """Go to the start or the end."""
        if step < 0:
            self.view.go_home()
        else:
            self.view.go_end()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let escape through to the screen when there is nothing to leave here."""
        del parameters
        return action != "back" or self._is_asking or self._input.display

    def action_back(self) -> None:
        """Leave the question or the remark."""
        self._is_asking = False
        if self._input.display:
            self._close_remark()
            self.view.focus()
        self.view.repaint()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the remark."""
        event.stop()
        section, state = self._remark_hunk, self._current_review()
        if section is not None and state is not None:
            is_about_file = self._input.has_class("-file")
            hunk = section.hunk
            lines = hunk.new_lines or hunk.old_lines
            state.remark(
                event.value,
                path=section.path,
                hunk=None if is_about_file else hunk.id,
                line=None if is_about_file else hunk.new_start,
                excerpt="" if is_about_file or not lines else lines[0].rstrip("\r\n"),
            )
        self._close_remark()
        self.view.focus()
        self.view.redraw()

    def on_diff_view_cursor_moved(self, message: DiffView.CursorMoved) -> None:
        """Say what matters at the new place."""
        message.stop()
        self.view.repaint()

    # --- inside ------------------------------------------------------------------------

    def _decide(self, state: ReviewState, hunks: Sequence[HunkId], *, is_accepted: bool) -> None:
        if not self._takes_decisions():
            return
        state.decide(hunks, is_accepted=is_accepted)
        self._note = ""
        self.view.redraw()
        self.post_message(self.WaitingChanged())

    def _go_on_from(self, state: ReviewState, hunk: HunkId) -> None:
        """Go to the next undecided hunk below, else to the first one."""
        order = state.hunk_ids
        waiting = state.undecided
        if not waiting or state.decision(hunk) is None:
            return
        here = order.index(hunk)
        below = [other for other in waiting if order.index(other) > here]
        self.view.go_to_hunk((below or waiting)[0])

    def _answer_question(self, *, is_accepted: bool) -> None:
        state = self._current_review()
        if state is None or not self._takes_decisions():
            return
        self._is_asking = False
        state.decide(state.undecided, is_accepted=is_accepted)
        self._send(state)

    def _send(self, state: ReviewState) -> None:
        answer = state.answer()
        state.is_sent = True
        self.post_message(self.ReviewSettled(state.request.id, answer))
        self.post_message(self.WaitingChanged())
        self._say("settled; being written")

    def _current_review(self) -> ReviewState | None:
        """Return the review under the cursor, else the first one that waits."""
        if not self._shows_waiting:
            return None
        waiting = [review for review in self._reviews.values() if not review.is_sent]
        section = self.view.current
        for review in waiting:
            if section is not None and section.stop in review.hunk_ids:
                return review
        return waiting[0] if waiting else None

    def _current_hunk(self) -> tuple[ReviewState, HunkId] | None:
        section, state = self.view.current, self._current_review()
        if state is None or section is None or section.stop is None:
            return None
        return (state, section.stop) if section.stop in state.hunk_ids else None

    def _takes_decisions(self) -> bool:
        return self._monotonic() - self._arrived_at >= QUIET_S

    def _guard(self) -> None:
        """Take no decision for a moment: the key on its way was meant for something else."""
        self._arrived_at = self._monotonic()
        self._note = "a review came in; keys decide in 0.5 s"
        self.set_timer(QUIET_S, self._end_guard)

    def _end_guard(self) -> None:
        self._note = ""
        self.view.repaint()

    def _say(self, note: str) -> None:
        self._note = note
        self.view.repaint()

    def _take_off(self, approval_id: ApprovalId) -> ReviewState | None:
        self._review_sections.pop(approval_id, None)
        return self._reviews.pop(approval_id, None)

    def _keep(self, state: ReviewState, fate: Fate, is_kept: Callable[[HunkId], bool]) -> None:
        for write in state.request.writes:
            hunks = [hunk for hunk in write.proposal.hunks if is_kept(hunk.id)]
            self._history.add_unapplied(write.call_id, write.proposal.path, hunks, fate)

    def _after_settling(self) -> None:
        self._is_asking = False
        self._note = ""
        if not self._reviews:
            self._shows_waiting = False
            self._close_remark()
        self._show(keeps_place=bool(self._reviews))
        self.post_message(self.WaitingChanged())

    def _close_remark(self) -> None:
        self._remark_hunk = None
        self._input.display = False

    def _show(self, *, keeps_place: bool) -> None:
        sections = self._history.sections()
        if self._shows_waiting:
            sections = [part for parts in self._review_sections.values() for part in parts]
        self.view.show_sections(sections, keeps_place=keeps_place)
        self.post_message(self.WaitingChanged())

    def _counts(self) -> ReviewCounts:
        counts = [review.counts for review in self._reviews.values() if not review.is_sent]
        return ReviewCounts(
            files=sum(count.files for count in counts),
            hunks=sum(count.hunks for count in counts),
            undecided=sum(count.undecided for count in counts),
            accepted=sum(count.accepted for count in counts),
            rejected=sum(count.rejected for count in counts),
        )

    def _head(self, width: int) -> Sequence[Line]:
        state = self._current_review()
        facts = HeadFacts(
            counts=self._counts(),
            applied_files=self._history.applied_files,
            shows_waiting=self._shows_waiting,
            is_asking=self._is_asking,
            current=state.counts if state is not None else None,
            note=self._note,
        )
        return head_lines(facts, self.view.palette, width)

    def _empty(self) -> Sequence[str]:
        if self._shows_waiting:
            return ("Nothing waits for you.",)
        return ("No changes yet.", "", "Proposed edits wait here until you accept them.")
