"""Know the parts of one recorded change, and take some of them back.

Owns what a part is: a hunk, or the whole file where there is no text to cut (a file made or
deleted, or one with NUL bytes); and how a part is taken out of a file that has moved on. Pure.
Proven by tests/unit/workspace/test_undo_images.py and tests/property/test_undo.py.
"""

from collections.abc import Collection
from dataclasses import dataclass

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import CallId
from caramelo_tui.workspace.diffing import apply_hunks, decode, encode, hunks_between
from caramelo_tui.workspace.merging import merge


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A file after a part of its past was changed."""

    content: bytes | None
    """``None``: no file. In a conflict the lines of the past are taken."""
    conflicts: int = 0
    is_merged: bool = False
    """Whether others had changed the file meanwhile, and their change is still in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeImages:
    """One recorded change with both contents."""

    before: bytes | None
    after: bytes | None
    hunks: tuple[Hunk, ...]
    """Empty when the change has only one part, the whole file."""

    @property
    def parts(self) -> frozenset[int]:
        """All parts."""
        return frozenset(range(len(self.hunks) or 1))

    def with_parts(self, active: Collection[int]) -> bytes | None:
        """Return the content that only these parts of the change leave."""
        if not active:
            return self.before
        if len(active) == len(self.parts) or self.before is None:
            return self.after
        ids = {self.hunks[index].id for index in active}
        return encode(apply_hunks(decode(self.before), self.hunks, ids))


def images_of(before: bytes | None, after: bytes | None) -> ChangeImages:
    """Return a change with its hunks."""
    if not (_is_text(before) and _is_text(after)) or before is None or after is None:
        return ChangeImages(before=before, after=after, hunks=())
    hunks = hunks_between(decode(before), decode(after), call_id=CallId("part"), context_lines=0)
    return ChangeImages(before=before, after=after, hunks=hunks)


def moved(current: bytes | None, *, since: bytes | None, to: bytes | None) -> Step:
    """Take a file from one content to another although it may have moved on from the first.

    Args:
        current: The file as it is.
        since: What it was recorded as.
        to: What it is to be in place of that.
    """
    if current in {since, to}:
        return Step(content=to)
    if since == to:
        return Step(content=current, is_merged=True)
    if current is None or since is None or to is None or not _are_text(current, since, to):
        return Step(content=to, conflicts=1)
    merged = merge(decode(since), decode(current), decode(to))
    return Step(content=encode(merged.text), conflicts=merged.conflicts, is_merged=True)


def _is_text(data: bytes | None) -> bool:
    return data is None or b"\0" not in data


def _are_text(*contents: bytes) -> bool:
    return all(_is_text(data) for data in contents)
