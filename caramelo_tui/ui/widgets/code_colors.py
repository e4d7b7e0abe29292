"""Colour code a few lines at a time.

Owns the lazy import of pygments, the choice of a lexer, and lexing that can stop at a
deadline and go on later: a line that is not lexed yet is shown plain and coloured at a later
tick. Proven by tests/unit/ui/test_code_colors.py.
"""

import fnmatch
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Span = tuple[str, str]
"""Text and the style variable that colours it, such as ``syntax-string``."""

PLAIN = "syntax-name"
"""Style variable of code without a colour of its own."""

MAX_LEXED_CHARACTERS = 1_000
"""Longer lines are shown plain: they are data, and lexers are slow on them."""

_VARIABLES = {
    "Keyword": "syntax-keyword",
    "Keyword.Constant": "syntax-number",
    "Keyword.Type": "syntax-type",
    "Literal.String": "syntax-string",
    "Literal.String.Doc": "syntax-comment",
    "Literal.Number": "syntax-number",
    "Comment": "syntax-comment",
    "Comment.Preproc": "syntax-keyword",
    "Name.Function": "syntax-function",
    "Name.Class": "syntax-type",
    "Name.Builtin": "syntax-type",
    "Name.Decorator": "syntax-function",
    "Name.Exception": "syntax-type",
    "Name.Tag": "syntax-keyword",
    "Name.Attribute": "syntax-function",
    "Name.Variable": "syntax-type",
    "Operator": "syntax-operator",
    "Operator.Word": "syntax-keyword",
    "Punctuation": "syntax-operator",
    "Generic.Inserted": "syntax-string",
    "Generic.Deleted": "syntax-number",
    "Generic.Heading": "syntax-keyword",
    "Generic.Subheading": "syntax-keyword",
}
"""Token types of pygments to our variables; the nearest parent counts."""


@dataclass(frozen=True, slots=True)
class _KnownLexers:
    """What pygments ships, without its plug-ins: looking for those costs 100 ms."""

    names: Mapping[str, str]
    """Alias in lower case to the first alias."""
    patterns: tuple[tuple[re.Pattern[str], str], ...]
    """Pattern of a file name, and the first alias of its lexer."""


@cache
def _known_lexers() -> _KnownLexers:
    from pygments.lexers import get_all_lexers  # noqa: PLC0415 - 25-60 ms, when first needed

    names: dict[str, str] = {}
    patterns: list[tuple[re.Pattern[str], str]] = []
    for _name, aliases, globs, _types in get_all_lexers(plugins=False):
        if not aliases:
            continue
        names.update({alias.lower(): aliases[0] for alias in aliases})
        patterns += [(re.compile(fnmatch.translate(glob)), aliases[0]) for glob in globs]
    return _KnownLexers(names=names, patterns=tuple(patterns))


@lru_cache(maxsize=64)
def lexer_for_language(name: str) -> "Lexer | None":
    """Return the lexer of a fence's language, ``None`` when there is none."""
    if not name:
        return None
    known = _known_lexers().names.get(name.lower())
    return _load(known) if known is not None else None


@lru_cache(maxsize=128)
def lexer_for_path(path: str) -> "Lexer | None":
    """Return the lexer for a file's name, ``None`` when there is none."""
    name = path.rsplit("/", 1)[-1]
    found = [alias for pattern, alias in _known_lexers().patterns if pattern.fullmatch(name)]
    lexers = [_load(alias) for alias in dict.fromkeys(found)]
    # Several lexers may claim a name, such as ``*.h``: the plainest of the best ranked wins.
    return max(lexers, key=lambda lexer: (lexer.priority, -len(lexer.name)), default=None)


def _load(alias: str) -> "Lexer":
    from pygments.lexers import find_lexer_class_by_name  # noqa: PLC0415 - as above

    return find_lexer_class_by_name(alias)(stripnl=False, ensurenl=False)


def warm_up() -> None:
    """Import what the first code block needs; meant for a thread after the first paint."""
    lexer = lexer_for_language("python")
    if lexer is not None:
        colors = CodeColors(["import os  # warm"], lexer)
        colors.spans(0, deadline=float("inf"))


class CodeColors:
    """The coloured spans of some lines, worked out in chunks and on demand."""

    def __init__(
        self, lines: Sequence[str], lexer: "Lexer | None", *, chunk_lines: int = 200
    ) -> None:
        """Take lines without line ends.

        Args:
            lines: Safe text; may still grow at the end while a stream comes in, but only in
                a chunk that is not lexed yet.
            lexer: ``None``: everything is plain.
            chunk_lines: Lines that are lexed as one; a state does not cross to the next.
        """
        self._lines = lines
        self._lexer = lexer
        self._chunk_lines = chunk_lines
        self._done: dict[int, list[list[Span]]] = {}
        self._work: dict[int, Iterator[list[Span]]] = {}

    def spans(self, index: int, *, deadline: float) -> list[Span] | None:
        """Return the spans of a line, ``None`` when the deadline comes first.

        Args:
            index: Line from 0.
            deadline: On the monotonic clock.
        """
        line = self._lines[index]
        if self._lexer is None or len(line) > MAX_LEXED_CHARACTERS:
            return [(line, PLAIN)]
        chunk, within = divmod(index, self._chunk_lines)
        done = self._done.setdefault(chunk, [])
        while len(done) <= within:
            if time.monotonic() >= deadline:
                return None
            work = self._work.get(chunk)
            if work is None:
                work = self._work[chunk] = self._lex(chunk)
            self._advance(chunk, work, until=within + 1, deadline=deadline)
        return done[within]

    def _advance(
        self, chunk: int, work: Iterator[list[Span]], *, until: int, deadline: float
    ) -> None:
        done = self._done[chunk]
        size = min(self._chunk_lines, len(self._lines) - chunk * self._chunk_lines)
        for spans in work:
            done.append(spans)
            if len(done) >= until or time.monotonic() >= deadline:
                return
        # A lexer that swallows line ends leaves lines over: they are shown plain.
        start = chunk * self._chunk_lines
        done += [[(line, PLAIN)] for line in self._lines[start + len(done) : start + size]]

    def _lex(self, chunk: int) -> Iterator[list[Span]]:
        """Yield the spans of a chunk's lines, one list a line."""
        start = chunk * self._chunk_lines
        lines = self._lines[start : start + self._chunk_lines]
        text = "\n".join(line if len(line) <= MAX_LEXED_CHARACTERS else "" for line in lines)
        spans: list[Span] = []
        if self._lexer is None:
            return
        for _index, kind, value in self._lexer.get_tokens_unprocessed(text):
            variable = _variable_of(tuple(kind))
            first, *others = value.split("\n")
            if first:
                spans.append((first, variable))
            for other in others:
                yield spans
                spans = [(other, variable)] if other else []
        yield spans


@lru_cache(maxsize=512)
def _variable_of(kind: tuple[str, ...]) -> str:
    parts = list(kind)
    while parts:
        variable = _VARIABLES.get(".".join(parts))
        if variable is not None:
            return variable
        parts.pop()
    return PLAIN
