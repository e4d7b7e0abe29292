"""Search file contents for the model (profile ``caramelo``).

Owns the schema and the effects of ``grep``; the search itself is in ``line_search``,
the report in ``search_report``. Both, and the reader of patterns, are loaded by the first search:
a session that searches nothing does without. Proven by tests/unit/tools/search/test_grep.py and
tests/architecture/test_headless_modules.py.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

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
from caramelo_tui.tools.leaf_threads import StopFlag, run_stoppable
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.tools.validation import flag_argument, integer_argument, text_argument
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

if TYPE_CHECKING:
    from caramelo_tui.tools.search.line_rows import LinesFound

DEFAULT_MATCHES, MOST_MATCHES = 100, 500
"""Rows of one result."""
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
        self._processes = processes
        self._ripgrep = ripgrep or Ripgrep(None)
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
        found = await run_stoppable(lambda stop: self._find(prepared, context, stop))
        from caramelo_tui.tools.search.search_report import (  # noqa: PLC0415 - as in ``_find``
            SearchWords,
            render_found,
        )

        words = SearchWords(
            size_limit="256 KB",
            narrow=_NARROW,
            time_limit_s=self._processes.time_limit_s,
        )
        return render_found(found, words)

    def _find(self, prepared: PreparedCall, context: ToolContext, stop: StopFlag) -> "LinesFound":
        """Search; blocks, and loads what searches the first time."""
        from caramelo_tui.tools.search.line_search import (  # noqa: PLC0415 - for searches only
            Engines,
            LineQuery,
            find_lines,
        )

        arguments = prepared.arguments
        query = LineQuery(
            pattern=text_argument(arguments, "pattern"),
            is_case_sensitive=flag_argument(arguments, "case_sensitive"),
            start=context.sandbox.resolve(text_argument(arguments, "path", ".")),
            max_rows=integer_argument(arguments, "max_matches", DEFAULT_MATCHES),
        )
        engines = Engines(processes=self._processes, ripgrep=self._ripgrep)
        return find_lines(context.files, query, engines, stop)


def _scope_of(start: ResolvedPath) -> CacheScope:
    if not start.absolute.is_dir():
        return CacheScope.STAMPS
    is_in_skipped = not SKIPPED_FOLDERS.isdisjoint(start.relative.split("/"))
    return CacheScope.TREE if is_in_skipped else CacheScope.SOURCES
