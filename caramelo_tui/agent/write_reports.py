"""Word a write for the review and its outcome for the model.

Owns the values on both sides of a review: what is shown of a proposed write, which remark
belongs to which call, and what a call's result and change set say. Pure. Proven by
tests/unit/agent/test_write_reports.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.call_records import CallRecord, Finish, required
from caramelo_tui.agent.review import WriteFate, WriteOutcome
from caramelo_tui.domain.approvals import ProposedWrite, Remark
from caramelo_tui.domain.decisions import Decision
from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk, WriteProposal
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.files.proposed_write import ProposedWrite as WritingTool
from caramelo_tui.tools.files.write_results import render_dependent_write, render_write_result
from caramelo_tui.tools.files.write_words import CARAMELO_WORDS
from caramelo_tui.tools.output_limits import limit_result
from caramelo_tui.workspace.diffing import decode, encode, hunks_between

_NOTE_LINES = 200
"""Lines of the user's own changes that the model is told; the file has the rest."""


def proposed_write(record: CallRecord) -> ProposedWrite:
    """Return what a review shows of one write that was prepared and decided."""
    prepared, decision = required(record.prepared), required(record.decision)
    proposal = required(prepared.proposal)
    return ProposedWrite(
        call_id=prepared.call.id,
        fingerprint=prepared.fingerprint,
        tool=prepared.call.name,
        proposal=proposal,
        reason=decision.reason,
        warning="; ".join(_warnings(proposal, decision)),
    )


def _warnings(proposal: WriteProposal, decision: Decision) -> list[str]:
    warnings: list[str] = []
    if decision.code == "protected_path":
        warnings.append(decision.reason)
    if proposal.hard_links > 1:
        warnings.append(
            f"the file has {proposal.hard_links} names; the others keep the old content"
        )
    if proposal.path != proposal.shown_path:
        warnings.append(f"written through a link to {proposal.path}")
    return warnings


def remarks_by_call(
    writes: Sequence[ProposedWrite], remarks: Sequence[Remark]
) -> Mapping[CallId, tuple[Remark, ...]]:
    """Give every remark to exactly one call of the review.

    It goes to the write whose hunk holds the line, else to the first write of the file, else
    to the review's first.
    """
    found: dict[CallId, tuple[Remark, ...]] = {}
    for remark in remarks:
        call_id = _owner(writes, remark).call_id
        found[call_id] = (*found.get(call_id, ()), remark)
    return found


def _owner(writes: Sequence[ProposedWrite], remark: Remark) -> ProposedWrite:
    on_file = [
        write for write in writes if remark.path in {write.proposal.path, write.proposal.shown_path}
    ]
    for write in on_file:
        if any(_holds(hunk, remark.line) for hunk in write.proposal.hunks):
            return write
    return (on_file or list(writes))[0]


def _holds(hunk: Hunk, line: int | None) -> bool:
    return line is not None and hunk.new_start <= line < hunk.new_start + len(hunk.new_lines)


def finish_of(record: CallRecord, outcome: WriteOutcome, written: bytes | None) -> Finish:
    """Return how a settled write ended.

    Args:
        record: The call.
        outcome: What its answers came to; the applied hunks are on disk.
        written: Content of the file now; ``None``: there is no file.
    """
    output = _output(record, outcome, written)
    return Finish(
        output=output,
        state=CallState.REJECTED if output.is_error else CallState.OK,
        changes=_change_set(record, outcome),
    )


def _output(record: CallRecord, outcome: WriteOutcome, written: bytes | None) -> ToolOutput:
    if outcome.fate is WriteFate.DEPENDS:
        output = render_dependent_write(outcome.proposal)
        said = "".join(f"\nThe user says: {remark.text}" for remark in record.remarks)
        return ToolOutput(text=output.text + said, is_error=output.is_error)
    tool = record.tool
    output = render_write_result(
        outcome.proposal,
        applied=outcome.applied,
        rejected=outcome.rejected,
        written=written,
        remarks=record.remarks,
        words=tool.words if isinstance(tool, WritingTool) else CARAMELO_WORDS,
    )
    if record.proposed_after is None or output.is_error:
        return output
    note = edited_note(record.proposed_after, outcome.proposal.after)
    text, is_cut = limit_result(f"{output.text}\n{note}".rstrip(), "read the file")
    return replace(output, text=text, is_truncated=output.is_truncated or is_cut)


def edited_note(proposed: bytes, edited: bytes) -> str:
    """Return what the model is told of the user's own changes to its proposal."""
    if proposed == edited:
        return ""
    lines = [call_texts.EDITED_WRITE]
    for hunk in hunks_between(
        decode(proposed), decode(edited), call_id=CallId("edited"), context_lines=0
    ):
        lines.append(f"@@ line {hunk.new_start}")
        lines += _signed(hunk)
    if len(lines) > _NOTE_LINES:
        lines = [*lines[:_NOTE_LINES], call_texts.EDITED_WRITE_CUT]
    return "\n".join(lines)


def _signed(hunk: Hunk) -> list[str]:
    """Return a hunk's lines with signs; those that stayed the same stand between the others."""
    lines: list[str] = []
    old = new = 0
    for kept in hunk.kept:
        lines += [f"-{_bare(line)}" for line in hunk.old_lines[old : kept.old]]
        lines += [f"+{_bare(line)}" for line in hunk.new_lines[new : kept.new]]
        old, new = kept.old + kept.count, kept.new + kept.count
        lines += [f" {_bare(line)}" for line in hunk.old_lines[kept.old : old]]
    lines += [f"-{_bare(line)}" for line in hunk.old_lines[old:]]
    return [*lines, *(f"+{_bare(line)}" for line in hunk.new_lines[new:])]


def _bare(line: str) -> str:
    return encode(line.removesuffix("\n")).decode("utf-8", "replace")


def _change_set(record: CallRecord, outcome: WriteOutcome) -> ChangeSet | None:
    if not outcome.applied:
        return None
    diff = FileDiff(
        path=outcome.proposal.path,
        before=outcome.proposal.before,
        after=outcome.after,
        applied=outcome.applied,
        rejected=outcome.rejected,
    )
    return ChangeSet(call_id=record.call.id, files=(diff,))


def file_change(path: str, before: bytes | None) -> FileChange:
    """Return what our write did to a file."""
    kind = ChangeKind.CREATED if before is None else ChangeKind.MODIFIED
    return FileChange(path=path, kind=kind)
