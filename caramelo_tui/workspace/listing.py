"""List folders and walk the tree, inside the sandbox.

Owns the directory views that the tools and the file tree share. Follows no link while it
walks. Proven by tests/unit/workspace/test_listing.py.
"""

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from caramelo_tui.domain.errors import PathRefused, ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry, ResolvedPath
from caramelo_tui.workspace.path_failures import NotAFolder, errors_as_failures
from caramelo_tui.workspace.sandbox import Sandbox

LookUp = Callable[[], object]
"""Called every now and then while the disk is looked at, also where nothing is found; what it
raises ends the work. It must raise no ``ToolFailure``, which a walk takes for a folder that
cannot be read."""
_LOOK_UP_EVERY = 1_024
"""Entries of one folder between two calls."""


def never_end() -> None:
    """Let the work go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedFile:
    """A regular file found by a walk."""

    path: str
    """Workspace-relative POSIX path."""
    size: int
    """Bytes."""


def kind_of(mode: int) -> FileKind:
    """Return the kind that a mode of ``lstat`` stands for."""
    if stat.S_ISREG(mode):
        return FileKind.FILE
    if stat.S_ISDIR(mode):
        return FileKind.FOLDER
    return FileKind.LINK if stat.S_ISLNK(mode) else FileKind.OTHER


def list_folder(
    sandbox: Sandbox, path: ResolvedPath | str, *, look_up: LookUp = never_end
) -> tuple[FolderEntry, ...]:
    """Return what stands in a folder, in no order; ``look_up`` is called for each entry.

    Raises:
        ToolFailure: If it is missing, no folder, or cannot be listed.
    """
    relative = path.relative if isinstance(path, ResolvedPath) else path
    shown = path.asked if isinstance(path, ResolvedPath) else path
    descriptor = sandbox.open_folder(path)
    try:
        with errors_as_failures(shown), os.scandir(descriptor) as entries:
            return tuple(_entries(sandbox, descriptor, relative, entries, look_up))
    finally:
        os.close(descriptor)


def holds_links(sandbox: Sandbox, path: str) -> bool:
    """Whether a folder has a symbolic link as an entry.

    Raises:
        ToolFailure: If it cannot be listed.
    """
    descriptor = sandbox.open_folder(path)
    try:
        with errors_as_failures(path), os.scandir(descriptor) as entries:
            return any(entry.is_symlink() for entry in entries)
    finally:
        os.close(descriptor)


def walk(
    sandbox: Sandbox, path: str, *, skipped: Collection[str], look_up: LookUp = never_end
) -> Iterator[WalkedFile]:
    """Yield the regular files at and below a path, with their sizes.

    Args:
        sandbox: Opens every folder.
        path: Workspace-relative resolved path of a folder or a file.
        skipped: Names of folders that are not entered; the start folder itself is.
        look_up: Called for each folder, and again and again in a large one.

    Yields:
        Files by code point of the whole path. Links are not followed; folders that vanish,
        cannot be read or have too long a path are left out.

    Raises:
        ToolFailure: If nothing that can be read stands at ``path``.
    """
    for found, size in _walked(sandbox, path, _Wanted(skipped, look_up, has_sizes=True)):
        yield WalkedFile(path=found, size=size)


def walk_paths(
    sandbox: Sandbox, path: str, *, skipped: Collection[str], look_up: LookUp = never_end
) -> Iterator[str]:
    """Yield the paths that ``walk`` yields, without a look at each file: twice as fast.

    Raises:
        ToolFailure: If nothing that can be read stands at ``path``.
    """
    for found, _ in _walked(sandbox, path, _Wanted(skipped, look_up, has_sizes=False)):
        yield found


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a walk takes in."""

    skipped: Collection[str]
    look_up: LookUp
    has_sizes: bool


def _walked(sandbox: Sandbox, path: str, wanted: _Wanted) -> Iterator[tuple[str, int]]:
    try:
        first = _sorted_entries(sandbox, path, wanted)
    except NotAFolder:
        yield path, _size_of_single(sandbox, path)
        return
    pending = [iter(first)]
    while pending:
        for entry in pending[-1]:
            if entry[0].endswith("/"):
                pending.append(iter(_entries_below(sandbox, entry[0][:-1], wanted)))
                break
            yield entry
        else:
            pending.pop()


def _entries_below(sandbox: Sandbox, path: str, wanted: _Wanted) -> list[tuple[str, int]]:
    try:
        return _sorted_entries(sandbox, path, wanted)
    except ToolFailure:
        # Vanished, became a link, or may not be read: the walk goes on with the rest.
        return []


def _sorted_entries(sandbox: Sandbox, path: str, wanted: _Wanted) -> list[tuple[str, int]]:
    """Return files and folders (with a final slash) so that a walk in this order is sorted.

    The slash sorts a folder where its content belongs: ``a.txt`` before ``a/b``.
    """
    prefix = "" if path == "." else f"{path}/"
    found: list[tuple[str, int]] = []
    wanted.look_up()
    descriptor = sandbox.open_folder(path)
    try:
        with errors_as_failures(path), os.scandir(descriptor) as entries:
            for number, entry in enumerate(entries, start=1):
                if number % _LOOK_UP_EVERY == 0:
                    wanted.look_up()
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in wanted.skipped:
                        found.append((f"{prefix}{entry.name}/", 0))
                elif entry.is_file(follow_symlinks=False):
                    size = _size_of(entry) if wanted.has_sizes else 0
                    if size is not None:
                        found.append((prefix + entry.name, size))
    finally:
        os.close(descriptor)
    # Names in a folder differ, so no sizes are compared.
    found.sort()
    return found


def _size_of(entry: "os.DirEntry[str]") -> int | None:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return None


def _size_of_single(sandbox: Sandbox, path: str) -> int:
    descriptor = sandbox.open_regular(path)
    try:
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _entries(
    sandbox: Sandbox,
    folder: int,
    relative: str,
    names: Iterable["os.DirEntry[str]"],
    look_up: LookUp,
) -> Iterator[FolderEntry]:
    for name in names:
        look_up()
        entry = _entry(sandbox, folder, relative, name)
        if entry is not None:
            yield entry


def _entry(
    sandbox: Sandbox, folder: int, relative: str, found: "os.DirEntry[str]"
) -> FolderEntry | None:
    name = found.name
    try:
        # The listing itself tells folders: only what has a size or a target is looked at.
        if found.is_dir(follow_symlinks=False):
            return FolderEntry(name=name, kind=FileKind.FOLDER, size=0)
        status = found.stat(follow_symlinks=False)
        kind = kind_of(status.st_mode)
        if kind is not FileKind.LINK:
            size = status.st_size if kind is FileKind.FILE else 0
            return FolderEntry(name=name, kind=kind, size=size)
        target = os.readlink(name, dir_fd=folder)
    except OSError:
        # It vanished between the listing and the look.
        return None
    leads_to_folder = _leads_to_folder(sandbox, f"./{relative}/{name}")
    return FolderEntry(
        name=name,
        kind=kind,
        size=0,
        link_target=None if leads_to_folder is None else target,
        leads_to_folder=bool(leads_to_folder),
    )


def _leads_to_folder(sandbox: Sandbox, link: str) -> bool | None:
    """Say whether a link leads to a folder inside; ``None`` when it does not stay inside."""
    try:
        resolved = sandbox.resolve(link)
    except PathRefused:
        return None
    try:
        os.close(sandbox.open_folder(resolved))
    except ToolFailure:
        return False
    return True
