"""Turn two texts into hunks, and apply any subset of them.

Owns hunks as pure functions on text. Only LF ends a line. Works line by line in time that
stays near linear for any input: unique lines in common split the texts (patience diff, Bram
Cohen, 2010), difflib compares what lies between while that is cheap, and what is left is
one replaced block. Proven by tests/unit/workspace/test_diffing.py and
tests/property/test_diffing.py.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from caramelo_tui.domain.diffs import Hunk, KeptLines
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.line_matching import Change, changes_between

_JOINED_GAP_LINES = 2
"""Changed regions with at most so many unchanged lines between them are one hunk."""


def decode(data: bytes) -> str:
    """Return the text of any bytes; what is not UTF-8 becomes surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes that ``decode`` made ``text`` from."""
    return text.encode("utf-8", "surrogateescape")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, each with its LF; the last one may have none."""
    *whole, rest = text.split("\n")
    lines = [f"{line}\n" for line in whole]
    return [*lines, rest] if rest else lines


def hunks_between(
    before: str, after: str, *, call_id: CallId, context_lines: int = 3
) -> tuple[Hunk, ...]:
    """Return the hunks that turn ``before`` into ``after``.

    Args:
        before: Full text; empty for a new file.
        after: Full text of the same file after the edit.
        call_id: The call that the hunks come from; gives them their ids.
        context_lines: Unchanged lines kept on each side for display, 0 or more.

    Returns:
        Hunks in ascending line order, never overlapping; empty if the texts are equal.

    Raises:
        ValueError: If ``context_lines`` is negative.
    """
    if context_lines < 0:
        msg = "context_lines must not be negative"
        raise ValueError(msg)
    old, new = lines_of(before), lines_of(after)
    groups = _grouped(changes_between(old, new))
    ends = [0, *(group[-1].old_end for group in groups)]
    starts = [*(group[0].old_start for group in groups), len(old)]
    return tuple(
        Hunk(
            id=HunkId(f"{call_id}:{index}"),
            old_start=first.old_start + 1,
            old_lines=tuple(old[first.old_start : last.old_end]),
            new_start=first.new_start + 1,
            new_lines=tuple(new[first.new_start : last.new_end]),
            context_before=tuple(
                old[max(ends[index], first.old_start - context_lines) : first.old_start]
            ),
            context_after=tuple(
                old[last.old_end : min(starts[index + 1], last.old_end + context_lines)]
            ),
            kept=_kept_between(group),
        )
        for index, group in enumerate(groups)
        for first, last in [(group[0], group[-1])]
    )


def apply_hunks(before: str, hunks: Sequence[Hunk], accepted: Collection[HunkId]) -> str:
    """Return ``before`` with the accepted hunks applied, the others left out.

    Args:
        before: The text that the hunks were made from.
        hunks: All hunks of one ``hunks_between``, in its order.
        accepted: Ids to apply; unknown ids are ignored.

    Raises:
        ValueError: If a hunk does not fit ``before``.
    """
    lines = lines_of(before)
    kept: list[str] = []
    position = 0
    for hunk in hunks:
        start = hunk.old_start - 1
        end = start + len(hunk.old_lines)
        if start < position or tuple(lines[start:end]) != hunk.old_lines:
            msg = f"hunk {hunk.id} does not fit the text"
            raise ValueError(msg)
        kept += lines[position:start]
        kept += hunk.new_lines if hunk.id in accepted else hunk.old_lines
        position = end
    return "".join([*kept, *lines[position:]])


def _grouped(changes: Sequence[Change]) -> list[list[Change]]:
    """Put changes near to each other together: each group becomes one hunk."""
    groups: list[list[Change]] = []
    for change in changes:
        if groups and change.old_start - groups[-1][-1].old_end <= _JOINED_GAP_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _kept_between(group: Sequence[Change]) -> tuple[KeptLines, ...]:
    first = group[0]
    return tuple(
        KeptLines(
            old=before.old_end - first.old_start,
            new=before.new_end - first.new_start,
            count=after.old_start - before.old_end,
        )
        for before, after in pairwise(group)
    )
