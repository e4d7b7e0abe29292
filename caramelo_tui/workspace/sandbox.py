"""Confine every path to the workspace.

Owns the one resolver for path arguments and the guarded way to open what it let pass: from
the root folder part by part, following no link, so that a link swapped in between check and
use cannot lead out. It knows nothing of policy. Proven by tests/unit/workspace/test_sandbox.py
and tests/property/test_sandbox.py.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Generator, Sequence
from pathlib import Path

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.workspace.disk_steps import sync
from caramelo_tui.workspace.path_failures import (
    NotAFolder,
    errors_as_failures,
    failure_of,
    kind_in_words,
)
from caramelo_tui.workspace.path_forms import (
    FOLDER_PARTS,
    checked_form,
    is_too_long,
    names_a_folder,
    plain_spelling,
)

_LINK_LIMIT = 40
"""Links followed for one path, as in Linux (``path_resolution(7)``)."""
_STEP_LIMIT = 4_096
"""Parts walked for one path, those of its links counted: chained links of thousands of parts
each would otherwise keep the resolver busy for as long as the repository likes."""
# O_PATH passes through folders that may be entered but not listed.
_PASS_THROUGH = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW
_LISTABLE = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_READABLE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW


class Sandbox:
    """Resolve path arguments and open what they lead to, never outside the root."""

    def __init__(self, root: Path) -> None:
        """Take the root of the workspace.

        Args:
            root: An existing folder; links in it are resolved once, here.

        Raises:
            OSError: If the folder does not exist.
            NotADirectoryError: If it is not a folder.
        """
        self._root = root.resolve(strict=True)
        if not self._root.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "not a folder", str(root))
        self._root_parts = _split(str(self._root))

    @property
    def root(self) -> Path:
        """Absolute path of the workspace with every link resolved."""
        return self._root

    def resolve(self, asked: str, *, allows_absolute: bool = False) -> ResolvedPath:
        """Say where a path argument really leads.

        Links are followed on every existing part, also when the rest does not exist, and a
        ``..`` goes up from where the links before it led.

        Args:
            asked: The argument, unchanged.
            allows_absolute: Whether an absolute path is accepted when it leads inside.

        Returns:
            The resolved path; nothing needs to exist at it.

        Raises:
            PathRefused: If the form is refused, the links form a loop or are too many, or the
                path is too long.
            PathOutsideWorkspace: If it leads outside; the text names the argument.
        """
        text = checked_form(asked, allows_absolute=allows_absolute)
        start = [] if text.startswith("/") else list(self._root_parts)
        resolved = _follow_links(asked, start, _split(text))
        depth = len(self._root_parts)
        if resolved[:depth] != self._root_parts:
            raise PathOutsideWorkspace(asked, "it leads outside the workspace")
        relative = "/".join(resolved[depth:]) or "."
        spelling = None if text.startswith("/") else plain_spelling(text)
        return ResolvedPath(
            asked=asked,
            relative=relative,
            shown=spelling or relative,
            absolute=Path("/", *resolved),
        )

    @contextlib.contextmanager
    def open_parent(
        self, path: ResolvedPath | str, *, creates_parents: bool = False
    ) -> Generator[tuple[int, str]]:
        """Hold the folder of a path open, reached without following any link.

        Args:
            path: A resolved path, or its workspace-relative text.
            creates_parents: Whether missing folders are made. They are removed again when
                the body raises (those that are empty).

        Yields:
            Descriptor of the folder, valid inside the ``with`` block only, and the last part.

        Raises:
            MissingPath: If a folder is missing and may not be made.
            ToolFailure: If a part is no folder, became a link, or the path is the root.
        """
        parts, shown = _parts_of(path)
        if not parts:
            msg = f"{shown} is a folder, not a file."
            raise ToolFailure(msg)
        made: list[Sequence[str]] = []
        try:
            descriptor = self._descend(parts[:-1], shown, made if creates_parents else None)
            try:
                yield descriptor, parts[-1]
            finally:
                os.close(descriptor)
        except BaseException:
            self._remove_folders(made)
            raise

    def open_folder(self, path: ResolvedPath | str) -> int:
        """Open a folder for listing, reached without following any link.

        Returns:
            A descriptor that the caller closes.

        Raises:
            MissingPath: If it does not exist.
            NotAFolder: If it is something else.
            ToolFailure: If it cannot be opened.
        """
        parts, shown = _parts_of(path)
        if not parts:
            return self._open_root(_LISTABLE, shown)
        with self.open_parent(path) as (parent, name), errors_as_failures(shown):
            try:
                return os.open(name, _LISTABLE, dir_fd=parent)
            except NotADirectoryError as error:
                msg = f"{shown} is not a folder."
                raise NotAFolder(msg) from error

    def open_regular(self, path: ResolvedPath | str) -> int:
        """Open a regular file for reading, reached without following any link.

        FIFOs, devices and sockets are refused before they are opened.

        Returns:
            A descriptor that the caller closes.

        Raises:
            MissingPath: If it does not exist.
            ToolFailure: If it is anything but a regular file, or cannot be opened.
        """
        _, shown = _parts_of(path)
        if isinstance(path, ResolvedPath) and names_a_folder(path.asked) and path.relative != ".":
            msg = f"{shown} names a folder, not a file."
            raise ToolFailure(msg)
        with self.open_parent(path) as (parent, name):
            return open_regular_at(parent, name, shown)

    def _open_root(self, flags: int, shown: str) -> int:
        with errors_as_failures(shown):
            return os.open(self._root, flags)

    def _descend(
        self, parts: Sequence[str], shown: str, made: list[Sequence[str]] | None = None
    ) -> int:
        # Missing folders are made, and noted in ``made``, only if it is given.
        current = self._open_root(_PASS_THROUGH, shown)
        for depth, part in enumerate(parts, start=1):
            try:
                below, is_made = _enter(current, part, may_make=made is not None)
            except OSError as error:
                failure = _walk_failure(error, current, part, shown)
                raise failure from error
            finally:
                os.close(current)
            if is_made and made is not None:
                made.append(parts[:depth])
            current = below
        return current

    def _remove_folders(self, made: Sequence[Sequence[str]]) -> None:
        for parts in reversed(made):
            # Somebody may have put a file there meanwhile; then the folder stays, rightly.
            with contextlib.suppress(OSError, ToolFailure):
                parent = self._descend(parts[:-1], "/".join(parts))
                try:
                    os.rmdir(parts[-1], dir_fd=parent)
                finally:
                    os.close(parent)


def open_regular_at(folder: int, name: str, shown: str) -> int:
    """Open a regular file of an open folder for reading.

    Args:
        folder: Descriptor of the folder.
        name: Name in that folder.
        shown: Path for messages.

    Returns:
        A descriptor that the caller closes.

    Raises:
        MissingPath: If it does not exist.
        ToolFailure: If it is not a regular file or cannot be opened.
    """
    with errors_as_failures(shown):
        _refuse_irregular(os.stat(name, dir_fd=folder, follow_symlinks=False), shown)
        descriptor = os.open(name, _READABLE, dir_fd=folder)
    try:
        # Between the look and the opening another thing may have taken the name.
        _refuse_irregular(os.fstat(descriptor), shown)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def sync_folder(folder: int) -> None:
    """Make changed entries of an open folder last through a power cut, where that is possible."""
    # Some file systems cannot sync a folder; the entries are right all the same.
    with contextlib.suppress(OSError):
        # The descriptor in hand may be O_PATH, which cannot be synced.
        listable = os.open(".", _LISTABLE, dir_fd=folder)
        try:
            sync(listable)
        finally:
            os.close(listable)


def _refuse_irregular(status: os.stat_result, shown: str) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise PathRefused(shown, "it became a link while it was being used")
    if not stat.S_ISREG(status.st_mode):
        msg = f"{shown} is {kind_in_words(status.st_mode)}, not a regular file."
        raise ToolFailure(msg)


def _enter(folder: int, name: str, *, may_make: bool) -> tuple[int, bool]:
    # The second value says whether the folder had to be made.
    try:
        return os.open(name, _PASS_THROUGH, dir_fd=folder), False
    except FileNotFoundError:
        if not may_make:
            raise
    is_made = True
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        is_made = False
    sync_folder(folder)
    return os.open(name, _PASS_THROUGH, dir_fd=folder), is_made


def _walk_failure(error: OSError, folder: int, name: str, shown: str) -> ToolFailure:
    """Tell a link that was swapped in from a file that stands where a folder should."""
    if error.errno not in {errno.ENOTDIR, errno.ELOOP}:
        return failure_of(error, shown)
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as gone:
        return failure_of(gone, shown)
    if stat.S_ISLNK(status.st_mode):
        return PathOutsideWorkspace(shown, "a folder of it became a link while it was being used")
    return failure_of(error, shown)


def _parts_of(path: ResolvedPath | str) -> tuple[list[str], str]:
    # The parts below the root (none for the root itself) and the text for messages.
    relative, shown = (
        (path.relative, path.asked) if isinstance(path, ResolvedPath) else (path, path)
    )
    if relative == ".":
        return [], shown
    if is_too_long(relative):
        raise PathRefused(shown, "the path is too long")
    parts = relative.split("/")
    if "\0" in relative or not FOLDER_PARTS.isdisjoint(parts):
        raise PathRefused(shown or "(empty path)", "it is not a resolved workspace path")
    return parts, shown


def _split(text: str) -> list[str]:
    return [part for part in text.split("/") if part]


def _follow_links(asked: str, start: list[str], parts: Sequence[str]) -> list[str]:
    # Returns the absolute parts where ``parts`` lead from ``start``, with no link left.
    resolved = start
    pending = list(reversed(parts))
    links = steps = 0
    while pending:
        part = pending.pop()
        steps += 1
        if steps > _STEP_LIMIT:
            raise PathRefused(asked, "its links lead through too many folders")
        if part == ".":
            continue
        if part == "..":
            resolved = resolved[:-1]
            continue
        target = _link_target("/" + "/".join([*resolved, part]), asked)
        if target is None:
            resolved = [*resolved, part]
            continue
        links += 1
        if links > _LINK_LIMIT:
            raise PathRefused(asked, "it passes through too many links (a loop?)")
        if target.startswith("/"):
            resolved = []
        pending.extend(reversed(_split(target)))
    return resolved


def _link_target(absolute: str, asked: str) -> str | None:
    try:
        # Not by pathlib, which takes the whole path apart again at every part of it.
        return os.readlink(absolute)  # noqa: PTH115 - see above
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            failure = failure_of(error, asked)
            raise failure from error
        # Not a link, missing, or not to be looked at: the opening that follows says so.
        return None
