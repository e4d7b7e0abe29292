"""Take the user's decisions on the review under the cursor.

Owns the guard against keys that were meant for something else, the question about undecided
hunks, and the note above the list; what waits is the desk's, where the cursor is the view's.
Keys that decide are ignored for half a second after a review came into a focused pane. It sends
no answer: it hands it to the pane. Proven by tests/pilot/test_changes.py.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.widget import Widget

from caramelo_tui.domain.approvals import ReviewAnswer
from caramelo_tui.domain.ids import ApprovalId, HunkId
from caramelo_tui.ui.widgets.arrival_guard import QUIET_S, ArrivalGuard
from caramelo_tui.ui.widgets.change_lists import ChangeLists
from caramelo_tui.ui.widgets.diff_view import DiffView
from caramelo_tui.ui.widgets.review_state import ReviewState


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionSite:
    """Where decisions are taken, and who hears of them."""

    owner: Widget
    """Lends its timer."""
    view: DiffView
    lists: ChangeLists
    settle: Callable[[ApprovalId, ReviewAnswer], None]
    """Takes the answer to a review."""
    count: Callable[[], None]
    """Hears that another number of hunks is undecided."""
    monotonic: Callable[[], float] = time.monotonic


class ReviewDecisions:
    """What the keys of one pane decide."""

    def __init__(self, site: DecisionSite) -> None:
        self.is_asking = False
        """Whether the question about undecided hunks is open."""
        self.note = ""
        """Said above the list instead of the keys."""
        self._site = site
        self._view = site.view
        self._guard = ArrivalGuard(site.monotonic)

    @property
    def review(self) -> ReviewState | None:
        """The review under the cursor, else the first that waits."""
        section = self._view.current
        stop = section.stop if section is not None else None
        return self._site.lists.desk.review_of(stop)

    @property
    def hunk(self) -> tuple[ReviewState, HunkId] | None:
        """The waiting hunk under the cursor, with its review."""
        return self._site.lists.desk.hunk_at(self._view.current)

    @property
    def are_taken(self) -> bool:
        """Whether keys decide now."""
        return self._guard.is_over

    def begin_guard(self) -> None:
        """Take no decision for a moment: the key on its way was meant for something else."""
        arrival = self._guard.begin()
        self.note = self._guard.words
        self._site.owner.set_timer(QUIET_S, lambda: self._end_guard(arrival), name="review-guard")

    def forget(self) -> None:
        """Leave the question and the note; who calls shows the list anew."""
        self.is_asking = False
        self.note = ""

    def say(self, note: str) -> None:
        """Say something above the list until the next key."""
        self.note = note
        self._view.repaint()

    def toggle_hunk(self) -> None:
        """Accept the hunk, or reject it when it is accepted."""
        if self.hunk is not None:
            state, hunk = self.hunk
            self._decide(state, (hunk,), is_accepted=state.decision(hunk) is not True)

    def decide_hunk(self, *, is_accepted: bool) -> None:
        """Decide the hunk and go to the next undecided one; answer the question if it is open."""
        if self.is_asking:
            self._answer_question(is_accepted=is_accepted)
        elif self.hunk is not None:
            state, hunk = self.hunk
            self._decide(state, (hunk,), is_accepted=is_accepted)
            self._go_on_from(state, hunk)

    def decide_file(self, *, is_accepted: bool) -> None:
        """Decide all hunks of the file."""
        if self.hunk is not None:
            state, hunk = self.hunk
            self._decide(state, state.hunks_of(self._view.current_path), is_accepted=is_accepted)
            self._go_on_from(state, hunk)

    def decide_all(self, *, is_accepted: bool) -> None:
        """Decide all hunks of the review."""
        state = self.review
        if state is not None:
            self._decide(state, state.hunk_ids, is_accepted=is_accepted)

    def settle(self) -> None:
        """Settle the review, or ask what becomes of undecided hunks."""
        state = self.review
        if state is None or not self._guard.is_over:
            return
        if state.undecided:
            self.is_asking = True
            self._view.repaint()
            return
        self._send(state)

    def leave_question(self) -> bool:
        """Leave the question; ``False`` when it is not open."""
        if not self.is_asking:
            return False
        self.is_asking = False
        self._view.repaint()
        return True

    # --- inside ------------------------------------------------------------------------

    def _decide(self, state: ReviewState, hunks: Sequence[HunkId], *, is_accepted: bool) -> None:
        if not self._guard.is_over:
            return
        state.decide(hunks, is_accepted=is_accepted)
        self.forget()
        self._view.redraw()
        self._site.count()

    def _go_on_from(self, state: ReviewState, hunk: HunkId) -> None:
        """Go to the next undecided hunk below, else to the first one."""
        following = state.undecided_after(hunk)
        if following is not None:
            self._view.go_to_hunk(following)

    def _answer_question(self, *, is_accepted: bool) -> None:
        state = self.review
        if state is not None and self._guard.is_over:
            self.is_asking = False
            state.decide(state.undecided, is_accepted=is_accepted)
            self._send(state)

    def _send(self, state: ReviewState) -> None:
        answer = state.answer()
        state.is_sent = True
        self.note = "settled"
        self._site.settle(state.request.id, answer)
        self._site.count()
        self._view.redraw()

    def _end_guard(self, arrival: float) -> None:
        if self._guard.is_last(arrival):
            self.say("")
