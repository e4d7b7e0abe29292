"""Remove checkpoints that are too old, or more than may be kept.

Owns the rule: sessions' journals go by age, then the oldest ones until the rest fits; contents go
when no journal names them. A journal that was written today stays whatever its size, and so does a
content that is younger than some days: a session that runs may need them. Blocks. Proven by
tests/unit/workspace/test_checkpoint_cleanup.py.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.workspace.journal import BLOBS_NAME, JOURNAL_NAME
from caramelo_tui.workspace.journal_entries import JournalEntry, read_line

_log = logging.getLogger(__name__)

_DAY_S = 86_400.0
_SPARED_JOURNAL_S = _DAY_S
"""A journal that was written since belongs to a session that may be open."""
_SPARED_BLOB_S = 3 * _DAY_S
"""A content that no journal names yet may be what a running command is about to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepRule:
    """How much is kept."""

    days: int
    """Age of a session's last change."""
    size_bytes: int
    """Of all workspaces together."""


@dataclass(frozen=True, slots=True)
class _Session:
    folder: Path
    changed_at: float
    """Seconds since the Unix epoch."""


def clean_up(checkpoints: Path, rule: KeepRule, *, now: float, current: Path) -> None:
    """Remove what the rule does not keep; what cannot be removed is logged and left.

    Args:
        checkpoints: The program's folder of checkpoints; need not exist.
        rule: How much is kept.
        now: Seconds since the Unix epoch.
        current: Folder of the session that runs, which is spared.
    """
    sessions = sorted(_sessions(checkpoints), key=lambda session: session.changed_at)
    others = [session for session in sessions if session.folder != current]
    old = [one for one in others if now - one.changed_at > rule.days * _DAY_S]
    touched = {session.folder.parent for session in sessions}
    for session in old:
        _remove(session.folder)
    for workspace in touched:
        _sweep(workspace, now)
    left = [one for one in others if one not in old and now - one.changed_at > _SPARED_JOURNAL_S]
    while left and _size_of(checkpoints) > rule.size_bytes:
        session = left.pop(0)
        _remove(session.folder)
        _sweep(session.folder.parent, now)


def _sessions(checkpoints: Path) -> Iterator[_Session]:
    for workspace in _folders(checkpoints):
        for folder in _folders(workspace):
            if folder.name == BLOBS_NAME:
                continue
            try:
                yield _Session(folder, (folder / JOURNAL_NAME).stat().st_mtime)
            except OSError:
                # No journal: something else made it, and it is let be.
                continue


def _folders(parent: Path) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            return sorted(Path(e.path) for e in entries if e.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _sweep(workspace: Path, now: float) -> None:
    """Remove the contents of a workspace that no journal of it names."""
    named = {content for folder in _folders(workspace) for content in _named(folder / JOURNAL_NAME)}
    for shelf in _folders(workspace / BLOBS_NAME):
        for blob, status in _files(shelf):
            if blob.name not in named and now - status.st_mtime > _SPARED_BLOB_S:
                _unlink(blob)


def _named(journal: Path) -> Iterator[str]:
    try:
        lines = journal.read_bytes().split(b"\n")
    except OSError:
        return
    for line in lines:
        entry = read_line(line, 0) if line else None
        if isinstance(entry, JournalEntry):
            yield from (content for content in (entry.before_hash, entry.after_hash) if content)


def _size_of(folder: Path) -> int:
    own = sum(status.st_size for _path, status in _files(folder))
    return own + sum(_size_of(below) for below in _folders(folder))


def _files(folder: Path) -> list[tuple[Path, os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            return [
                (Path(entry.path), entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as error:
        _log.debug("checkpoints were not removed whole: %s", error)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.debug("a stored content was not removed: %s", error)
