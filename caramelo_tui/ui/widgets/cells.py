"""Fit text into terminal cells.

Owns runs of styled text, their wrapping by words, cutting, padding, and the making of
strips. Outside text comes in through ``one_line`` or ``safe_lines``, which make it safe for
the screen and expand its tabs; nothing here parses markup. Proven by
tests/unit/ui/test_cells.py.
"""

import re
from collections.abc import Sequence

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from caramelo_tui.domain.screen_text import visible

Run = tuple[str, Style]
"""Text of one line in one style."""

Line = list[Run]
"""Runs from left to right; not padded."""

MAX_LINE_CELLS = 2_000
"""A line of outside text is cut here for display; minified files have lines of megabytes."""

TAB_CELLS = 4
"""Distance of tab stops."""

HIDDEN_MARK = re.compile(r"<U\+[0-9A-F]{4,6}>")
"""What ``visible`` makes of a hidden character."""

_SPACES = re.compile(r" +")


def expand_tabs(text: str, *, column: int = 0) -> str:
    """Return one line of text with its tabs as blanks up to the next stop."""
    if "\t" not in text:
        return text
    parts = text.split("\t")
    out: list[str] = []
    for part in parts[:-1]:
        column += cell_len(part)
        gap = TAB_CELLS - column % TAB_CELLS
        column += gap
        out.append(part + " " * gap)
    out.append(parts[-1])
    return "".join(out)


def one_line(text: str, *, marks_look_alikes: bool = False) -> str:
    """Return outside text as one safe line; line ends become marks, a tab one blank."""
    return visible(
        text.replace("\t", " "), keeps_newlines=False, marks_look_alikes=marks_look_alikes
    )


def safe_lines(text: str) -> list[str]:
    """Return outside text as safe lines without line ends and tabs; CRLF ends a line too."""
    shown = visible(text.replace("\r\n", "\n"))
    return [expand_tabs(line) for line in shown.split("\n")]


def code_lines(text: str) -> list[str]:
    """Return outside code as safe lines; a line of megabytes is cut before it costs time."""
    lines = text.split("\n")
    return safe_lines("\n".join(_cut_line(line) for line in lines)) if len(text) else []


def _cut_line(line: str) -> str:
    if len(line) <= MAX_LINE_CELLS:
        return line
    return f"{line[:MAX_LINE_CELLS]} … {len(line) - MAX_LINE_CELLS:,} more characters"


def cut_cells(text: str, cells: int, *, mark: str = "…") -> str:
    """Return ``text`` in at most ``cells`` cells; what is cut ends in ``mark``."""
    if cell_len(text) <= cells:
        return text
    if cells <= 0:
        return ""
    room = cells - cell_len(mark)
    if room <= 0:
        return mark[:cells]
    return text[: _index_at(text, room)] + mark


def cut_left(text: str, cells: int, *, mark: str = "…") -> str:
    """Return the end of ``text`` in at most ``cells`` cells, such as the tail of a path."""
    if cell_len(text) <= cells:
        return text
    room = cells - cell_len(mark)
    if room <= 0:
        return mark[: max(cells, 0)]
    spans, total = split_graphemes(text)
    for start, _end, width in spans:
        if total <= room:
            return mark + text[start:]
        total -= width
    return mark


def width_of(line: Sequence[Run]) -> int:
    """Return the cells of a line."""
    return sum(cell_len(text) for text, _style in line)


def strip_of(line: Sequence[Run], width: int, fill: Style) -> Strip:
    """Return a strip of exactly ``width`` cells, padded with ``fill`` or cut."""
    used = width_of(line)
    if used > width:
        line = crop_line(line, 0, width)
        used = width_of(line)
    segments = [Segment(text, style) for text, style in line if text]
    if used < width:
        segments.append(Segment(" " * (width - used), fill))
    return Strip(segments, width)


def crop_line(line: Sequence[Run], start: int, end: int) -> Line:
    """Return the cells from ``start`` to ``end`` (exclusive); a cut wide character is blank."""
    out: Line = []
    at = 0
    for text, style in line:
        length = cell_len(text)
        if at + length > start and at < end:
            out.append((_crop_text(text, start - at, end - at), style))
        at += length
        if at >= end:
            break
    return out


def wrap_line(line: Sequence[Run], width: int) -> list[Line]:
    """Return ``line`` wrapped by words into lines of at most ``width`` cells.

    Blanks at a break are dropped; a word longer than a line is cut. At least one line comes
    back. Words are kept whole over a change of style.
    """
    text = "".join(part for part, _style in line)
    breaks = line_breaks(text, max(width, 1))
    if len(breaks) == 1 and breaks[0] == (0, len(text)):
        return [list(line)]
    return _slices(line, breaks)


def wrap_code(line: Sequence[Run], width: int) -> list[Line]:
    """Return a line of code wrapped by words, what is wrapped below its own indentation."""
    text = "".join(part for part, _style in line)
    indent = len(text) - len(text.lstrip(" "))
    # A wide character needs two cells beside the indentation.
    if width_of(line) <= width or not 0 < indent <= min(width // 2, width - 2):
        return wrap_line(line, width)
    total = width_of(line)
    body = wrap_line(crop_line(line, indent, total), width - indent)
    start = crop_line(line, 0, indent)
    blank: Line = [(" " * indent, start[0][1])]
    return [[*(blank if number else start), *part] for number, part in enumerate(body)]


def chop_line(line: Sequence[Run], width: int) -> list[Line]:
    """Return ``line`` cut into lines of at most ``width`` cells; no character is dropped."""
    width = max(width, 1)
    text = "".join(part for part, _style in line)
    if text.isascii():
        starts = range(0, max(len(text), 1), width)
        return _slices(line, [(start, start + width) for start in starts])
    breaks: list[tuple[int, int]] = []
    start = used = 0
    for begin, _end, cells in split_graphemes(text)[0]:
        if used + cells > width and begin > start:
            breaks.append((start, begin))
            start, used = begin, 0
        used += cells
    return _slices(line, [*breaks, (start, len(text))])


def line_breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Return where the wrapped lines of ``text`` start and end (exclusive), in characters."""
    if text.isascii():
        return _ascii_breaks(text, width)
    return _wide_breaks(text, width)


def divided(text: str, start: int, ranges: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Return the parts of a run, each with whether it lies in one of the ranges.

    Args:
        text: The run's text.
        start: Where the run stands in its line, in characters.
        ranges: Start and end (exclusive) in characters of the line, rising.
    """
    out: list[tuple[str, bool]] = []
    at = start
    end = start + len(text)
    for range_start, range_end in ranges:
        if range_end <= at or range_start >= end:
            continue
        if range_start > at:
            out.append((text[at - start : range_start - start], False))
            at = range_start
        stop = min(range_end, end)
        out.append((text[at - start : stop - start], True))
        at = stop
    if at < end:
        out.append((text[at - start :], False))
    return out


def _ascii_breaks(text: str, width: int) -> list[tuple[int, int]]:
    breaks: list[tuple[int, int]] = []
    start, length = 0, len(text)
    while length - start > width:
        cut = text.rfind(" ", start + 1, start + width + 1)
        if cut < 0:
            breaks.append((start, start + width))
            start += width
            continue
        breaks.append((start, cut))
        start = _after_spaces(text, cut)
    if start < length or not breaks:
        breaks.append((start, length))
    return breaks


def _wide_breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Break by grapheme; a wide character may be broken off on either side."""
    spans, _total = split_graphemes(text)
    breaks: list[tuple[int, int]] = []
    start = used = 0
    last_break = -1
    index = 0
    while index < len(spans):
        begin, _end, cells = spans[index]
        if begin > start and (text[begin] == " " or _breaks_before(text, spans, index)):
            last_break = index
        if used + cells <= width or begin == start:
            used += cells
            index += 1
            continue
        if last_break >= 0:
            index = last_break
        cut = spans[index][0]
        breaks.append((start, cut))
        start = _after_spaces(text, cut)
        while index < len(spans) and spans[index][0] < start:
            index += 1
        used, last_break = 0, -1
    if start < len(text) or not breaks:
        breaks.append((start, len(text)))
    return breaks


def _breaks_before(text: str, spans: Sequence[tuple[int, int, int]], index: int) -> bool:
    """Whether a line may end between two graphemes because one of them is wide."""
    is_wide = spans[index][2] > 1 or spans[index - 1][2] > 1
    return is_wide and text[spans[index - 1][0]] != " "


def _after_spaces(text: str, index: int) -> int:
    found = _SPACES.match(text, index)
    return found.end() if found else index


def _slices(line: Sequence[Run], breaks: Sequence[tuple[int, int]]) -> list[Line]:
    """Cut the runs of one line at character offsets."""
    lines: list[Line] = []
    run_index = run_start = 0
    for start, end in breaks:
        out: Line = []
        while run_index < len(line):
            text, style = line[run_index]
            piece = text[max(start - run_start, 0) : end - run_start]
            if piece:
                out.append((piece, style))
            if run_start + len(text) > end:
                break
            run_start += len(text)
            run_index += 1
        lines.append(out)
    return lines


def _index_at(text: str, cells: int) -> int:
    """Return how many characters fit into ``cells`` cells."""
    if text.isascii():
        return cells
    used = 0
    for start, _end, width in split_graphemes(text)[0]:
        if used + width > cells:
            return start
        used += width
    return len(text)


def _crop_text(text: str, start: int, end: int) -> str:
    """Return the cells of one run from ``start`` to ``end``; both may lie outside."""
    if text.isascii():
        return text[max(start, 0) : max(end, 0)]
    out: list[str] = []
    at = 0
    for begin, stop, width in split_graphemes(text)[0]:
        if at >= start and at + width <= end:
            out.append(text[begin:stop])
        elif at + width > start and at < end:
            out.append(" " * (min(at + width, end) - max(at, start)))
        at += width
    return "".join(out)
