"""Find files by path for the model (profile ``caramelo``).

Owns the schema and the rendering of ``glob`` and the walk below it; the pattern language is in
``glob_pattern``. Proven by tests/unit/tools/search/test_glob.py.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
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
from caramelo_tui.tools.leaf_threads import StopFlag, raise_if_stopped, run_stoppable
from caramelo_tui.tools.output_limits import (
    RESULT_LIMIT_BYTES,
    headed_text,
    make_inert,
    rows_within,
)
from caramelo_tui.tools.search.glob_pattern import GlobPattern
from caramelo_tui.tools.validation import integer_argument, text_argument
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

DEFAULT_RESULTS, MOST_RESULTS = 200, 2_000
"""Paths of one result."""
TIME_LIMIT_S = 10.0
"""A tree that takes longer to walk is too large for one answer."""
_HEADER_ROOM_BYTES = 4_096

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": "Matched against the whole path from the workspace root.",
        },
        "max_results": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_RESULTS,
            "default": DEFAULT_RESULTS,
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsFound:
    """The answer of a walk."""

    paths: tuple[str, ...]
    """The first matches by code point."""
    total: int
    """All matches."""


class _TimeIsUp(Exception):
    """The time limit of a walk passed."""


class Glob:
    """Return the paths that match a pattern."""

    effect = Effect.READ

    def __init__(self) -> None:
        self._spec = ToolSpec(name="glob", description=description_of("glob"), input_schema=_SCHEMA)

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Check the pattern.

        Raises:
            ToolFailure: If the pattern is longer or nested deeper than the limits.
        """
        del context
        pattern = text_argument(arguments, "pattern")
        GlobPattern(pattern)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=make_inert(pattern),
            paths=(".",),
            is_cacheable=True,
            cache_scope=CacheScope.SOURCES,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Walk, match and render.

        Raises:
            ToolFailure: If the tree is too large for the time limit.
        """
        pattern = GlobPattern(text_argument(prepared.arguments, "pattern"))
        most = integer_argument(prepared.arguments, "max_results", DEFAULT_RESULTS)
        found = await run_stoppable(lambda stop: find_paths(context.files, pattern, most, stop))
        return render_paths(found)


def find_paths(
    files: FileStore,
    pattern: GlobPattern,
    most: int,
    stop: StopFlag,
    time_limit_s: float = TIME_LIMIT_S,
) -> PathsFound:
    """Return the first ``most`` matching files below the root, and how many match.

    Raises:
        ToolFailure: If it takes longer than ``time_limit_s``.
        Stopped: If ``stop`` was set.
    """
    deadline = time.monotonic() + time_limit_s
    paths: list[str] = []
    seen = total = 0

    def look_up() -> None:
        raise_if_stopped(stop)
        if time.monotonic() >= deadline:
            raise _TimeIsUp

    try:
        for path in files.walk_paths(".", skipped=SKIPPED_FOLDERS, look_up=look_up):
            look_up()
            seen += 1
            if pattern.matches(path):
                total += 1
                if total <= most:
                    paths.append(path)
    except _TimeIsUp:
        msg = (
            f"the search for paths was stopped after {time_limit_s:g} s and {seen} files; "
            f"{total} matched until then. Use list_dir on the folders of interest."
        )
        raise ToolFailure(msg) from None
    return PathsFound(paths=tuple(paths), total=total)


def render_paths(found: PathsFound) -> ToolOutput:
    """Return a header and one path a line; nothing in a name can forge a line."""
    rows = [make_inert(path) for path in found.paths]
    rows = rows[: rows_within(rows, RESULT_LIMIT_BYTES - _HEADER_ROOM_BYTES)]
    is_cut = len(rows) < found.total
    if is_cut:
        header = [
            ("matches", f"the first {len(rows)} of {found.total}"),
            ("truncated", "true"),
            ("rest", f"narrow the pattern, or raise max_results (at most {MOST_RESULTS})"),
        ]
    else:
        header = [("matches", str(found.total) if found.total else "none")]
    body = "".join(f"{row}\n" for row in rows)
    return ToolOutput(text=headed_text(header, body), is_truncated=is_cut)
