"""List one folder for the model (profile ``caramelo``).

Owns the order, the marks and the schema of ``list_dir``. Proven by
tests/unit/tools/files/test_list_dir.py.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry, ResolvedPath
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.leaf_threads import StopFlag, raise_if_stopped, run_stoppable
from caramelo_tui.tools.output_limits import (
    LISTING_LIMIT,
    RESULT_LIMIT_BYTES,
    headed_text,
    make_inert,
    rows_within,
)
from caramelo_tui.tools.validation import text_argument
from caramelo_tui.workspace.file_io import FileStore

TIME_LIMIT_S = 10.0
"""A folder that takes longer, such as one of many links that lead far, has no answer."""
_HEADER_ROOM_BYTES = 16_384
"""Kept free for the header; a path has at most 4,096 bytes, its marks a few times as many."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "default": ".",
            "description": "Folder, relative to the workspace root; the root if left out.",
        },
    },
    "additionalProperties": False,
}


class ListDir:
    """Return the entries of one folder under a header."""

    effect = Effect.READ

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="list_dir", description=description_of("list_dir"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve the path; the folder itself is looked at when the call runs.

        Raises:
            ToolFailure: If the path is refused.
        """
        resolved = context.sandbox.resolve(text_argument(arguments, "path", "."))
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=make_inert(resolved.shown),
            paths=(resolved.relative,),
            is_cacheable=True,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """List and render.

        Raises:
            ToolFailure: If the folder is missing, no folder, cannot be listed, or takes longer
                than the time limit.
        """
        resolved = context.sandbox.resolve(text_argument(prepared.arguments, "path", "."))
        # Sorted and worded in the thread, too: there may be hundreds of thousands.
        return await run_stoppable(
            lambda stop: render_entries(resolved.shown, list_entries(context.files, resolved, stop))
        )


def list_entries(
    files: FileStore,
    folder: ResolvedPath,
    stop: StopFlag,
    time_limit_s: float = TIME_LIMIT_S,
    hint: str = "Use glob with a pattern to find some of them.",
) -> tuple[FolderEntry, ...]:
    """Return the entries of a folder in the order in which they are shown.

    Args:
        files: The workspace.
        folder: The folder, resolved.
        stop: Looked at again and again.
        time_limit_s: Seconds after which there is no answer.
        hint: What to do then, for the message.

    Raises:
        ToolFailure: If it cannot be listed, or not within ``time_limit_s``.
        Stopped: If ``stop`` was set.
    """
    deadline = time.monotonic() + time_limit_s

    def look_up() -> None:
        raise_if_stopped(stop)
        if time.monotonic() >= deadline:
            msg = (
                f"the listing of {make_inert(folder.shown)} was stopped after {time_limit_s:g} s: "
                f"it has too many entries. {hint}"
            )
            raise ToolFailure(msg)

    return sorted_entries(files.list_folder(folder, look_up=look_up))


def sorted_entries(entries: Iterable[FolderEntry]) -> tuple[FolderEntry, ...]:
    """Return folders (links to folders among them) first, each group by code point."""
    groups: tuple[list[FolderEntry], list[FolderEntry]] = ([], [])
    for entry in entries:
        groups[not is_folder(entry)].append(entry)
    for group in groups:
        # By the name alone: several times faster than by pairs, and sorting stops all threads.
        group.sort(key=attrgetter("name"))
    return (*groups[0], *groups[1])


def render_entries(shown: str, entries: Sequence[FolderEntry]) -> ToolOutput:
    """Return a header and one row per entry, at most ``LISTING_LIMIT``.

    Args:
        shown: The folder's path for the header.
        entries: All entries in the order in which they are shown.
    """
    rows = [entry_row(entry) for entry in entries[:LISTING_LIMIT]]
    header = [("path", shown), ("entries", str(len(entries)) if entries else "0, it is empty")]
    return render_rows(header, rows, len(entries), hint="use glob with a pattern to find them")


def render_rows(
    header: Sequence[tuple[str, str]], rows: Sequence[str], total: int, *, hint: str
) -> ToolOutput:
    """Return a header and the rows that fit; the header counts what is not shown.

    Args:
        header: Keys and values above the count.
        rows: The first rows, at most ``LISTING_LIMIT``.
        total: How many rows there would be.
        hint: How to get at the rest.
    """
    fitting = rows_within(rows, RESULT_LIMIT_BYTES - _HEADER_ROOM_BYTES)
    missing = total - fitting
    cut = [("truncated", "true"), ("not shown", f"{missing} more entries; {hint}")]
    body = "".join(f"{row}\n" for row in rows[:fitting])
    return ToolOutput(
        text=headed_text([*header, *(cut if missing else ())], body), is_truncated=missing > 0
    )


def entry_row(entry: FolderEntry) -> str:
    """Return how one entry is shown; nothing in a name can act or end the row."""
    name = make_inert(entry.name) + ("/" if is_folder(entry) else "")
    if entry.kind is not FileKind.LINK:
        return name
    if entry.link_target is None:
        return f"{name} -> (outside)"
    return f"{name} -> {make_inert(entry.link_target)}"


def is_folder(entry: FolderEntry) -> bool:
    """Whether an entry is a folder or a link to one inside."""
    return entry.kind is FileKind.FOLDER or entry.leads_to_folder
