"""Show the workspace to the user: folders, starts of files, kept outputs.

Owns what the file tree, the preview and the output pager may see: only what the sandbox lets
pass, bounded. Reads in threads, changes nothing. Proven by
tests/unit/agent/test_workspace_view.py.
"""

import asyncio
import codecs
import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

from caramelo_tui.agent.port import FileList, FilePreview
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

PREVIEW_BYTES = 256 * 1024
"""Bytes of a file that the preview shows."""
LISTED_PATHS = 200_000
"""Files and folders that are listed to be mentioned."""
ARTIFACT_BYTES = 10 * 1024 * 1024
"""Bytes of a kept output that are shown; no more is kept."""


class WorkspaceView:
    """Looks at one workspace and one session's artifacts."""

    def __init__(self, files: FileStore, artifacts_folder: Path) -> None:
        self._files = files
        self._artifacts_folder = artifacts_folder

    async def list_folder(self, path: str) -> tuple[FolderEntry, ...]:
        """Return the entries of a folder, folders first, each group by code point.

        Args:
            path: Workspace-relative; ``.`` is the root.

        Raises:
            ToolFailure: If it is refused, missing or no folder.
        """
        return await asyncio.to_thread(self._list_folder, path)

    async def list_files(self) -> FileList:
        """Return the paths of files and folders, without those that searches skip.

        A cancel ends the walk soon.
        """
        is_wanted = threading.Event()
        is_wanted.set()
        try:
            return await asyncio.to_thread(self._list_files, is_wanted)
        finally:
            is_wanted.clear()

    async def preview(self, path: str) -> FilePreview:
        """Return the start of a file; what is wrong with it is in the value."""
        return await asyncio.to_thread(self._preview, path)

    def read_artifact(self, name: str) -> bytes | None:
        """Return a kept output; ``None`` when it is gone or the name is none of ours."""
        if not name or name != Path(name).name or "\0" in name:
            return None
        try:
            descriptor = os.open(
                self._artifacts_folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            )
        except OSError:
            return None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            return None
        with os.fdopen(descriptor, "rb") as file:
            return file.read(ARTIFACT_BYTES)

    def _list_folder(self, path: str) -> tuple[FolderEntry, ...]:
        entries = self._files.list_folder(self._files.sandbox.resolve(path))
        return tuple(_with_skipped(entry) for entry in sorted(entries, key=_folders_first))

    def _list_files(self, is_wanted: threading.Event) -> FileList:
        def look_up() -> None:
            if not is_wanted.is_set():
                raise _NotWanted

        paths: list[str] = []
        folders: set[str] = set()
        try:
            for found in self._files.walk(".", skipped=SKIPPED_FOLDERS, look_up=look_up):
                if len(paths) >= LISTED_PATHS:
                    return FileList(paths=tuple(paths), is_whole=False)
                paths += _new_folders(found.path, folders)
                paths.append(found.path)
        except (ToolFailure, _NotWanted):
            # The root is gone, or nobody waits any more: what was found is all there is.
            return FileList(paths=tuple(paths), is_whole=False)
        return FileList(paths=tuple(paths), is_whole=True)

    def _preview(self, path: str) -> FilePreview:
        try:
            found = self._files.read_bytes(
                self._files.sandbox.resolve(path), limit_bytes=PREVIEW_BYTES
            )
        except ToolFailure as failure:
            return FilePreview(path=path, text="", size=0, problem=str(failure))
        size = found.stamp.size
        is_whole = len(found.data) >= size
        if b"\0" in found.data:
            return FilePreview(path=path, text="", size=size, problem="a binary file")
        try:
            # A limit may fall into a character; its first bytes are then left out.
            text, _ = codecs.utf_8_decode(found.data.removeprefix(codecs.BOM_UTF8), None, is_whole)
        except UnicodeDecodeError:
            return FilePreview(path=path, text="", size=size, problem="not UTF-8 text")
        return FilePreview(path=path, text=text, size=size)


class _NotWanted(Exception):
    """Nobody waits for the list any more."""


def _new_folders(path: str, known: set[str]) -> list[str]:
    """Return the folders above a path that were not known, from the top; they are known then."""
    new: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and folder not in known:
        known.add(folder)
        new.append(f"{folder}/")
        folder = folder.rpartition("/")[0]
    return new[::-1]


def _folders_first(entry: FolderEntry) -> tuple[bool, str]:
    is_folder = entry.kind is FileKind.FOLDER or entry.leads_to_folder
    return (not is_folder, entry.name)


def _with_skipped(entry: FolderEntry) -> FolderEntry:
    if entry.kind is FileKind.FOLDER and entry.name in SKIPPED_FOLDERS:
        return replace(entry, is_skipped=True)
    return entry
