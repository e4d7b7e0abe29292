"""Search file contents for the model (profile ``caramelo``).

Owns the schema and the rendering of ``grep``; the search itself is in ``line_search``. Proven
by tests/unit/tools/search/test_grep.py.
"""

import asyncio
from collections.abc import Mapping

from caramelo_tui.domain.files import ResolvedPath
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
from caramelo_tui.tools.leaf_threads import run_stoppable
from caramelo_tui.tools.output_limits import (
    RESULT_LIMIT_BYTES,
    counted,
    headed_text,
    make_inert,
    rows_within,
)
from caramelo_tui.tools.search.line_search import (
    Engines,
    FoundLine,
    LineQuery,
    LinesFound,
    find_lines,
)
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.tools.validation import flag_argument, integer_argument, text_argument
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

DEFAULT_MATCHES, MOST_MATCHES = 100, 500
"""Rows of one result."""
_HEADER_ROOM_BYTES = 4_096
_NARROW = "narrow path or the pattern, or raise max_matches (at most 500)"

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "description": "JavaScript RegExp source, without slashes."},
        "path": {
            "type": "string",
            "description": "Folder or file to search, relative to the workspace root.",
        },
        "case_sensitive": {"type": "boolean", "default": False},
        "max_matches": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_MATCHES,
            "default": DEFAULT_MATCHES,
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


class Grep:
    """Return the lines that match, as ``path:line:text``."""

    effect = Effect.READ

    def __init__(self, processes: RegexProcesses, ripgrep: Ripgrep | None = None) -> None:
        """Take what tests lines.

        Args:
            processes: Workers in which patterns run; whoever made them closes them.
            ripgrep: Runs the patterns that can be written for it; without it, workers run all.
        """
        self._engines = Engines(processes=processes, ripgrep=ripgrep or Ripgrep(None))
        self._spec = ToolSpec(name="grep", description=description_of("grep"), input_schema=_SCHEMA)

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve the path; the pattern is judged by the engine when the call runs.

        Raises:
            ToolFailure: If the path is refused.
        """
        resolved = context.sandbox.resolve(text_argument(arguments, "path", "."))
        place = "" if resolved.shown == "." else f" in {make_inert(resolved.shown)}"
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=f"/{make_inert(text_argument(arguments, 'pattern'))}/{place}",
            paths=(resolved.relative,),
            is_cacheable=True,
            cache_scope=await asyncio.to_thread(_scope_of, resolved),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Search and render.

        Raises:
            ToolFailure: If the pattern is not valid or the path does not exist.
        """
        arguments = prepared.arguments
        query = LineQuery(
            pattern=text_argument(arguments, "pattern"),
            is_case_sensitive=flag_argument(arguments, "case_sensitive"),
            start=context.sandbox.resolve(text_argument(arguments, "path", ".")),
            max_rows=integer_argument(arguments, "max_matches", DEFAULT_MATCHES),
        )
        found = await run_stoppable(
            lambda stop: find_lines(context.files, query, self._engines, stop)
        )
        return render_found(found, self._engines.processes.time_limit_s)


def _scope_of(start: ResolvedPath) -> CacheScope:
    if not start.absolute.is_dir():
        return CacheScope.STAMPS
    is_in_skipped = not SKIPPED_FOLDERS.isdisjoint(start.relative.split("/"))
    return CacheScope.TREE if is_in_skipped else CacheScope.SOURCES


def render_found(found: LinesFound, time_limit_s: float) -> ToolOutput:
    """Return the header and the rows; an error with the rows so far after a time-out."""
    rows = [row_text(row) for row in found.rows]
    fitting = rows_within(rows, RESULT_LIMIT_BYTES - _HEADER_ROOM_BYTES)
    is_cut = found.has_more or fitting < len(rows)
    header = [("matches", _matches_in_words(found, fitting, is_cut=is_cut))]
    if is_cut and not found.is_timed_out:
        header += [("truncated", "true"), ("rest", f"not searched further; {_NARROW}")]
    if found.left_out.too_large:
        files = counted(found.left_out.too_large, "file")
        header.append(("skipped", f"{files} over 256 KB"))
    if found.left_out.unreadable:
        header.append(("unreadable", counted(found.left_out.unreadable, "file")))
    body = "".join(f"{row}\n" for row in rows[:fitting])
    text = headed_text(header, body)
    if found.is_timed_out:
        text = _timed_out_text(found, time_limit_s) + text
    return ToolOutput(text=text, is_error=found.is_timed_out, is_truncated=is_cut)


def _matches_in_words(found: LinesFound, shown: int, *, is_cut: bool) -> str:
    if is_cut:
        return f"the first {shown} in {_files_of(found)}, more were found"
    if not found.rows:
        return f"none in {counted(found.files_searched, 'file')} searched"
    return f"{shown} in {_files_of(found)}"


def _files_of(found: LinesFound) -> str:
    return counted(len({row.path for row in found.rows}), "file")


def _timed_out_text(found: LinesFound, time_limit_s: float) -> str:
    return (
        f"The search was stopped after {time_limit_s:g} s: the pattern is too slow or the tree "
        f"too large. Until then {counted(len(found.rows), 'match', 'matches')} in "
        f"{counted(found.files_searched, 'file')}. Use a simpler pattern, without nested "
        "repetition, or a narrower path.\n"
    )


def row_text(row: FoundLine) -> str:
    """Return ``path:line:text``; nothing in a name can forge a row."""
    return f"{make_inert(row.path)}:{row.line}:{row.text}"
