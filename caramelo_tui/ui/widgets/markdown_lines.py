"""Render pieces of Markdown as lines of styled runs.

Owns the walk over markdown-it's tokens: prefixes of quotes and lists, gaps between blocks,
code, tables. It renders one piece at a time and keeps no strips. Proven by
tests/unit/ui/test_markdown_lines.py.
"""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from caramelo_tui.ui.widgets.cells import (
    Line,
    Run,
    crop_line,
    safe_lines,
    width_of,
    wrap_code,
    wrap_line,
)
from caramelo_tui.ui.widgets.code_colors import CodeColors, Span, lexer_for_language
from caramelo_tui.ui.widgets.markdown_inline import InlineRuns, Look
from caramelo_tui.ui.widgets.markdown_splitter import Piece, PieceKind
from caramelo_tui.ui.widgets.markdown_table import fitted_widths, grow_widths, table_lines
from caramelo_tui.ui.widgets.palette import Palette

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MIN_WIDTH = 8
"""Cells that text keeps, however deep lists and quotes are nested."""

_BULLETS = "•◦▪"

_MAX_NESTING = 100
"""Levels up to which Markdown is laid out; deeper text is shown as it came. Each level costs a
few frames of the parser's stack, so this also keeps a model from exhausting it."""

_MAX_BRACKETS = 500
"""Open brackets in one piece from which it is shown as it came: looking for their ends takes
the parser time that grows with the square of their number."""


@cache
def parser() -> "MarkdownIt":
    """Return the one parser; its import costs 30-40 ms, so it waits for the first answer."""
    from markdown_it import MarkdownIt as Parser  # noqa: PLC0415 - see above

    # HTML is shown as text: it can do nothing here, and hiding it would lose words.
    # Beyond the nesting that the parser allows it drops text; 20, its default, is soon reached.
    options = {"html": False, "maxNesting": _MAX_NESTING}
    return Parser("commonmark", options).enable(["table", "strikethrough"])


def parse(source: str, environment: MutableMapping[str, object]) -> "list[Token]":
    """Return the tokens of a piece; reference definitions are shared by ``environment``."""
    return parser().parse(source, environment)


def code_line(spans: Sequence[Span], palette: Palette, background: str) -> Line:
    """Return one line of code with the theme's colours."""
    return [(text, palette.style(variable, background)) for text, variable in spans]


@dataclass(slots=True)
class _Prefix:
    """What stands before the lines of a list item or a quote."""

    first: Run
    rest: Run
    is_used: bool = False


class MarkdownLines:
    """Render one piece for one width; use a new one for the next."""

    def __init__(
        self,
        palette: Palette,
        width: int,
        *,
        environment: MutableMapping[str, object],
        deadline: float = float("inf"),
    ) -> None:
        """Prepare a rendering.

        Args:
            palette: Styles.
            width: Cells of a line.
            environment: Shared by all pieces of an answer: its reference definitions.
            deadline: On the monotonic clock; code that is not lexed by then is plain.
        """
        self._palette = palette
        self._width = width
        self._environment = environment
        self._deadline = deadline
        self.lines: list[Line] = []
        self.is_final = True
        """``False`` when the deadline left code plain."""
        self._prefixes: list[_Prefix] = []
        self._lists: list[int | None] = []
        self._wants_gap = False
        self._looks = [Look()]

    def add_piece(self, piece: Piece) -> "MarkdownLines":
        """Render a piece that is no fence."""
        source = piece.source
        if source.count("[") > _MAX_BRACKETS:
            return self._add_plain(source)
        if piece.table is not None and piece.continues:
            source = piece.table.head + source
        tokens = parse(source, self._environment)
        if any(token.level >= _MAX_NESTING - 1 for token in tokens):
            return self._add_plain(piece.source)
        if piece.kind is PieceKind.LIST and piece.start_number is not None and tokens:
            tokens[0].attrs["start"] = piece.start_number
        self._walk(tokens, piece)
        return self

    def _add_plain(self, source: str) -> "MarkdownLines":
        """Show text as it came: the parser would drop what is nested too deep."""
        self._gap()
        for text in safe_lines(source.removesuffix("\n")):
            self.lines += wrap_line([(text, self._palette.text)], self._width)
        self._wants_gap = True
        return self

    def add_code(
        self, lines: Sequence[str], colors: CodeColors | None, *, first: int, language: str
    ) -> "MarkdownLines":
        """Render lines of code on a band of their own.

        Args:
            lines: Safe lines.
            colors: Colours, indexed from ``first``; ``None``: plain.
            first: Index of the first line in ``colors``.
            language: Shown at the right end of the first line where there is room.
        """
        self._gap()
        band = self._palette.style("syntax-name", "code-background")
        room = max(self._room() - 2, 1)
        for number, text in enumerate(lines):
            spans = colors.spans(first + number, deadline=self._deadline) if colors else None
            if spans is None:
                self.is_final = self.is_final and colors is None
                spans = [(text, "syntax-name")]
            runs = code_line(spans, self._palette, "code-background")
            for part, wrapped in enumerate(wrap_code(runs, room)):
                label = language if number == 0 and part == 0 else ""
                self._emit([(" ", band), *wrapped, *self._band_end(wrapped, room, label)])
        if not lines:
            self._emit([(" " * self._room(), band)])
        self._wants_gap = True
        return self

    def _band_end(self, line: Line, room: int, label: str) -> Line:
        """Fill a line of code up to the width, with a label where it fits."""
        gap = room - width_of(line) + 1
        muted = self._palette.style("muted", "code-background", "italic")
        if label and len(label) + 2 < gap:
            return [(" " * (gap - len(label) - 1), muted), (label, muted), (" ", muted)]
        return [(" " * gap, muted)]

    # --- walk --------------------------------------------------------------------------

    def _walk(self, tokens: "Sequence[Token]", piece: Piece) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                end = index
                while tokens[end].type != "table_close":
                    end += 1
                self._table(tokens[index:end], piece)
                index = end
            else:
                self._token(tokens, index)
            index += 1

    def _token(self, tokens: "Sequence[Token]", index: int) -> None:
        token = tokens[index]
        match token.type:
            case "inline":
                self._inline(token, tokens[index - 1] if index else token)
            case "bullet_list_open":
                self._open_list(None)
            case "ordered_list_open":
                self._open_list(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._wants_gap = not self._lists
            case "list_item_open":
                self._open_item()
            case "list_item_close" | "blockquote_close":
                self._close_prefix(token)
            case "blockquote_open":
                self._open_quote()
            case "fence" | "code_block":
                self._nested_code(token)
            case "hr":
                self._gap()
                self._emit([("─" * self._room(), self._palette.line)])
                self._wants_gap = True
            case _:
                return

    def _inline(self, token: "Token", opener: "Token") -> None:
        look = self._looks[-1]
        is_heading = opener.type == "heading_open"
        if is_heading:
            attributes = "bold underline" if opener.tag == "h1" else "bold"
            look = Look(
                "primary" if opener.tag in {"h1", "h2"} else "accent", attributes=attributes
            )
        self._gap()
        for line in InlineRuns(self._palette, look).add(token.children or []).lines:
            for wrapped in wrap_line(line, self._room()):
                self._emit(wrapped)
        self._wants_gap = not opener.hidden

    def _open_list(self, start: int | None) -> None:
        if not self._lists:
            self._gap()
        self._lists.append(start)

    def _open_item(self) -> None:
        self._gap()
        number = self._lists[-1]
        if number is None:
            depth = sum(1 for start in self._lists if start is None)
            mark = f"{_BULLETS[(depth - 1) % len(_BULLETS)]} "
        else:
            mark = f"{number}. "
            self._lists[-1] = number + 1
        style = self._palette.style("primary")
        self._prefixes.append(_Prefix((mark, style), (" " * len(mark), self._palette.text)))

    def _open_quote(self) -> None:
        self._gap()
        bar = ("▎ ", self._palette.style("secondary"))
        self._prefixes.append(_Prefix(bar, bar))
        self._looks.append(Look("muted", attributes="italic"))

    def _close_prefix(self, token: "Token") -> None:
        prefix = self._prefixes[-1]
        if not prefix.is_used:
            self._emit([])
        self._prefixes.pop()
        if token.type == "blockquote_close":
            self._looks.pop()
            self._wants_gap = True

    def _nested_code(self, token: "Token") -> None:
        lines = safe_lines(token.content.removesuffix("\n"))
        words = token.info.split()
        language = words[0] if words else ""
        lexer = lexer_for_language(language)
        colors = CodeColors(lines, lexer, chunk_lines=max(len(lines), 1)) if lexer else None
        self.add_code(lines, colors, first=0, language=language)

    def _table(self, tokens: "Sequence[Token]", piece: Piece) -> None:
        head, rows, aligns = self._cells(tokens)
        natural = piece.table.widths if piece.table is not None else []
        grow_widths(natural, [head, *rows])
        if not piece.continues:
            self._gap()
        lines = table_lines(
            [] if piece.continues else head,
            rows,
            widths=fitted_widths(natural, self._room()),
            aligns=aligns,
            palette=self._palette,
        )
        for line in lines:
            self._emit(line)
        self._wants_gap = True

    def _cells(self, tokens: "Sequence[Token]") -> tuple[list[Line], list[list[Line]], list[str]]:
        rows: list[list[Line]] = []
        aligns: list[str] = []
        head: list[Line] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "thead_close":
                head = rows.pop()
            elif token.type == "inline":
                opener = tokens[index - 1]
                is_head = opener.type == "th_open"
                if is_head:
                    aligns.append(str(opener.attrs.get("style", "")).removeprefix("text-align:"))
                look = Look("primary", attributes="bold") if is_head else self._looks[-1]
                runs = InlineRuns(self._palette, look).add(token.children or [])
                rows[-1].append([run for line in runs.lines for run in line])
        return head, rows, aligns

    # --- lines -------------------------------------------------------------------------

    def _room(self) -> int:
        used = sum(len(prefix.rest[0]) for prefix in self._prefixes)
        return max(self._width - used, self._least_room)

    @property
    def _least_room(self) -> int:
        return max(min(_MIN_WIDTH, self._width // 2), 1)

    def _gap(self) -> None:
        if self._wants_gap and self.lines:
            self.lines.append(self._fit([prefix.rest for prefix in self._prefixes]))
        self._wants_gap = False

    def _emit(self, line: Line) -> None:
        prefixes: Line = []
        for prefix in self._prefixes:
            prefixes.append(prefix.rest if prefix.is_used else prefix.first)
            prefix.is_used = True
        self.lines.append([*self._fit(prefixes), *line])

    def _fit(self, prefixes: Line) -> Line:
        """Cut prefixes at the left, so that deep text is still in view."""
        used, room = width_of(prefixes), self._width - self._least_room
        return prefixes if used <= room else crop_line(prefixes, used - room, used)
