"""Report the rows of a search to the model.

Owns header, rows and limits that the searching tools share. Proven by
tests/unit/tools/search/test_grep.py and tests/unit/tools/search/test_search_codebase.py.
"""

from dataclasses import dataclass

from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.output_limits import (
    RESULT_LIMIT_BYTES,
    counted,
    headed_text,
    make_inert,
    rows_within,
)
from caramelo_tui.tools.search.line_rows import FoundLine, LinesFound

_HEADER_ROOM_BYTES = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWords:
    """What a report says about the search that it belongs to."""

    size_limit: str
    """Above which size files were not searched, such as ``256 KB``."""
    narrow: str
    """How to get what was cut off."""
    time_limit_s: float


def render_found(found: LinesFound, words: SearchWords) -> ToolOutput:
    """Return the header and the rows; an error with the rows so far after a time-out."""
    rows = [row_text(row) for row in found.rows]
    fitting = rows_within(rows, RESULT_LIMIT_BYTES - _HEADER_ROOM_BYTES)
    is_cut = found.has_more or fitting < len(rows)
    header = [("matches", _matches_in_words(found, fitting, is_cut=is_cut))]
    if is_cut and not found.is_timed_out:
        header += [("truncated", "true"), ("rest", f"not searched further; {words.narrow}")]
    if found.left_out.too_large:
        files = counted(found.left_out.too_large, "file")
        header.append(("skipped", f"{files} over {words.size_limit}"))
    if found.left_out.unreadable:
        header.append(("unreadable", counted(found.left_out.unreadable, "file")))
    body = "".join(f"{row}\n" for row in rows[:fitting])
    text = headed_text(header, body)
    if found.is_timed_out:
        text = _timed_out_text(found, words.time_limit_s) + text
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
