"""Work out what a review's answers would write.

Owns the rule of how accepted hunks of several writes add up to one file. Pure: the interface
uses it to show the result while the user decides, the pipeline to settle, so both agree.
Never reads or writes a file and never asks. Proven by tests/unit/agent/test_review.py and
tests/property/test_review.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from caramelo_tui.domain.approvals import ProposedWrite
from caramelo_tui.domain.diffs import Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.workspace.diffing import apply_hunks, decode, encode, hunks_between
from caramelo_tui.workspace.edits import apply_edit


class WriteFate(StrEnum):
    """What becomes of one answered write."""

    SETTLED = "settled"
    """The accepted hunks stand on the content as it is."""
    DEPENDS = "depends"
    """Its search text is gone with a rejected hunk before it; it is not applied."""
    ASK_AGAIN = "ask_again"
    """It can be made on the content as it is, but would change something that was not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome:
    """One answered write, worked out on the content that it really stands on."""

    fate: WriteFate
    proposal: WriteProposal
    """Made again where the content is not the one that was shown; ``before`` is that content."""
    after: bytes | None
    """Content afterwards; ``None``: there is no file. As before unless something is applied."""
    applied: tuple[Hunk, ...] = ()
    """Hunks that are written, with the lines that they really have."""
    rejected: tuple[Hunk, ...] = ()
    """Hunks that the user turned down."""
    dependent: tuple[Hunk, ...] = ()
    """Accepted hunks that depend on a rejected one, as they were shown."""

    @property
    def is_whole(self) -> bool:
        """Whether all that was proposed is written."""
        return self.fate is WriteFate.SETTLED and not self.rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedFile:
    """One file of a review."""

    path: str
    before: bytes | None
    """Content on disk; ``None``: no file."""
    after: bytes | None
    """What would be written if the undecided hunks were rejected now; ``None``: no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPreview:
    """What a review comes to with the decisions so far."""

    files: tuple[ReviewedFile, ...]
    """Each file once, in the order of its first write."""
    dependent: frozenset[HunkId]
    """Hunks that cannot be applied because they depend on a rejected hunk."""
    asked_again: frozenset[HunkId]
    """Hunks of writes that will be made and shown again, because a hunk before them was
    rejected and they would look different now."""
    undecided: int
    accepted: int
    """Counted as decided, the dependent ones included."""
    rejected: int


def outcome_of(
    proposal: WriteProposal, current: bytes | None, accepted: Mapping[HunkId, bool]
) -> WriteOutcome:
    """Return what the answers to one write come to on the content as it is.

    Args:
        proposal: The write as it was shown.
        current: Content that it has to stand on now; ``None``: no file.
        accepted: Answers by hunk; a hunk that is not named is rejected.

    Returns:
        Only hunks that were shown are applied: where making the write again gives others, or
        at other lines than the rejected hunks explain, it is to be asked again.
    """
    wanted = tuple(hunk for hunk in proposal.hunks if accepted.get(hunk.id, False))
    unwanted = tuple(hunk for hunk in proposal.hunks if not accepted.get(hunk.id, False))
    if proposal.hunks and not wanted:
        on_current = replace(proposal, before=current)
        return WriteOutcome(
            fate=WriteFate.SETTLED, proposal=on_current, after=current, rejected=unwanted
        )
    if current == proposal.before:
        return _applied(proposal, accepted)
    remade = _made_on(proposal, current)
    if remade is None:
        return WriteOutcome(
            fate=WriteFate.DEPENDS,
            proposal=replace(proposal, before=current),
            after=current,
            rejected=unwanted,
            dependent=wanted,
        )
    if not _is_what_was_shown(proposal, remade):
        return WriteOutcome(fate=WriteFate.ASK_AGAIN, proposal=remade, after=current)
    answers = {
        now.id: accepted.get(shown.id, False)
        for shown, now in zip(proposal.hunks, remade.hunks, strict=True)
    }
    return _applied(remade, answers)


def preview(
    writes: Sequence[ProposedWrite], accepted: Mapping[HunkId, bool | None]
) -> ReviewPreview:
    """Return what a review comes to with the decisions so far.

    Args:
        writes: The request's writes, in its order.
        accepted: Decisions by hunk; ``None`` or missing: undecided.
    """
    chosen = {hunk_id: bool(answer) for hunk_id, answer in accepted.items()}
    # An undecided hunk blocks nothing yet: it may still be accepted.
    possible = {
        hunk.id: accepted.get(hunk.id) is not False
        for write in writes
        for hunk in write.proposal.hunks
    }
    files: list[ReviewedFile] = []
    dependent: set[HunkId] = set()
    asked_again: set[HunkId] = set()
    for proposals in _by_path(writes):
        before = proposals[0].before
        files.append(
            ReviewedFile(
                path=proposals[0].path, before=before, after=_sum(proposals, before, chosen)
            )
        )
        for proposal, outcome in _walk(proposals, before, possible):
            dependent.update(hunk.id for hunk in outcome.dependent)
            if outcome.fate is WriteFate.ASK_AGAIN:
                asked_again.update(hunk.id for hunk in proposal.hunks)
    answers = [accepted.get(hunk_id) for hunk_id in possible]
    return ReviewPreview(
        files=tuple(files),
        dependent=frozenset(dependent),
        asked_again=frozenset(asked_again),
        undecided=answers.count(None),
        accepted=answers.count(True),
        rejected=answers.count(False),
    )


def edited_write(write: ProposedWrite, content: str) -> ProposedWrite:
    """Return a write as the user edited it; interface and pipeline both make it here.

    Args:
        write: As it was shown.
        content: Whole file afterwards, lone surrogates for bytes that are not UTF-8.

    Returns:
        The same call on the same content before, with other hunks; none where nothing changes.
    """
    proposal = replace(
        write.proposal,
        edit=WholeContent(content=content, can_overwrite=True),
        after=encode(content),
        hunks=_hunks_of(write.proposal, content),
    )
    return replace(write, proposal=proposal)


def _hunks_of(proposal: WriteProposal, content: str) -> tuple[Hunk, ...]:
    hunks = hunks_between(decode(proposal.before or b""), content, call_id=proposal.call_id)
    if proposal.before is None and not hunks:
        # A new empty file is one hunk without lines, so that it can be rejected.
        return (_empty_file_hunk(proposal),)
    return hunks


def _by_path(writes: Sequence[ProposedWrite]) -> tuple[tuple[WriteProposal, ...], ...]:
    paths: dict[str, list[WriteProposal]] = {}
    for write in writes:
        paths.setdefault(write.proposal.path, []).append(write.proposal)
    return tuple(tuple(proposals) for proposals in paths.values())


def _walk(
    proposals: Sequence[WriteProposal], before: bytes | None, accepted: Mapping[HunkId, bool]
) -> tuple[tuple[WriteProposal, WriteOutcome], ...]:
    current = before
    walked: list[tuple[WriteProposal, WriteOutcome]] = []
    for proposal in proposals:
        outcome = outcome_of(proposal, current, accepted)
        walked.append((proposal, outcome))
        current = outcome.after
    return tuple(walked)


def _sum(
    proposals: Sequence[WriteProposal], before: bytes | None, accepted: Mapping[HunkId, bool]
) -> bytes | None:
    return _walk(proposals, before, accepted)[-1][1].after


def _applied(proposal: WriteProposal, accepted: Mapping[HunkId, bool]) -> WriteOutcome:
    applied = tuple(hunk for hunk in proposal.hunks if accepted.get(hunk.id, False))
    rejected = tuple(hunk for hunk in proposal.hunks if not accepted.get(hunk.id, False))
    after = proposal.after
    if rejected:
        chosen = {hunk.id for hunk in applied}
        after = encode(apply_hunks(decode(proposal.before or b""), proposal.hunks, chosen))
    return WriteOutcome(
        fate=WriteFate.SETTLED, proposal=proposal, after=after, applied=applied, rejected=rejected
    )


def _made_on(proposal: WriteProposal, current: bytes | None) -> WriteProposal | None:
    """Return the same edit worked out on other content, ``None`` where it cannot be."""
    try:
        after = apply_edit(current, proposal.edit, proposal.shown_path)
    except ToolFailure:
        return None
    on_current = replace(proposal, before=current, after=after)
    return replace(on_current, hunks=_hunks_of(on_current, decode(after)))


def _empty_file_hunk(proposal: WriteProposal) -> Hunk:
    return Hunk(
        id=HunkId(f"{proposal.call_id}:0"), old_start=1, old_lines=(), new_start=1, new_lines=()
    )


def _is_what_was_shown(shown: WriteProposal, remade: WriteProposal) -> bool:
    if len(shown.hunks) != len(remade.hunks):
        return False
    moves = hunks_between(
        decode(shown.before or b""), decode(remade.before or b""), call_id=shown.call_id
    )
    return all(
        old.old_lines == new.old_lines
        and old.new_lines == new.new_lines
        and _line_now(old, moves) == new.old_start
        for old, new in zip(shown.hunks, remade.hunks, strict=True)
    )


def _line_now(hunk: Hunk, moves: Sequence[Hunk]) -> int | None:
    """Return where a shown region stands after ``moves``; ``None`` if they touch it."""
    end = hunk.old_start + len(hunk.old_lines)
    shift = 0
    for move in moves:
        move_end = move.old_start + len(move.old_lines)
        if move_end <= hunk.old_start:
            shift += len(move.new_lines) - len(move.old_lines)
        elif move.old_start < end:
            return None
    return hunk.old_start + shift
