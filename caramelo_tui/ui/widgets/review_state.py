"""Keep what the user decided so far about one review.

Owns decisions and remarks, the counts that the head shows, and the answer that is sent when
the review is settled. Every hunk starts undecided, and nothing decides one but the user. Pure.
Proven by tests/unit/ui/test_review_state.py.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from caramelo_tui.agent.review import edited_write, preview
from caramelo_tui.domain.approvals import ProposedWrite, Remark, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.ui.widgets.diff_lines import ChosenLines
from caramelo_tui.ui.widgets.diff_sections import HunkSection


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCounts:
    """What waits in a review."""

    files: int
    hunks: int
    undecided: int
    accepted: int
    rejected: int


@dataclass(frozen=True, slots=True)
class _Place:
    """What a remark is about: a line after the edit, or a whole file."""

    path: str
    line: int | None
    hunk: HunkId | None


class ReviewState:
    """One waiting review and the decisions about it."""

    def __init__(self, request: ReviewRequest) -> None:
        self.request = request
        self.is_sent = False
        """Whether the answer was given; the keys do nothing from then on."""
        self._edited: dict[CallId, str] = {}
        self._remarks: dict[_Place, Remark] = {}
        self._dependent: frozenset[HunkId] = frozenset()
        self._asked_again: frozenset[HunkId] = frozenset()
        self._writes: dict[str, list[ProposedWrite]] = {}
        self._decisions: dict[HunkId, bool | None] = {}
        self._lay_out({})

    def _lay_out(self, decisions: Mapping[HunkId, bool | None]) -> None:
        """Put hunks in the order in which they are shown, which every key asks for."""
        self._writes = {}
        for write in self.request.writes:
            self._writes.setdefault(write.proposal.path, []).append(write)
        self._decisions = {
            hunk.id: decisions.get(hunk.id)
            for writes in self._writes.values()
            for write in writes
            for hunk in write.proposal.hunks
        }

    @property
    def paths(self) -> tuple[str, ...]:
        """Each file once, in the order of its first write."""
        return tuple(self._writes)

    @property
    def hunk_ids(self) -> tuple[HunkId, ...]:
        """All hunks, in the order in which they are shown: by file, then by write."""
        return tuple(self._decisions)

    def holds(self, hunk_id: HunkId) -> bool:
        """Return whether a hunk is one of the review's."""
        return hunk_id in self._decisions

    @property
    def undecided(self) -> tuple[HunkId, ...]:
        """Hunks without a decision, in the order in which they are shown."""
        return tuple(hunk_id for hunk_id in self.hunk_ids if self._decisions[hunk_id] is None)

    def undecided_after(self, hunk_id: HunkId) -> HunkId | None:
        """Return the next undecided hunk below one that is decided, else the first one."""
        waiting = self.undecided
        if not waiting or self._decisions[hunk_id] is None:
            return None
        order = self.hunk_ids
        below = order[order.index(hunk_id) + 1 :]
        return next((other for other in below if self._decisions[other] is None), waiting[0])

    @property
    def counts(self) -> ReviewCounts:
        """Counts for the head."""
        answers = list(self._decisions.values())
        return ReviewCounts(
            files=len(self.paths),
            hunks=len(answers),
            undecided=answers.count(None),
            accepted=answers.count(True),
            rejected=answers.count(False),
        )

    def writes_of(self, path: str) -> tuple[ProposedWrite, ...]:
        """Return the writes on one file, in the model's order."""
        return tuple(self._writes.get(path, ()))

    def hunks_of(self, path: str) -> tuple[HunkId, ...]:
        """Return the hunks of one file."""
        return tuple(hunk.id for write in self.writes_of(path) for hunk in write.proposal.hunks)

    def decision(self, hunk_id: HunkId) -> bool | None:
        """Return ``True`` for accepted, ``False`` for rejected, ``None`` for undecided."""
        return self._decisions[hunk_id]

    def decide(self, hunk_ids: Iterable[HunkId], *, is_accepted: bool) -> None:
        """Accept or reject hunks; an earlier decision about them gives way."""
        if self.is_sent:
            return
        for hunk_id in hunk_ids:
            if hunk_id in self._decisions:
                self._decisions[hunk_id] = is_accepted
        self._look_ahead()

    def write_of(self, hunk_id: HunkId) -> ProposedWrite | None:
        """Return the write that a hunk came from."""
        return next(
            (
                write
                for write in self.request.writes
                if any(hunk.id == hunk_id for hunk in write.proposal.hunks)
            ),
            None,
        )

    def is_edited(self, call_id: CallId) -> bool:
        """Whether a write is shown as the user edited it."""
        return call_id in self._edited

    @property
    def has_edits(self) -> bool:
        """Whether any write is shown as the user edited it."""
        return bool(self._edited)

    def take_edit(self, call_id: CallId, content: str) -> None:
        """Put the user's version of a file in place of a proposal; its hunks are undecided."""
        if self.is_sent:
            return
        others = {
            hunk.id: self._decisions[hunk.id]
            for write in self.request.writes
            if write.call_id != call_id
            for hunk in write.proposal.hunks
        }
        writes = tuple(
            edited_write(write, content) if write.call_id == call_id else write
            for write in self.request.writes
        )
        self.request = replace(self.request, writes=writes)
        self._edited[call_id] = content
        self._lay_out(others)
        # What was said about a hunk that is gone stays as said about its file.
        self._remarks = {
            place if place.hunk is None or self.holds(place.hunk) else replace(place, hunk=None): r
            for place, r in self._remarks.items()
        }
        self._look_ahead()

    def is_dependent(self, hunk_id: HunkId) -> bool:
        """Whether a hunk cannot be applied, because one that it stands on is rejected."""
        return hunk_id in self._dependent

    def is_asked_again(self, hunk_id: HunkId) -> bool:
        """Whether a hunk will look different, and be shown again, after a rejection."""
        return hunk_id in self._asked_again

    def remark(
        self, text: str, *, path: str, hunk: HunkId | None, line: int | None, excerpt: str
    ) -> None:
        """Keep a remark for the model; an empty text takes it back. It decides nothing."""
        place = _Place(path, line, hunk)
        if self.is_sent:
            return
        if not text.strip():
            self._remarks.pop(place, None)
            return
        self._remarks[place] = Remark(path=path, text=text.strip(), line=line, excerpt=excerpt)

    def remark_on(
        self,
        section: HunkSection,
        text: str,
        *,
        is_about_hunk: bool,
        chosen: ChosenLines | None = None,
    ) -> None:
        """Keep a remark about a hunk as it is shown, about lines of it, or its whole file."""
        if is_about_hunk and chosen is not None:
            self.remark(
                text,
                path=section.path,
                hunk=section.stop,
                line=chosen.line,
                excerpt=chosen.excerpt,
            )
            return
        lines = section.hunk.new_lines or section.hunk.old_lines
        self.remark(
            text,
            path=section.path,
            hunk=section.stop if is_about_hunk else None,
            line=section.hunk.new_start if is_about_hunk else None,
            excerpt=lines[0].rstrip("\r\n") if is_about_hunk and lines else "",
        )

    def remarks_at(self, *, path: str, hunk: HunkId | None) -> tuple[Remark, ...]:
        """Return the remarks about a hunk, or about a whole file."""
        return tuple(
            remark
            for place, remark in self._remarks.items()
            if place.path == path and place.hunk == hunk
        )

    def answer(self) -> ReviewAnswer:
        """Return the answer to send; an undecided hunk counts as rejected in it."""
        return ReviewAnswer(
            accepted={hunk_id: answer is True for hunk_id, answer in self._decisions.items()},
            remarks=tuple(self._remarks.values()),
            edited=dict(self._edited),
        )

    def _look_ahead(self) -> None:
        """Work out which hunks lost what they stand on; only needed for shared files."""
        if len(self.paths) == len(self.request.writes):
            return
        ahead = preview(self.request.writes, self._decisions)
        self._dependent = ahead.dependent
        self._asked_again = ahead.asked_again
