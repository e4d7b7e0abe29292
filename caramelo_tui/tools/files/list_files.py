"""List a folder or all files below it for the model (profile ``core``).

Owns the schema of ``list_files``, what its pattern is matched against, and the walk that shows
links without following them; order and rows of one folder are those of ``list_dir``. Proven by
tests/unit/tools/files/test_list_files.py.
"""

import time
from collections.abc import Iterator, Mapping, Sequence

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry, ResolvedPath
from caramelo_tui.domain.tool_calls import (
    CacheScope,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolSpec,
)
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.list_dir import (
    TIME_LIMIT_S,
    entry_row,
    is_folder,
    list_entries,
    render_rows,
)
from caramelo_tui.tools.leaf_threads import StopFlag, raise_if_stopped, run_stoppable
from caramelo_tui.tools.output_limits import LISTING_LIMIT, counted, make_inert
from caramelo_tui.tools.search.glob_pattern import GlobPattern
from caramelo_tui.tools.validation import flag_argument, text_argument
from caramelo_tui.workspace.file_io import FileStore

LEFT_OUT_FOLDERS = frozenset({"node_modules", ".git"})
"""Neither shown nor entered, as the tool reference says; links to folders of these names too."""
_NARROWER = "list a folder below it, or give a narrower pattern"
_TOO_LARGE = "Look at it with run_command."

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "Directory, absolute or relative to the workspace root.",
        },
        "recursive": {
            "type": "boolean",
            "default": False,
            "description": "Include subdirectories (default: false).",
        },
        "pattern": {
            "type": "string",
            "minLength": 1,
            "description": 'Glob pattern to filter (e.g., "*.ts").',
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}


class ListFiles:
    """Return the entries of a folder, or of all folders below it, under a header."""

    effect = Effect.READ

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="list_files", description=description_of("list_files"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve the path and check the pattern; the disk is looked at when the call runs.

        Raises:
            ToolFailure: If the path is refused, or the pattern is longer or nested deeper than
                the limits.
        """
        resolved = _resolve(arguments, context)
        EntryFilter(text_argument(arguments, "pattern"))
        is_recursive = flag_argument(arguments, "recursive")
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=_in_short(resolved, arguments),
            paths=(resolved.relative,),
            is_cacheable=True,
            cache_scope=CacheScope.TREE if is_recursive else CacheScope.STAMPS,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """List and render.

        Raises:
            ToolFailure: If the folder is missing, no folder, cannot be listed, or takes longer
                than the time limit.
        """
        arguments = prepared.arguments
        # Resolved again: a call before this one may have changed where a link leads.
        resolved = _resolve(arguments, context)
        wanted = EntryFilter(text_argument(arguments, "pattern"))
        listing = list_tree if flag_argument(arguments, "recursive") else list_one
        return await run_stoppable(lambda stop: listing(context.files, resolved, wanted, stop))


class EntryFilter:
    """Which entries a pattern keeps; without a pattern all."""

    def __init__(self, pattern: str = "") -> None:
        """Compile the pattern; empty: none.

        Raises:
            ToolFailure: If it is longer or nested deeper than the limits.
        """
        self._glob = GlobPattern(pattern) if pattern else None
        self.is_for_paths = "/" in pattern
        """Whether it is matched against paths, not against names."""

    def keeps(self, below: str) -> bool:
        """Whether an entry is shown; ``below`` is its path below the listed folder."""
        if self._glob is None:
            return True
        return self._glob.matches(below if self.is_for_paths else below.rpartition("/")[2])


def list_one(
    files: FileStore, folder: ResolvedPath, wanted: EntryFilter, stop: StopFlag
) -> ToolOutput:
    """Return the entries of one folder, folders first; blocks.

    Raises:
        ToolFailure: If it cannot be listed, or not within the time limit.
        Stopped: If ``stop`` was set.
    """
    entries = [
        entry
        for entry in list_entries(files, folder, stop, hint=_TOO_LARGE)
        if not _is_left_out(entry) and wanted.keeps(entry.name)
    ]
    rows = [entry_row(entry) for entry in entries[:LISTING_LIMIT]]
    header = _header(folder, len(entries))
    if wanted.is_for_paths:
        header.append(("note", "the pattern has a slash, but only this folder was looked at"))
    return render_rows(header, rows, len(entries), hint=_NARROWER)


def list_tree(
    files: FileStore,
    start: ResolvedPath,
    wanted: EntryFilter,
    stop: StopFlag,
    time_limit_s: float = TIME_LIMIT_S,
) -> ToolOutput:
    """Return all files below a folder, by code point of the path; blocks.

    Raises:
        ToolFailure: If the folder cannot be listed, or the walk takes longer than
            ``time_limit_s``.
        Stopped: If ``stop`` was set.
    """
    walk = _Walk(files, start, stop, time_limit_s)
    prefix = "" if start.shown == "." else f"{start.shown}/"
    rows: list[str] = []
    total = 0
    try:
        for parent, entry in walk.entries():
            if wanted.keeps(parent + entry.name):
                total += 1
                if total <= LISTING_LIMIT:
                    rows.append(make_inert(prefix + parent) + entry_row(entry))
    except _TimeIsUp:
        msg = (
            f"the listing of {make_inert(start.shown)} was stopped after {time_limit_s:g} s; "
            f"{total} entries were found until then. List the folders of interest one by one."
        )
        raise ToolFailure(msg) from None
    header = _header(start, total)
    if walk.unreadable:
        header.append(("not listed", counted(walk.unreadable, "folder") + " that cannot be read"))
    return render_rows(header, rows, total, hint=_NARROWER)


class _TimeIsUp(Exception):
    """The time limit of a walk passed."""


class _Walk:
    """All that is below a folder; links are met, never followed."""

    def __init__(
        self, files: FileStore, start: ResolvedPath, stop: StopFlag, time_limit_s: float
    ) -> None:
        self._files = files
        self._start = start
        self._stop = stop
        self._deadline = time.monotonic() + time_limit_s
        self.unreadable = 0
        """Folders that could not be listed."""

    def entries(self) -> Iterator[tuple[str, FolderEntry]]:
        """Yield files, links and folders without content, sorted.

        Yields:
            The path of the entry's folder below the start, with a final slash unless it is
            empty, and the entry.

        Raises:
            ToolFailure: If the start cannot be listed.
        """
        # A stack and no recursion: trees may be deeper than Python calls.
        pending = [("", iter(self._list(self._start)))]
        while pending:
            parent, rest = pending[-1]
            entry = next(rest, None)
            if entry is None:
                pending.pop()
                continue
            below = f"{parent}{entry.name}"
            content = self._content(below) if entry.kind is FileKind.FOLDER else ()
            if content:
                pending.append((f"{below}/", iter(content)))
            else:
                yield parent, entry

    def _content(self, below: str) -> Sequence[FolderEntry]:
        start = self._start.relative
        try:
            return self._list(below if start == "." else f"{start}/{below}")
        except ToolFailure:
            self.unreadable += 1
            return ()

    def _list(self, folder: ResolvedPath | str) -> Sequence[FolderEntry]:
        found = self._files.list_folder(folder, look_up=self._look_up)
        return sorted((entry for entry in found if not _is_left_out(entry)), key=_path_order)

    def _look_up(self) -> None:
        raise_if_stopped(self._stop)
        if time.monotonic() >= self._deadline:
            raise _TimeIsUp


def _path_order(entry: FolderEntry) -> str:
    """Return what sorts a folder where its content belongs: ``a.txt`` before ``a/b``."""
    return f"{entry.name}/" if entry.kind is FileKind.FOLDER else entry.name


def _is_left_out(entry: FolderEntry) -> bool:
    return entry.name in LEFT_OUT_FOLDERS and is_folder(entry)


def _header(folder: ResolvedPath, total: int) -> list[tuple[str, str]]:
    return [("path", folder.shown), ("entries", str(total) if total else "0, nothing to show")]


def _resolve(arguments: Mapping[str, JsonValue], context: ToolContext) -> ResolvedPath:
    return context.sandbox.resolve(text_argument(arguments, "path"), allows_absolute=True)


def _in_short(folder: ResolvedPath, arguments: Mapping[str, JsonValue]) -> str:
    parts = [
        make_inert(folder.shown),
        make_inert(text_argument(arguments, "pattern")),
        "recursive" if flag_argument(arguments, "recursive") else "",
    ]
    return " ".join(part for part in parts if part)
