"""Show the workspace to the user: folders, starts of files, kept outputs.

Owns what the file tree, the preview and the output pager may see: only what the sandbox lets
pass, bounded. Reads in threads, changes nothing. Proven by
tests/unit/agent/test_workspace_view.py.
"""

import asyncio
import codecs
import os
import stat
from pathlib import Path

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.workspace.file_io import FileStore

PREVIEW_BYTES = 256 * 1024
"""Bytes of a file that the preview shows."""
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
        return tuple(sorted(entries, key=_folders_first))

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


def _folders_first(entry: FolderEntry) -> tuple[bool, str]:
    is_folder = entry.kind is FileKind.FOLDER or entry.leads_to_folder
    return (not is_folder, entry.name)
