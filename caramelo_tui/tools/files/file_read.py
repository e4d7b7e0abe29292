"""Show the model a range of lines of a file (profile ``caramelo``).

Owns the schema and the rendering of ``file_read``; the reading itself is in ``reading``.
Proven by tests/unit/tools/files/test_file_read.py.
"""

import os
from collections.abc import Mapping

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.reading import LineRange, LinesRead, read_lines
from caramelo_tui.tools.leaf_threads import StopFlag, run_stoppable
from caramelo_tui.tools.output_limits import headed_text, make_inert
from caramelo_tui.tools.validation import integer_argument, optional_integer, text_argument

TEXT_LIMIT_BYTES = 51_200
"""Cap on the text of one read (50 KB of UTF-8), after the range."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "File, relative to the workspace root."},
        "start_line": {
            "type": "integer",
            "minimum": 1,
            "description": "First line to return, 1-based, inclusive.",
        },
        "end_line": {
            "type": "integer",
            "minimum": 1,
            "description": "Last line to return, 1-based, inclusive.",
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}


class FileRead:
    """Return lines of a UTF-8 file under a header."""

    effect = Effect.READ

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="file_read", description=description_of("file_read"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve the path; the file itself is looked at when the call runs.

        Raises:
            ToolFailure: If the path is refused or the range runs backwards.
        """
        resolved = context.sandbox.resolve(text_argument(arguments, "path"))
        first = integer_argument(arguments, "start_line", 1)
        last = optional_integer(arguments, "end_line")
        if last is not None and first > last:
            msg = f"start_line {first} is after end_line {last}; nothing was read."
            raise ToolFailure(msg)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=make_inert(resolved.shown) + _range_in_short(first, last),
            paths=(resolved.relative,),
            is_cacheable=True,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Read and render.

        Raises:
            ToolFailure: If the file is missing, not a regular file or not UTF-8 text.
        """
        # Resolved again: a call before this one may have changed where a link leads.
        resolved = context.sandbox.resolve(text_argument(prepared.arguments, "path"))
        wanted = LineRange(
            first=integer_argument(prepared.arguments, "start_line", 1),
            last=optional_integer(prepared.arguments, "end_line"),
            limit_bytes=TEXT_LIMIT_BYTES,
        )
        lines = await run_stoppable(lambda stop: _read(context, resolved, wanted, stop))
        return render_lines(resolved.shown, lines)


def _read(
    context: ToolContext, resolved: ResolvedPath, wanted: LineRange, stop: StopFlag
) -> LinesRead:
    with context.files.open_binary(resolved) as source:
        size = os.fstat(source.fileno()).st_size
        return read_lines(source, wanted, shown=make_inert(resolved.shown), size=size, stop=stop)


def render_lines(shown: str, lines: LinesRead) -> ToolOutput:
    """Return the header and the text of what was read."""
    header = [
        ("path", shown),
        ("lines", _lines_in_words(lines)),
        ("bytes", str(lines.size)),
    ]
    if lines.is_cut:
        header += [("truncated", "true"), ("rest", _rest_in_words(lines))]
    return ToolOutput(text=headed_text(header, lines.text), is_truncated=lines.is_cut)


def _lines_in_words(lines: LinesRead) -> str:
    if lines.count == 0:
        return f"none of {lines.total_lines}"
    return f"{lines.first}-{lines.last} of {lines.total_lines}"


def _rest_in_words(lines: LinesRead) -> str:
    if not lines.ends_inside_line:
        return f"read on with start_line {lines.last + 1}"
    if lines.count == 1:
        return (
            f"line {lines.first} alone is longer than {TEXT_LIMIT_BYTES} bytes and was cut; "
            f"what follows it begins at start_line {lines.first + 1}"
        )
    return f"line {lines.last} was cut; read on with start_line {lines.last}"


def _range_in_short(first: int, last: int | None) -> str:
    if last is None:
        return "" if first == 1 else f":{first}-"
    return f":{first}-{last}"
