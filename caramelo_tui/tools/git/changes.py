"""Read git's lists of changed files.

Owns the parsing of ``git status --porcelain -z`` and ``git diff --name-status -z``, and the
count of changes that lie outside the workspace. Proven by
tests/unit/tools/git/test_changes.py.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.output_limits import counted, make_inert


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusEntry:
    """One row of the status."""

    code: str
    """Two letters: index and working tree."""
    path: str
    """From the top of the working tree; names that are not UTF-8 carry surrogate escapes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """One file of a commit to be made."""

    kind: str
    """``A``, ``M``, ``D``, ``T`` as git says."""
    path: str
    """From the top of the working tree."""
    added: int | None = None
    """Lines; ``None`` for a binary file."""
    removed: int | None = None
    is_repository: bool = False
    """Whether it is a repository of its own, of which only the commit's hash is recorded."""

    @property
    def row(self) -> str:
        """``M src/a.py +3 -1``, inert."""
        if self.is_repository:
            return f"{self.kind} {make_inert(self.path)} (a repository: only its commit's hash)"
        if self.added is None or self.removed is None:
            return f"{self.kind} {make_inert(self.path)} (binary)"
        return f"{self.kind} {make_inert(self.path)} +{self.added} -{self.removed}"


def read_status(data: bytes) -> tuple[StatusEntry, ...]:
    """Read ``git status --porcelain -z --no-renames``."""
    return tuple(
        StatusEntry(code=record[:2], path=record[3:])
        for record in os.fsdecode(data).split("\0")
        if record
    )


def read_changes(name_status: bytes, numstat: bytes) -> tuple[ChangedFile, ...]:
    """Read ``git diff`` with ``-z --no-renames``, once for the kinds and once for the lines."""
    lines = {path: (added, removed) for added, removed, path in _line_counts(numstat)}
    fields = os.fsdecode(name_status).split("\0")
    return tuple(
        ChangedFile(
            kind=kind, path=path, added=lines.get(path, _NONE)[0], removed=lines.get(path, _NONE)[1]
        )
        for kind, path in zip(fields[::2], fields[1::2], strict=False)
    )


async def outside_note(repository: OpenRepository) -> str:
    """Return a sentence about changes outside the workspace; empty when there are none.

    Raises:
        ToolFailure: If git fails.
    """
    prefix = repository.place.prefix
    if not prefix:
        return ""
    status = await repository.read(
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        submodule_option(repository),
        is_at_top=True,
    )
    # A new folder that holds the workspace is one entry that starts the prefix.
    count = sum(
        not entry.path.startswith(prefix) and not prefix.startswith(entry.path)
        for entry in read_status(status.stdout)
    )
    if not count:
        return ""
    return f"{counted(count, 'change')} of the repository outside the workspace: not shown"


def submodule_option(repository: OpenRepository) -> str:
    """Return how far git looks into submodules.

    Looking for changes inside one runs the filters that its own settings name.
    """
    return "--ignore-submodules=" + ("none" if repository.is_trusted else "dirty")


_NONE: tuple[int | None, int | None] = (None, None)


def _line_counts(numstat: bytes) -> Iterator[tuple[int | None, int | None, str]]:
    for record in os.fsdecode(numstat).split("\0"):
        added, _, rest = record.partition("\t")
        removed, _, path = rest.partition("\t")
        if path:
            yield _number(added), _number(removed), path


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
