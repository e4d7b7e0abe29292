"""Describe proposed and applied changes of files.

Owns edits, hunks, proposals and change sets. Lines keep their line end; only LF ends a line
(CRLF keeps its CR as the last character before the LF). Texts are UTF-8 decoded with
surrogate escapes, so that every byte sequence survives. Proven by
tests/unit/domain/test_diffs.py and tests/property/test_diffing.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from caramelo_tui.domain.ids import CallId, HunkId


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLines:
    """Lines inside a hunk that stayed the same, because changes near to each other are one hunk."""

    old: int
    """Index in ``Hunk.old_lines`` of the first of them."""
    new: int
    """Index in ``Hunk.new_lines`` of the first of them."""
    count: int
    """1 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A changed region of one file."""

    id: HunkId
    """Unique within the session; keeps the call that the hunk came from."""
    old_start: int
    """Line before the edit where the region starts, 1-based; for a pure insertion the line
    before which it is inserted (number of lines + 1 at the end)."""
    old_lines: tuple[str, ...]
    """Replaced lines, each with its line end; empty for a pure insertion."""
    new_start: int
    """Line after the edit where the region starts, 1-based."""
    new_lines: tuple[str, ...]
    """Lines that stand there after the edit; empty for a pure deletion."""
    context_before: tuple[str, ...] = ()
    """Unchanged lines directly above, for display."""
    context_after: tuple[str, ...] = ()
    """Unchanged lines directly below, for display."""
    kept: tuple[KeptLines, ...] = ()
    """Lines of the region that stayed the same, in line order; empty in most hunks."""

    @property
    def added_lines(self) -> int:
        """Lines that are new; those that stayed the same do not count."""
        return len(self.new_lines) - sum(kept.count for kept in self.kept)

    @property
    def removed_lines(self) -> int:
        """Lines that go away; those that stayed the same do not count."""
        return len(self.old_lines) - sum(kept.count for kept in self.kept)


def changed_lines(hunks: Iterable[Hunk]) -> int:
    """Return the added and removed lines of hunks together."""
    return sum(hunk.added_lines + hunk.removed_lines for hunk in hunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReplace:
    """Replace the only occurrence of a text."""

    search: str
    replace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeContent:
    """Write a whole file."""

    content: str
    can_overwrite: bool
    """Whether an existing file may be replaced."""


FileEdit = SearchReplace | WholeContent
"""What a call asked to be done to one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteProposal:
    """The exact effect of one write call on one file, worked out and not yet written."""

    call_id: CallId
    path: str
    """Workspace-relative resolved path of the file that will be written."""
    shown_path: str
    """The path as the model asked for it, dots removed; differs from ``path`` behind a link."""
    edit: FileEdit
    before: bytes | None
    """Content the edit stands on (disk plus this turn's earlier proposals); ``None``: no file."""
    after: bytes
    """Content when every hunk is accepted."""
    hunks: tuple[Hunk, ...]
    """In line order; a new file is one hunk; empty when nothing changes."""
    base_hash: str | None
    """SHA-256 (hex) of the file on disk when the proposal was made; ``None``: no file."""
    hard_links: int = 1
    """Names of the file on disk; above 1 the other names keep the old bytes."""

    @property
    def is_new(self) -> bool:
        """Whether the file does not exist before this proposal."""
        return self.before is None

    @property
    def added_lines(self) -> int:
        """Lines that the proposal adds."""
        return sum(hunk.added_lines for hunk in self.hunks)

    @property
    def removed_lines(self) -> int:
        """Lines that the proposal removes."""
        return sum(hunk.removed_lines for hunk in self.hunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    """What was really written to one file by one call."""

    path: str
    before: bytes | None
    """Content before; ``None``: the file was created."""
    after: bytes | None
    """Content after; ``None``: the file was deleted."""
    applied: tuple[Hunk, ...]
    """Hunks that were written."""
    rejected: tuple[Hunk, ...] = ()
    """Hunks that the user turned down, kept visible."""

    @property
    def added_lines(self) -> int:
        """Lines really added."""
        return sum(hunk.added_lines for hunk in self.applied)

    @property
    def removed_lines(self) -> int:
        """Lines really removed."""
        return sum(hunk.removed_lines for hunk in self.applied)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """All file changes of one call."""

    call_id: CallId
    files: tuple[FileDiff, ...]

    def without_contents(self) -> "ChangeSet":
        """Return the same with empty contents, for who only needs paths and hunks."""
        return replace(
            self,
            files=tuple(
                replace(
                    file,
                    before=None if file.before is None else b"",
                    after=None if file.after is None else b"",
                )
                for file in self.files
            ),
        )
