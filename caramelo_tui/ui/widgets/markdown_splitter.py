"""Cut streamed Markdown into finished blocks, line by line.

Owns the decision where a top-level block ends while its text still comes in, so that only the
open block is rendered again. Long constructs are cut into pieces, so that no tick renders
more than a few KB. HTML is not a construct here: it is shown as the text that it is. Proven
by tests/unit/ui/test_markdown_splitter.py, which compares the blocks parsed alone with the
whole parsed at once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

SOFT_CAP = 2_048
"""Characters after which a fence, list or table is cut at its next row or item."""

HARD_CAP = 8_192
"""Characters after which a paragraph or quote is cut at the next line, or within a line."""

FENCE_PIECE_LINES = 40
"""Lines of an open fence that make a finished piece."""

_ITEM_INDENT = 2
"""Blanks with which a line after a blank one still belongs to a list."""

_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_QUOTE = re.compile(r" {0,3}>")
_ITEM = re.compile(r" {0,3}(?:[-+*]|(?P<number>\d{1,9})[.)])(?:[ \t]|$)")
_INTERRUPTING_ITEM = re.compile(r" {0,3}(?:[-+*]|0*1[.)])[ \t]+\S")
_BARE_MARKER = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)]|>)")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_TABLE_RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class PieceKind(StrEnum):
    """What a piece of Markdown is."""

    TEXT = "text"
    """Any block that parses alone: paragraph, heading, rule, quote, indented code."""
    FENCE = "fence"
    """Lines of a fenced code block, without the fence marks."""
    LIST = "list"
    TABLE = "table"


@dataclass(slots=True, eq=False, weakref_slot=True)
class Fence:
    """One fenced block, shared by its pieces; grows until it is closed."""

    info: str
    """Info string, unescaped text after the opening marks."""
    lines: list[str] = field(default_factory=list[str])
    """Content without line ends, the opening fence's indentation removed."""
    is_closed: bool = False


@dataclass(slots=True, eq=False)
class Table:
    """One table, shared by its pieces."""

    head: str
    """Header row and delimiter row, with line ends."""
    widths: list[int] = field(default_factory=list[int])
    """Natural column widths seen so far, in cells; the renderer keeps them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A finished block, or a part of a long one."""

    kind: PieceKind
    source: str
    """Text as it came, with line ends; blank lines between blocks belong to none."""
    continues: bool = False
    """Whether it goes on with the block of the piece before it."""
    fence: Fence | None = None
    first_line: int = 0
    """For a fence: index of the piece's first line in ``fence.lines``."""
    line_count: int = 0
    """For a fence: lines in the piece."""
    table: Table | None = None
    start_number: int | None = None
    """For a continued ordered list: the number of its first item."""


@dataclass(slots=True)
class _Open:
    """The block that is still coming in."""

    kind: PieceKind
    lines: list[str] = field(default_factory=list[str])
    size: int = 0
    has_blank: bool = False
    """Whether blank lines wait for the line that decides what they were."""
    is_quote: bool = False
    is_indented: bool = False
    continues: bool = False
    fence: Fence | None = None
    closing: re.Pattern[str] | None = None
    indent: int = 0
    first_line: int = 0
    table: Table | None = None
    items: int = 0
    """Top-level items of a list so far, over all its pieces."""
    list_start: int | None = None
    """Number of an ordered list's first item."""
    start_number: int | None = None

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.size += len(line)


class MarkdownSplitter:
    """Feed text in; take finished pieces out; look at the open one."""

    def __init__(self) -> None:
        self._open: _Open | None = None
        self._rest = ""

    def feed(self, text: str) -> list[Piece]:
        """Take more text and return the pieces that it finished, in order."""
        text = self._rest + text
        lines = text.split("\n")
        self._rest = lines.pop()
        pieces: list[Piece] = []
        for line in lines:
            for part in self._parts(line.removesuffix("\r")):
                pieces += self._take(part)
        *whole, self._rest = self._parts(self._rest)
        for part in whole:
            pieces += self._take(part)
        return pieces

    def finish(self) -> list[Piece]:
        """End the text and return the last pieces."""
        pieces: list[Piece] = []
        if self._rest:
            rest, self._rest = self._rest, ""
            pieces += self._take(rest.removesuffix("\r"), end="")
        pieces += self._close()
        return pieces

    def open_piece(self) -> Piece | None:
        """Return the block that is still coming in, for display; ``None`` when there is none."""
        if not self._rest and self._open is None:
            return None
        if self._open is None:
            return Piece(kind=PieceKind.TEXT, source=self._rest)
        block = self._open
        if block.fence is not None:
            # The last, incomplete line counts for display only.
            shown = Fence(info=block.fence.info, lines=[*block.fence.lines[block.first_line :]])
            if self._rest and not _may_close(block, self._rest):
                shown.lines.append(_dedent(self._rest, block.indent))
            return Piece(
                kind=PieceKind.FENCE,
                source="\n".join(shown.lines),
                continues=block.continues,
                fence=shown,
                line_count=len(shown.lines),
            )
        return _piece_of(block, "".join(block.lines) + self._rest)

    # --- one line ----------------------------------------------------------------------

    def _take(self, line: str, *, end: str = "\n") -> Iterator[Piece]:
        block = self._open
        if block is None:
            yield from self._start(line, end)
        elif block.fence is not None:
            yield from self._in_fence(block, line)
        elif block.kind is PieceKind.LIST:
            yield from self._in_list(block, line, end)
        elif block.is_indented:
            yield from self._in_indented(block, line, end)
        else:
            yield from self._in_text(block, line, end)

    def _start(self, line: str, end: str) -> Iterator[Piece]:
        if not line.strip(" \t"):
            return
        fence = _FENCE.match(line)
        if fence:
            self._open = _open_fence(line, fence)
            return
        block = self._open = _Open(PieceKind.TEXT)
        block.add(line + end)
        if _HEADING.match(line) or _RULE.match(line):
            yield from self._close()
        elif item := _ITEM.match(line):
            _turn_to_list(block, item)
        elif _INDENTED.match(line):
            block.is_indented = True
        else:
            block.is_quote = _QUOTE.match(line) is not None

    def _in_fence(self, block: _Open, line: str) -> Iterator[Piece]:
        fence = block.fence
        if fence is None or block.closing is None:
            return
        if block.closing.match(line):
            fence.is_closed = True
            yield from self._close()
            return
        fence.lines.append(_dedent(line, block.indent))
        block.size += len(line) + 1
        count = len(fence.lines) - block.first_line
        if count >= FENCE_PIECE_LINES or block.size > SOFT_CAP:
            yield _piece_of(block, "")
            block.first_line, block.size, block.continues = len(fence.lines), 0, True

    def _in_text(self, block: _Open, line: str, end: str) -> Iterator[Piece]:
        if not line.strip(" \t"):
            yield from self._close()
            return
        if not block.is_quote and _UNDERLINE.match(line) and block.table is None:
            block.add(line + end)
            yield from self._close()
            return
        is_new = _FENCE.match(line) or _HEADING.match(line) or _RULE.match(line)
        item, quote = _ITEM.match(line), _QUOTE.match(line)
        is_over = _ends_empty(block) and not quote
        if is_new or is_over or (block.table is not None and (item or quote)):
            yield from self._close()
            yield from self._start(line, end)
            return
        if item and (block.is_quote or _INTERRUPTING_ITEM.match(line)):
            # What follows a quote's lines with a marker is a list; so is what interrupts text.
            _turn_to_list(block, item)
        elif quote and not block.is_quote:
            block.is_quote = True
        elif len(block.lines) == 1 and not block.is_quote:
            _turn_to_table(block, line)
        yield from self._cut_text(block, line)
        block.add(line + end)

    def _in_list(self, block: _Open, line: str, end: str) -> Iterator[Piece]:
        if not line.strip(" \t"):
            block.add(line + end)
            block.has_blank = True
            return
        indent = len(line) - len(line.lstrip(" "))
        item = None if _RULE.match(line) else _ITEM.match(line)
        is_interrupted = indent <= 1 and (
            _FENCE.match(line) or _HEADING.match(line) or _QUOTE.match(line) or _RULE.match(line)
        )
        belongs = indent >= _ITEM_INDENT or line.startswith("\t") or item is not None
        is_over = block.has_blank or _ends_empty(block)
        if is_interrupted or (is_over and not belongs):
            yield from self._close()
            yield from self._start(line, end)
            return
        if item and indent <= 1:
            if block.size > SOFT_CAP:
                yield _piece_of(block, "".join(block.lines))
                _go_on(block)
                if block.list_start is not None:
                    block.start_number = block.list_start + block.items
            block.items += 1
        block.has_blank = False
        block.add(line + end)

    def _in_indented(self, block: _Open, line: str, end: str) -> Iterator[Piece]:
        if line.strip(" \t") and not _INDENTED.match(line):
            yield from self._close()
            yield from self._start(line, end)
            return
        if block.size > SOFT_CAP and line.strip():
            yield _piece_of(block, "".join(block.lines))
            _go_on(block)
        block.add(line + end)

    # --- ends and cuts -----------------------------------------------------------------

    def _close(self) -> Iterator[Piece]:
        block, self._open = self._open, None
        if block is None:
            return
        if block.fence is not None:
            is_whole_empty = not block.fence.lines and not block.continues
            if len(block.fence.lines) > block.first_line or is_whole_empty:
                yield _piece_of(block, "")
            return
        while block.lines and not block.lines[-1].strip():
            block.lines.pop()
        yield _piece_of(block, "".join(block.lines))

    def _cut_text(self, block: _Open, line: str) -> Iterator[Piece]:
        """Cut a long table at a row, and an absurdly long paragraph or quote at a line."""
        cap = SOFT_CAP if block.table is not None else HARD_CAP
        if block.size <= cap or (block.is_quote and not _QUOTE.match(line)):
            return
        if block.kind is PieceKind.LIST:
            return
        yield _piece_of(block, "".join(block.lines))
        _go_on(block)

    def _parts(self, line: str) -> list[str]:
        """Cut an absurdly long line of prose into lines of its own; code stays as it is."""
        parts: list[str] = []
        at = 0
        is_code = self._open is not None and self._open.fence is not None
        while len(line) - at > HARD_CAP and not is_code:
            cut = line.rfind(" ", at + HARD_CAP // 2, at + HARD_CAP)
            cut = cut if cut > 0 else at + HARD_CAP
            parts.append(line[at:cut])
            at = cut
        return [*parts, line[at:]]


def _ends_empty(block: _Open) -> bool:
    """Whether the last line is a bare marker: no paragraph is open that a line could go on."""
    return bool(block.lines) and _BARE_MARKER.fullmatch(block.lines[-1].rstrip()) is not None


def _piece_of(block: _Open, source: str) -> Piece:
    fence = block.fence
    if fence is not None:
        lines = fence.lines[block.first_line :]
        return Piece(
            kind=PieceKind.FENCE,
            source="\n".join(lines),
            continues=block.continues,
            fence=fence,
            first_line=block.first_line,
            line_count=len(lines),
        )
    return Piece(
        kind=block.kind,
        source=source,
        continues=block.continues,
        table=block.table,
        start_number=block.start_number,
    )


def _go_on(block: _Open) -> None:
    """Empty a block whose lines became a piece; what comes next goes on with it."""
    block.lines = []
    block.size = 0
    block.continues = True


def _open_fence(line: str, match: re.Match[str]) -> _Open:
    marks = match["marks"]
    closing = re.compile(rf" {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    return _Open(
        PieceKind.FENCE,
        fence=Fence(info=match["info"].strip()),
        closing=closing,
        indent=len(line) - len(line.lstrip(" ")),
    )


def _dedent(line: str, indent: int) -> str:
    """Remove up to ``indent`` leading blanks."""
    kept = line.lstrip(" ")
    return line[min(indent, len(line) - len(kept)) :]


def _may_close(block: _Open, rest: str) -> bool:
    """Whether an incomplete line may become the closing fence; it is not shown yet."""
    marks = rest.strip(" ")
    mark = block.closing.pattern if block.closing else ""
    return bool(marks) and len(set(marks)) == 1 and marks[0] in mark and marks[0] in "`~"


def _turn_to_list(block: _Open, item: re.Match[str]) -> None:
    block.kind = PieceKind.LIST
    block.is_quote = False
    block.items = 1
    number = item["number"]
    block.list_start = int(number) if number else None


def _turn_to_table(block: _Open, line: str) -> None:
    """See a table in a header row that is followed by a delimiter row with as many cells."""
    head = block.lines[0]
    if "|" not in head or not _TABLE_RULE.match(line) or "-" not in line:
        return
    block.kind = PieceKind.TABLE
    block.table = Table(head=head + line + "\n")
