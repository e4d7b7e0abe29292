"""Tell the model what became of a write.

Owns the result texts of writing tools after the review: all, some or none of the hunks.
Pure: the pipeline writes, this only words it. Proven by
tests/unit/tools/files/test_write_results.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.diffs import Hunk, WriteProposal
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.files.write_words import CARAMELO_WORDS, WriteWords
from caramelo_tui.tools.output_limits import counted, limit_result, make_inert

_BOM = "\ufeff"


def render_write_result(
    proposal: WriteProposal,
    *,
    applied: Sequence[Hunk],
    rejected: Sequence[Hunk],
    written: bytes | None,
    remarks: Sequence[Remark] = (),
    words: WriteWords = CARAMELO_WORDS,
) -> ToolOutput:
    """Return the result of one write call.

    Args:
        proposal: What was proposed.
        applied: Hunks of the proposal that were written, in line order.
        rejected: Hunks that the user turned down, in line order.
        written: The file as it stands on disk now; ``None``: there is none.
        remarks: What the user said about this file.
        words: How the profile of the tool speaks of writes.

    Returns:
        Success for all hunks and for a proposal that changes nothing; success that starts
        with ``partially applied`` for some; an error for none.
    """
    size = _size(written, words)
    if rejected and not applied:
        text, is_error = _rejected_text(proposal, rejected), True
    elif rejected:
        text, is_error = _partial_text(proposal, applied, rejected, size), False
    elif not applied and not proposal.is_new:
        text, is_error = f"{_name(proposal)}: nothing changed{size}.", False
    else:
        text, is_error = _written_text(proposal, applied, size), False
    hint = f"use {words.read_tool} to see the file"
    limited, is_cut = limit_result(text + _remarks_text(remarks), hint)
    return ToolOutput(text=limited, is_error=is_error, is_truncated=is_cut)


def render_dependent_write(proposal: WriteProposal) -> ToolOutput:
    """Return the result of an edit whose search text came from a hunk that was rejected."""
    return ToolOutput(
        text=(
            f"{_name(proposal)}: not applied, it depends on a rejected hunk: without that hunk "
            "its search text is not found exactly once. Nothing of this call was written."
        ),
        is_error=True,
    )


def _written_text(proposal: WriteProposal, applied: Sequence[Hunk], size: str) -> str:
    if proposal.is_new:
        return f"created {_name(proposal)}{size}."
    places = ", ".join(_new_places(applied))
    return f"changed {_name(proposal)} at {places}{size}."


def _partial_text(
    proposal: WriteProposal,
    applied: Sequence[Hunk],
    rejected: Sequence[Hunk],
    size: str,
) -> str:
    total = len(applied) + len(rejected)
    lines = [
        f"partially applied: {len(applied)} of {counted(total, 'hunk')}",
        f"{_name(proposal)}{size}.",
        "applied (line numbers of the file as it is now):",
        *(f"- {place}" for place in _new_places(applied)),
        "rejected by the user (line numbers of the file before this call):",
        *(f"- {_old_place(hunk)}{_excerpt(hunk)}" for hunk in rejected),
    ]
    return "\n".join(lines)


def _rejected_text(proposal: WriteProposal, rejected: Sequence[Hunk]) -> str:
    lines = [
        f"rejected by the user: nothing of this change was written to {_name(proposal)}.",
        *(f"- {_old_place(hunk)}{_excerpt(hunk)}" for hunk in rejected),
    ]
    return "\n".join(lines)


def _remarks_text(remarks: Sequence[Remark]) -> str:
    if not remarks:
        return ""
    return "\nremarks of the user:\n" + "\n".join(_remark_line(remark) for remark in remarks)


def _remark_line(remark: Remark) -> str:
    place = make_inert(remark.path)
    if remark.line is not None:
        place += f":{remark.line}"
    first, *others = remark.excerpt.split("\n")
    if others:
        quoted = "\n".join(f"  > {make_inert(line)}" for line in (first, *others))
        return f"- {place}, about these lines: {remark.text}\n{quoted}"
    excerpt = f" `{make_inert(first)}`" if first else ""
    return f"- {place}{excerpt}: {remark.text}"


def _new_places(applied: Sequence[Hunk]) -> list[str]:
    """Return where each hunk stands now that only these were written."""
    places: list[str] = []
    shift = 0
    for hunk in applied:
        # new_start would count the rejected hunks above, too.
        places.append(_place(hunk.old_start + shift, len(hunk.new_lines), "a removal before"))
        shift += len(hunk.new_lines) - len(hunk.old_lines)
    return places


def _old_place(hunk: Hunk) -> str:
    return _place(hunk.old_start, len(hunk.old_lines), "insertion before")


def _place(start: int, count: int, nothing: str) -> str:
    if count == 0:
        return f"{nothing} line {start}"
    return f"line {start}" if count == 1 else f"lines {start}-{start + count - 1}"


_EXCERPT_CHARACTERS = 80


def _excerpt(hunk: Hunk) -> str:
    """Return the first line that the hunk would have put there, so that it can be told apart."""
    lines = hunk.new_lines or hunk.old_lines
    text = make_inert(next((line.strip() for line in lines if line.strip()), ""))
    if not text:
        return ""
    if len(text) > _EXCERPT_CHARACTERS:
        text = text[:_EXCERPT_CHARACTERS] + "..."
    verb = "" if hunk.new_lines else "removal of "
    return f": {verb}`{text}`"


def _name(proposal: WriteProposal) -> str:
    name = make_inert(proposal.shown_path)
    if proposal.path == proposal.shown_path:
        return name
    return f"{name} (a link to {make_inert(proposal.path)})"


def _size(written: bytes | None, words: WriteWords) -> str:
    if written is None:
        return ""
    lines = written.count(b"\n") + (not written.endswith(b"\n") and bool(written))
    if words.counts_characters:
        # A byte order mark is no character of the text: reading does not show it either.
        text = written.decode("utf-8", "surrogateescape").removeprefix(_BOM)
        size = counted(len(text), "character")
    else:
        size = counted(len(written), "byte")
    return f"; it now has {size}, {counted(lines, 'line')}"
