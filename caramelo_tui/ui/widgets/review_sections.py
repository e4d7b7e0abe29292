"""Lay a waiting review out as sections.

Owns the order (by file, then by write), the words around it, and the link from each part to
the decisions about it. Pure. Proven by tests/unit/ui/test_review_sections.py.
"""

from collections.abc import Callable, Sequence

from caramelo_tui.domain.approvals import ProposedWrite, Remark
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.diff_sections import (
    FileSection,
    HunkSection,
    Section,
    TextSection,
)
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows
from caramelo_tui.ui.widgets.review_state import ReviewState


def review_sections(state: ReviewState) -> list[Section]:
    """Return the parts of one waiting review, linked to its decisions."""
    sections: list[Section] = []
    request = state.request
    if request.agent_title:
        sections.append(TextSection(f"from {request.agent_title}", "secondary", "bold"))
    if request.note:
        sections.append(TextSection(request.note, "warning", sign="! "))
    for path in state.paths:
        writes = state.writes_of(path)
        hunks = [
            _hunk_section(state, write, hunk) for write in writes for hunk in write.proposal.hunks
        ]
        sections += [_file_section(state, path, writes, hunks), *hunks]
    return sections


def fate_of(decision: bool | None) -> Fate:  # noqa: FBT001 - the decision itself is the value
    """Return the fate that a decision means."""
    if decision is None:
        return Fate.UNDECIDED
    return Fate.ACCEPTED if decision else Fate.REJECTED


def _file_section(
    state: ReviewState,
    path: str,
    writes: Sequence[ProposedWrite],
    hunks: Sequence[HunkSection],
) -> FileSection:
    proposals = [write.proposal for write in writes]
    hunk_ids = state.hunks_of(path)
    first = proposals[0]
    notes = ["new file"] if first.is_new else []
    if any(state.is_edited(write.call_id) for write in writes):
        notes.append("edited by you")
    if first.shown_path != path:
        notes.append(f"asked as {first.shown_path}")
    links = max(proposal.hard_links for proposal in proposals)
    warnings = list(dict.fromkeys(write.warning for write in writes if write.warning))
    if links > 1 and not warnings:
        warnings.append(f"{links} names share this file; the others keep the old text.")
    if not hunk_ids:
        warnings.append("Nothing would change.")
    return FileSection(
        path=path,
        note=" · ".join(notes),
        added=sum(section.hunk.added_lines for section in hunks),
        removed=sum(section.hunk.removed_lines for section in hunks),
        fates=lambda: tuple(fate_of(state.decision(hunk_id)) for hunk_id in hunk_ids),
        warnings=tuple(warnings),
        remarks=_remarks(state, path, None),
    )


def _hunk_section(state: ReviewState, write: ProposedWrite, hunk: Hunk) -> HunkSection:
    path = write.proposal.path

    def trouble() -> str:
        if state.is_dependent(hunk.id):
            return "depends on a rejected hunk"
        return "will be asked again" if state.is_asked_again(hunk.id) else ""

    return HunkSection(
        hunk=hunk,
        path=path,
        rows=HunkRows(hunk, path),
        fate=lambda: fate_of(state.decision(hunk.id)),
        stop=hunk.id,
        trouble=trouble,
        remarks=_remarks(state, path, hunk.id),
    )


def _remarks(
    state: ReviewState, path: str, hunk: HunkId | None
) -> Callable[[], tuple[Remark, ...]]:
    return lambda: state.remarks_at(path=path, hunk=hunk)
