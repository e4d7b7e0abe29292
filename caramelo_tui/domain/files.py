"""Name files, their identity and their changes.

Owns the values that the workspace hands up. Paths are workspace-relative POSIX texts
(``src/a.py``; the root is ``.``); names that are not UTF-8 carry surrogate escapes.
Proven by tests/unit/domain/test_files.py.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPath:
    """A path argument after the sandbox let it pass."""

    asked: str
    """The argument, unchanged."""
    relative: str
    """Workspace-relative POSIX path with every link resolved; the root is ``.``."""
    shown: str
    """Workspace-relative POSIX path as asked, dots removed, links kept; for headers and rows."""
    absolute: Path
    """The resolved absolute path, for messages and for a child's working directory only."""


class FileKind(StrEnum):
    """What stands at a path."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStamp:
    """The identity of a file's content as the kernel tells it without reading."""

    device: int
    inode: int
    size: int
    """Bytes."""
    mtime_ns: int
    ctime_ns: int
    """Nanoseconds since the epoch; cannot be set back by a program, unlike ``mtime_ns``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderEntry:
    """One name in a folder."""

    name: str
    kind: FileKind
    """Kind of the entry itself; ``LINK`` for any symbolic link."""
    size: int
    """Bytes; 0 for anything but a file."""
    link_target: str | None = None
    """For a link that stays inside: its target as stored; for one that leaves: ``None``."""
    leads_to_folder: bool = False
    """Whether a link leads to a folder inside the workspace."""
    is_skipped: bool = False
    """For the file tree: whether searches leave the folder out."""


class ChangeKind(StrEnum):
    """What happened to a file."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


class ChangeOrigin(StrEnum):
    """Who changed a file."""

    AGENT = "agent"
    COMMAND = "command"
    EXTERNAL = "external"
    UNDO = "undo"
    """The user took changes back, or put them back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file that changed on disk."""

    path: str
    """Workspace-relative POSIX path."""
    kind: ChangeKind
