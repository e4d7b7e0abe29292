"""Show the user how the workspace stands against its last commit.

Owns the reads for the file tree and the changes, one at a time, by the same safe git as the
model's tools. Changes nothing, tells the model nothing. Proven by
tests/unit/agent/test_git_view.py.
"""

import asyncio
import codecs
from collections.abc import Callable

from caramelo_tui.agent.total_changes import FileSpan, total_hunks
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.git_state import GitState, GitStates, HeadChanges, HeadFile
from caramelo_tui.domain.ids import CallId, IdSource
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.base import OutputSink, ToolContext
from caramelo_tui.tools.git.program import GitProgram, OpenRepository
from caramelo_tui.tools.git.work_tree import read_head_diff, read_states
from caramelo_tui.workspace.file_io import FileStore

NEW_FILES = 200
"""New files whose text is shown; of more, only that there are more."""
NEW_FILE_BYTES = 256 * 1024
"""Bytes of a new file that are shown."""


class GitView:
    """Looks at one workspace's repository."""

    def __init__(
        self,
        git: GitProgram,
        *,
        files: FileStore,
        context: Callable[[OutputSink], ToolContext],
        ids: IdSource,
    ) -> None:
        """Wire it; git is not started before it is asked for."""
        self._git = git
        self._files = files
        self._context = context
        self._ids = ids
        self._one_at_a_time = asyncio.Lock()

    async def states(self) -> GitStates | None:
        """Return what is not as in the last commit; ``None`` where there is no repository."""
        async with self._one_at_a_time:
            try:
                return await read_states(await self._open())
            except ToolFailure:
                # No git, no repository, or one that git refuses: the tree is shown without.
                return None

    async def head_changes(self) -> HeadChanges:
        """Return what differs from the last commit, new files last.

        Raises:
            ToolFailure: If there is no repository, or git fails.
        """
        async with self._one_at_a_time:
            repository = await self._open()
            tracked, is_whole = await read_head_diff(repository)
            states = await read_states(repository)
        known = {file.path for file in tracked}
        new = [
            path
            for path, state in sorted(states.states.items())
            if state in {GitState.UNTRACKED, GitState.ADDED} and path not in known
        ]
        shown = await asyncio.to_thread(self._new_files, new)
        is_whole = is_whole and len(shown) <= NEW_FILES
        return HeadChanges(files=(*tracked, *shown[:NEW_FILES]), is_whole=is_whole)

    async def _open(self) -> OpenRepository:
        call = ToolCall(id=CallId(self._ids.new("git-view")), name="git_status", arguments_json="")
        return await self._git.open(call, self._context(_drop))

    def _new_files(self, paths: list[str]) -> list[HeadFile]:
        """Return new files with their text, one more than are shown at most."""
        found: list[HeadFile] = []
        for path in paths:
            for file in self._files_at(path):
                found.append(self._new_file(file))
                if len(found) > NEW_FILES:
                    return found
        return found

    def _files_at(self, path: str) -> list[str]:
        """Return a file, or the files below a folder that is new as a whole."""
        name = path.rpartition("/")[2]
        try:
            entries = self._files.list_folder(path.rpartition("/")[0] or ".")
            kind = next((entry.kind for entry in entries if entry.name == name), None)
            if kind is not FileKind.FOLDER:
                return [path]
            walk = self._files.walk(path, skipped=(".git",))
            return [file.path for _number, file in zip(range(NEW_FILES + 1), walk, strict=False)]
        except ToolFailure:
            # It is gone meanwhile.
            return []

    def _new_file(self, path: str) -> HeadFile:
        try:
            found = self._files.read_bytes(
                self._files.sandbox.resolve(path), limit_bytes=NEW_FILE_BYTES
            )
            is_cut = len(found.data) < found.stamp.size
            text, _ = codecs.utf_8_decode(found.data, "strict", not is_cut)
        except ToolFailure as failure:
            return HeadFile(path=path, note=f"new file · {failure}")
        except UnicodeDecodeError:
            text, is_cut = "\0", False
        if "\0" in text:
            return HeadFile(path=path, note="new file · binary")
        hunks = total_hunks(FileSpan(path, None, text.encode()))
        return HeadFile(
            path=path, hunks=hunks, note="new file · its start" if is_cut else "new file"
        )


class NoGitView:
    """For a session that shows nothing of git."""

    async def states(self) -> GitStates | None:
        """Return nothing."""
        return None

    async def head_changes(self) -> HeadChanges:
        """Refuse.

        Raises:
            ToolFailure: Always.
        """
        raise ToolFailure("This session shows nothing of git.")


def _drop(_stream: object, _text: str) -> None:
    """Show nobody what git says meanwhile."""
