"""Work out what a session's writes come to, file by file.

Owns the difference between a file before the session's first write and after its last. Pure: it
compares contents that the events brought and reads no file. Proven by
tests/unit/agent/test_total_changes.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import CallId
from caramelo_tui.workspace.diffing import decode, hunks_between


@dataclass(frozen=True, slots=True)
class FileSpan:
    """One file at both ends of a session."""

    path: str
    before: bytes | None
    """Content before the first write; ``None``: there was no file."""
    after: bytes | None
    """Content after the last write; ``None``: there is no file."""


def total_hunks(span: FileSpan) -> tuple[Hunk, ...]:
    """Return the hunks between both ends; none where the file is again as it was.

    Takes up to some hundred milliseconds for big files: not for the event loop.
    """
    return hunks_between(
        decode(span.before or b""), decode(span.after or b""), call_id=CallId(f"total:{span.path}")
    )
