"""Show what the session's writes come to, each file once.

Owns both ends of every written file, the hunks between them, which are worked out in a thread
and kept until the file is written again, and how they become sections. Reads no file. Proven by
tests/unit/ui/test_change_totals.py.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.agent.total_changes import FileSpan, total_hunks
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.ui.widgets.diff_sections import FileSection, HunkSection, Section, TextSection
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A file's sections and what they were made from."""

    span: FileSpan
    sections: tuple[Section, ...]


class ChangeTotals:
    """Every written file, in the order of its first write."""

    def __init__(self) -> None:
        self._spans: dict[str, FileSpan] = {}
        self._drawn: dict[str, _Drawn] = {}

    @property
    def is_current(self) -> bool:
        """Whether all files are worked out as they are now."""
        return all(self._is_drawn(span) for span in self._spans.values())

    def add(self, changes: ChangeSet) -> None:
        """Take in what a call wrote."""
        for diff in changes.files:
            first = self._spans.get(diff.path)
            before = diff.before if first is None else first.before
            self._spans[diff.path] = FileSpan(diff.path, before, diff.after)

    async def work_out(self) -> None:
        """Compare both ends of the files that changed since; when cancelled, some are left."""
        while not self.is_current:
            for span in tuple(self._spans.values()):
                if not self._is_drawn(span):
                    hunks = await asyncio.to_thread(total_hunks, span)
                    rows = [HunkRows(hunk, span.path) for hunk in hunks]
                    self._drawn[span.path] = _Drawn(span, tuple(_sections(span, rows)))

    def sections(self) -> list[Section]:
        """Return all files that are worked out; for the others that they are on their way."""
        sections: list[Section] = []
        if self._spans:
            sections.append(TextSection("since the session's start", "secondary", "bold"))
        if not self.is_current:
            sections.append(TextSection("still being added up", sign=" … "))
        for path in self._spans:
            drawn = self._drawn.get(path)
            if drawn is not None:
                sections += drawn.sections
        return sections

    def _is_drawn(self, span: FileSpan) -> bool:
        drawn = self._drawn.get(span.path)
        return drawn is not None and drawn.span is span


def _sections(span: FileSpan, rows: Sequence[HunkRows]) -> list[Section]:
    hunks = [row.plan.hunk for row in rows]
    note = "new file" if span.before is None else "deleted" if span.after is None else ""
    if not hunks and span.before == span.after:
        note = "as it was at the start"
    head = FileSection(
        path=span.path,
        note=note,
        added=sum(hunk.added_lines for hunk in hunks),
        removed=sum(hunk.removed_lines for hunk in hunks),
        fates=lambda: (Fate.APPLIED,) * len(hunks),
    )
    parts = [
        HunkSection(
            hunk=row.plan.hunk,
            path=span.path,
            rows=row,
            fate=lambda: Fate.APPLIED,
            stop=row.plan.hunk.id,
        )
        for row in rows
    ]
    return [head, *parts]
