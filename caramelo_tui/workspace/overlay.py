"""Show files as this turn's proposals would leave them.

Owns the chain of proposals of one turn over the disk, and makes new ones. It writes nothing
and asks nobody. Proven by tests/unit/workspace/test_overlay.py.
"""

from caramelo_tui.domain.diffs import FileEdit, Hunk, WriteProposal
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, ResolvedPath
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import decode, hunks_between
from caramelo_tui.workspace.edits import apply_edit
from caramelo_tui.workspace.file_io import FileFacts, FileStore, content_hash
from caramelo_tui.workspace.path_forms import names_a_folder


class Overlay:
    """The files of the workspace with the proposals of one turn laid over them."""

    def __init__(self, files: FileStore) -> None:
        self._files = files
        self._latest: dict[str, WriteProposal] = {}

    def current(self, path: str) -> bytes | None:
        """Return what the last proposal leaves at ``path``, else what is on disk.

        Args:
            path: Workspace-relative resolved path.

        Returns:
            The whole content; ``None``: no file.

        Raises:
            ToolFailure: If the file cannot be read.
        """
        latest = self._latest.get(path)
        if latest is not None:
            return latest.after
        found = self._files.read_if_exists(path)
        return None if found is None else found.data

    def base_hash(self, path: str) -> str | None:
        """Return the hash of the disk content that proposals for ``path`` stand on.

        Args:
            path: Workspace-relative resolved path.

        Returns:
            SHA-256 in hexadecimal; ``None``: no file. Once a proposal was laid over the file,
            it stays that of the first one, which all later ones stand on.

        Raises:
            ToolFailure: If the file cannot be read.
        """
        latest = self._latest.get(path)
        if latest is not None:
            return latest.base_hash
        found = self._files.read_if_exists(path)
        return None if found is None else content_hash(found.data)

    def propose(self, proposal: WriteProposal) -> None:
        """Lay a proposal over its file; later ones stand on it."""
        self._latest[proposal.path] = proposal

    def make_proposal(
        self,
        call_id: CallId,
        path: ResolvedPath,
        edit: FileEdit,
        *,
        create_tool: str = "file_write",
    ) -> WriteProposal:
        """Work out the exact effect of an edit; lays nothing over the file yet.

        Args:
            call_id: The call that asks for it.
            path: The file, resolved.
            edit: What is to be done.
            create_tool: Name of the tool that makes new files, for messages.

        Raises:
            ToolFailure: If it cannot be done: no file path, read-only, no match and so on.
        """
        facts = self._writable_facts(path)
        before, base_hash = self._standing(path)
        after = apply_edit(before, edit, path.shown, create_tool=create_tool)
        return WriteProposal(
            call_id=call_id,
            path=path.relative,
            shown_path=path.shown,
            edit=edit,
            before=before,
            after=after,
            hunks=_hunks(before, after, call_id),
            base_hash=base_hash,
            hard_links=max(1, facts.hard_links),
        )

    def reset(self) -> None:
        """Forget all proposals; the turn is over."""
        self._latest.clear()

    def _standing(self, path: ResolvedPath) -> tuple[bytes | None, str | None]:
        """Return the content that a new edit stands on, and the hash of the disk below it."""
        latest = self._latest.get(path.relative)
        if latest is not None:
            return latest.after, latest.base_hash
        found = self._files.read_if_exists(path)
        return (None, None) if found is None else (found.data, content_hash(found.data))

    def _writable_facts(self, path: ResolvedPath) -> FileFacts:
        # A shown path with a final slash would hide what is wrong, so the argument is named.
        if path.relative != "." and names_a_folder(path.asked):
            msg = f"{path.asked} names a folder, not a file."
            raise ToolFailure(msg)
        facts = self._files.facts(path)
        if not facts.exists:
            return facts
        if facts.kind is FileKind.FOLDER:
            msg = f"{path.asked} is a folder, not a file."
            raise ToolFailure(msg)
        if facts.kind is not FileKind.FILE:
            msg = f"{path.asked} is not a regular file."
            raise ToolFailure(msg)
        if not facts.is_writable:
            msg = f"{path.asked} is read-only (no write permission); nothing was changed."
            raise ToolFailure(msg)
        return facts


def _hunks(before: bytes | None, after: bytes, call_id: CallId) -> tuple[Hunk, ...]:
    hunks = hunks_between(decode(before or b""), decode(after), call_id=call_id)
    if before is None and not hunks:
        # A new empty file has no line to show, but there is something to accept or reject.
        return (
            Hunk(id=HunkId(f"{call_id}:0"), old_start=1, old_lines=(), new_start=1, new_lines=()),
        )
    return hunks
