"""Keep all waiting reviews beside what became of earlier changes.

Owns which of the two lists is on show, what each consists of, and how a review moves from one
to the other. Pure: it knows no widget and sends nothing. Proven by
tests/unit/ui/test_review_desk.py.
"""

from collections.abc import Callable

from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewRequest
from caramelo_tui.domain.ids import ApprovalId, HunkId
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.change_history import ChangeHistory
from caramelo_tui.ui.widgets.diff_sections import HunkSection, Section
from caramelo_tui.ui.widgets.hunk_rows import Fate
from caramelo_tui.ui.widgets.review_sections import review_sections
from caramelo_tui.ui.widgets.review_state import ReviewCounts, ReviewState

_LOST_FATES = frozenset({Fate.REJECTED, Fate.NOT_APPLIED})
"""What became of hunks that can be asked for again."""


class ReviewDesk:
    """Waiting reviews and the history of changes."""

    def __init__(self) -> None:
        self.history = ChangeHistory()
        self.shows_waiting = False
        """Which list is on show."""
        self.shows_totals = False
        """Whether the list of changes shows each file once, instead of by turn."""
        self._reviews: dict[ApprovalId, ReviewState] = {}
        self._sections: dict[ApprovalId, list[Section]] = {}
        self._turns: dict[ApprovalId, Turn] = {}

    @property
    def is_clear(self) -> bool:
        """Whether no review is on the desk, sent ones included."""
        return not self._reviews

    @property
    def waiting(self) -> tuple[ReviewState, ...]:
        """Reviews that the user has not settled, in the order in which they came."""
        return tuple(review for review in self._reviews.values() if not review.is_sent)

    @property
    def counts(self) -> ReviewCounts:
        """Counts of all waiting reviews together."""
        counts = [review.counts for review in self.waiting]
        return ReviewCounts(
            files=sum(count.files for count in counts),
            hunks=sum(count.hunks for count in counts),
            undecided=sum(count.undecided for count in counts),
            accepted=sum(count.accepted for count in counts),
            rejected=sum(count.rejected for count in counts),
        )

    def take(self, request: ReviewRequest, *, turn: Turn, can_switch: bool) -> None:
        """Put a review on the desk.

        Args:
            request: Every hunk of it starts undecided.
            turn: The turn whose writes it asks about.
            can_switch: Whether the waiting list may come to the front.
        """
        state = ReviewState(request)
        self._reviews[request.id] = state
        self._sections[request.id] = review_sections(state)
        self._turns[request.id] = turn
        self.history.expect([write.call_id for write in request.writes])
        self.shows_waiting = self.shows_waiting or can_switch or self.history.is_empty

    def is_on(self, state: ReviewState) -> bool:
        """Whether a review is still on the desk."""
        return self._reviews.get(state.request.id) is state

    def lay_out(self, state: ReviewState) -> None:
        """Make a review's sections again, because its hunks are other ones."""
        if self.is_on(state):
            self._sections[state.request.id] = review_sections(state)

    def settle(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> bool:
        """Take a review off; what was turned down stays visible in the history.

        Returns:
            Whether the user's own version of a file went with it, because the review is asked
            again.
        """
        turn = self._turns.pop(approval_id, Turn())
        state = self._take_off(approval_id)
        if state is None or outcome is ApprovalOutcome.REPLACED:
            return state is not None and state.has_edits
        if outcome is ApprovalOutcome.WITHDRAWN:
            self._keep(state, turn, Fate.NOT_APPLIED, lambda _hunk: True)
            return False
        is_denied = outcome in {ApprovalOutcome.DENIED, ApprovalOutcome.STOPPED}
        self._keep(
            state,
            turn,
            Fate.REJECTED,
            lambda hunk: is_denied or state.decision(hunk) is not True,
        )
        return False

    def review_of(self, hunk_id: HunkId | None) -> ReviewState | None:
        """Return the waiting review of a hunk, else the first one that waits."""
        if not self.shows_waiting:
            return None
        waiting = self.waiting
        for review in waiting:
            if hunk_id is not None and review.holds(hunk_id):
                return review
        return waiting[0] if waiting else None

    def hunk_at(self, section: Section | None) -> tuple[ReviewState, HunkId] | None:
        """Return a section's waiting hunk with its review; ``None`` when it has none."""
        stop = section.stop if section is not None else None
        state = self.review_of(stop)
        if state is None or stop is None or not state.holds(stop):
            return None
        return state, stop

    def lost_hunk(self, section: Section | None) -> HunkSection | None:
        """Return a section that was rejected or not applied, while nothing waits on it."""
        if self.shows_waiting or not isinstance(section, HunkSection):
            return None
        return section if section.fate() in _LOST_FATES else None

    @property
    def empty_text(self) -> tuple[str, ...]:
        """What is said in place of an empty list."""
        if self.shows_waiting:
            return ("Nothing waits for you.",)
        return ("No changes yet.", "", "Proposed edits wait here until you accept them.")

    def sections(self) -> list[Section]:
        """Return the list on show."""
        if self.shows_waiting:
            return [part for parts in self._sections.values() for part in parts]
        if self.shows_totals:
            return [*self.history.totals.sections(), *self.history.disk_sections()]
        return self.history.sections()

    def _take_off(self, approval_id: ApprovalId) -> ReviewState | None:
        self._sections.pop(approval_id, None)
        state = self._reviews.pop(approval_id, None)
        if not self._reviews:
            self.shows_waiting = False
        return state

    def _keep(
        self, state: ReviewState, turn: Turn, fate: Fate, is_kept: Callable[[HunkId], bool]
    ) -> None:
        for write in state.request.writes:
            hunks = [hunk for hunk in write.proposal.hunks if is_kept(hunk.id)]
            self.history.add_unapplied(
                write.call_id, write.proposal.path, hunks, fate=fate, turn=turn
            )
