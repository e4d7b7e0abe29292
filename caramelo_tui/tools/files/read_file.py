"""Show the model numbered lines of a file (profile ``core``).

Owns the schema and the rendering of ``read_file``; the reading itself is in ``reading``.
Proven by tests/unit/tools/files/test_read_file.py.
"""

import os
from collections.abc import Iterator, Mapping

from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.files.reading import LineRange, LinesRead, read_lines
from caramelo_tui.tools.leaf_threads import StopFlag, run_stoppable
from caramelo_tui.tools.output_limits import (
    RESULT_LIMIT_BYTES,
    counted,
    cut_utf8,
    make_inert,
    rows_within,
)
from caramelo_tui.tools.validation import integer_argument, optional_integer, text_argument

_NUMBER_WIDTH = 4
"""Line numbers are right-aligned to at least so many characters."""
_NOTE_ROOM_BYTES = 512
"""Kept free for the note; its numbers have a few dozen digits at most."""
_ROWS_LIMIT_BYTES = RESULT_LIMIT_BYTES - _NOTE_ROOM_BYTES

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "File to read, absolute or relative to the workspace root.",
        },
        "offset": {
            "type": "integer",
            "minimum": 1,
            "description": "Start reading from this line (1-based).",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "description": "Maximum number of lines to read.",
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}


class ReadFile:
    """Return lines of a UTF-8 file with their numbers."""

    effect = Effect.READ

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="read_file", description=description_of("read_file"), input_schema=_SCHEMA
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
            ToolFailure: If the path is refused.
        """
        resolved = _resolve(arguments, context)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=make_inert(resolved.shown) + _range_in_short(_wanted(arguments)),
            paths=(resolved.relative,),
            is_cacheable=True,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Read and render.

        Raises:
            ToolFailure: If the file is missing, not a regular file or not UTF-8 text.
        """
        # Resolved again: a call before this one may have changed where a link leads.
        resolved = _resolve(prepared.arguments, context)
        wanted = _wanted(prepared.arguments)
        return await run_stoppable(lambda stop: _read(context, resolved, wanted, stop))


def _resolve(arguments: Mapping[str, JsonValue], context: ToolContext) -> ResolvedPath:
    return context.sandbox.resolve(text_argument(arguments, "path"), allows_absolute=True)


def _wanted(arguments: Mapping[str, JsonValue]) -> LineRange:
    first = integer_argument(arguments, "offset", 1)
    count = optional_integer(arguments, "limit")
    last = None if count is None else first + count - 1
    return LineRange(first=first, last=last, limit_bytes=RESULT_LIMIT_BYTES)


def _read(
    context: ToolContext, resolved: ResolvedPath, wanted: LineRange, stop: StopFlag
) -> ToolOutput:
    with context.files.open_binary(resolved) as source:
        size = os.fstat(source.fileno()).st_size
        lines = read_lines(source, wanted, shown=make_inert(resolved.shown), size=size, stop=stop)
    return render_numbered(lines)


def render_numbered(lines: LinesRead) -> ToolOutput:
    """Return the lines with their numbers, and a note where they are not the whole file.

    Every row begins with a number, so that no line of a file can pass for the note.
    """
    rows = list(_rows(lines))
    fitting = rows_within(rows, _ROWS_LIMIT_BYTES)
    if rows and fitting == 0:
        return _start_of_line(lines, rows[0])
    last = lines.first + fitting - 1
    body = "".join(f"{row}\n" for row in rows[:fitting])
    note = _note(lines, last) if rows else _nothing_in_words(lines)
    return ToolOutput(text=body + note, is_truncated=fitting < len(rows) or lines.is_cut)


def _rows(lines: LinesRead) -> Iterator[str]:
    # Not ``splitlines``: only a line feed ends a line.
    texts = lines.text.removesuffix("\n").split("\n") if lines.count else []
    for number, text in enumerate(texts, start=lines.first):
        yield f"{number:>{_NUMBER_WIDTH}} | {text}"


def _note(lines: LinesRead, last: int) -> str:
    """Return what follows the rows that end with line ``last``; empty at the file's end."""
    if last >= lines.total_lines:
        return ""
    shown = f"lines {lines.first}-{last} of {lines.total_lines}"
    if last == lines.last and not lines.is_cut:
        return f"\n[{shown}; read on with offset {last + 1}]\n"
    return (
        f"\n[{shown}: more than {RESULT_LIMIT_BYTES // 1024} KB cannot be shown at once; "
        f"read on with offset {last + 1}, and limit for fewer lines]\n"
    )


def _start_of_line(lines: LinesRead, row: str) -> ToolOutput:
    data, _ = cut_utf8(row.encode(), _ROWS_LIMIT_BYTES)
    return ToolOutput(
        text=(
            f"{data.decode()}\n\n[line {lines.first} of {lines.total_lines} was cut: it alone is "
            f"longer than {RESULT_LIMIT_BYTES // 1024} KB, and its rest cannot be shown; offset "
            f"{lines.first + 1} goes on with the next line, limit 1 shows one line at a time]\n"
        ),
        is_truncated=True,
    )


def _nothing_in_words(lines: LinesRead) -> str:
    if lines.total_lines == 0:
        return "[the file is empty]\n"
    total = counted(lines.total_lines, "line")
    return f"[offset {lines.first} is past the end: the file has {total}]\n"


def _range_in_short(wanted: LineRange) -> str:
    if wanted.last is None:
        return "" if wanted.first == 1 else f":{wanted.first}-"
    return f":{wanted.first}-{wanted.last}"
