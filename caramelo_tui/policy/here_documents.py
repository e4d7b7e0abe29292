"""Lift here-documents out of a command line before it is parsed.

Owns the one thing that the grammar reads unsafely: with a here-document on a line, what else
stands on that line may be lost or misread. Each ``<<WORD`` becomes a plain ``<`` redirect with
a name of ours, and its body is handed over apart. Line continuations and comments go, too.
Pure; never raises. Proven by tests/unit/policy/test_here_documents.py.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

_PLACEHOLDER = "CARAMELO_HERE_"
_PLACEHOLDER_PATTERN = re.compile(rf"{_PLACEHOLDER}(\d+)")
_WORD_BEFORE_COMMENT = frozenset(" \t\n;|&(")
"""A ``#`` starts a comment only at the start of a word."""
_DELIMITER_END = frozenset(" \t\n;|&<>()")
_ALWAYS_SIGNS = frozenset('"$`')
_NO_SIGNS = frozenset(" \t_./:,+-%^")
_SEGMENT_ENDS = frozenset(";|&\n()")
_NO_OPERATORS = frozenset({'"', "}", "))"})
"""Inside these, ``<<`` is text or a shift, and ``#`` no comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HereDocument:
    """What stands between ``<<WORD`` and ``WORD``."""

    body: str
    """The lines, each with its line end."""
    is_literal: bool
    """Whether the word was quoted, so that nothing in the body is expanded."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What stands between two operators."""

    text: str
    is_piped: bool = False
    """Whether it reads what the segment before it prints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """A command line without its here-documents."""

    text: str
    documents: tuple[HereDocument, ...]
    """By number, as ``document_number`` finds it in a redirect's target."""
    signs: int
    """Characters outside quotes that may mean something to a shell: how hard it is to parse."""
    segments: tuple[Segment, ...]
    """The text cut at every operator outside quotes: a rough second reading for texts that
    the grammar cannot read, in which no command is missed that stands by itself."""


def lift_here_documents(text: str) -> Lifted:
    """Return ``text`` with each here-document replaced by a ``<`` redirect."""
    return _Lifter(text).lift()


def document_number(target: str) -> int | None:
    """Return which here-document a redirect's target stands for; ``None`` for a file."""
    match = _PLACEHOLDER_PATTERN.fullmatch(target)
    return int(match.group(1)) if match else None


@dataclass(slots=True, kw_only=True)
class _Opened:
    """A ``<<WORD`` whose body is still to come."""

    delimiter: str
    is_literal: bool
    strips_tabs: bool


@dataclass(slots=True)
class _Lifter:
    """One pass over the text; ``i`` is the next character."""

    text: str
    i: int = 0
    out: list[str] = field(default_factory=list[str])
    closers: list[str] = field(default_factory=list[str])
    opened: list[_Opened] = field(default_factory=list[_Opened])
    documents: list[HereDocument] = field(default_factory=list[HereDocument])
    signs: int = 0
    breaks: list[int] = field(default_factory=list[int])
    """Places in ``out`` where an operator stands."""

    def lift(self) -> Lifted:
        while self.i < len(self.text):
            self._step()
        # A body that never came: the shell takes the end of the text for its end.
        self._read_bodies()
        return Lifted(
            text="".join(self.out),
            documents=tuple(self.documents),
            signs=self.signs,
            segments=self._segments(),
        )

    def _segments(self) -> tuple[Segment, ...]:
        found: list[Segment] = []
        is_behind_piece = False
        for low, high in pairwise([-1, *self.breaks, len(self.out)]):
            text = "".join(self.out[low + 1 : high]).strip()
            operator = self.out[low] if low >= 0 else ""
            if text:
                # ``||`` has an empty piece between its bars: no pipe.
                found.append(Segment(text, operator == "|" and is_behind_piece))
            is_behind_piece = bool(text)
        return tuple(found)

    @property
    def _inside(self) -> str:
        return self.closers[-1] if self.closers else ""

    def _step(self) -> None:
        char = self.text[self.i]
        if not char.isalnum() and (char in _ALWAYS_SIGNS or self._inside != '"'):
            self.signs += char not in _NO_SIGNS
        if char in _SEGMENT_ENDS and all(closer in {")", "))"} for closer in self.closers[-1:]):
            self.breaks.append(len(self.out))
        if char == "\\":
            self._take_escape()
        elif char == "'" and self._inside != '"':
            self._take_quoted(has_escapes=self.text[self.i - 1 : self.i] == "$")
        elif char in '"`':
            self._toggle(char)
        elif char in "$(":
            self._take_opening(char)
        elif char in ")}":
            self._take_closing()
        elif char == "\n":
            self._take_line_end()
        elif char in "#<" and self._inside not in _NO_OPERATORS:
            self._take_comment_or_redirect(char)
        else:
            self._copy(1)

    def _take_comment_or_redirect(self, char: str) -> None:
        if char == "#" and self._is_word_start():
            end = self.text.find("\n", self.i)
            self.i = len(self.text) if end < 0 else end
        elif self.text.startswith("<<<", self.i):
            self._copy(3)
        elif self.text.startswith("<<", self.i):
            self._take_here_document()
        else:
            self._copy(1)

    def _copy(self, count: int) -> None:
        self.out.append(self.text[self.i : self.i + count])
        self.i += count

    def _is_word_start(self) -> bool:
        return self.i == 0 or self.text[self.i - 1] in _WORD_BEFORE_COMMENT

    def _take_escape(self) -> None:
        if self.text.startswith("\\\n", self.i):
            self.i += 2
        else:
            self._copy(2)

    def _take_quoted(self, *, has_escapes: bool) -> None:
        end = self.i + 1
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if has_escapes and self.text[end] == "\\" else 1
        self._copy(end + 1 - self.i)

    def _toggle(self, quote: str) -> None:
        if self._inside == quote:
            self.closers.pop()
        elif quote == "`" and quote in self.closers:
            del self.closers[self.closers.index(quote) :]
        else:
            self.closers.append(quote)
        self._copy(1)

    def _take_opening(self, char: str) -> None:
        for opening, closing in (("$((", "))"), ("$(", ")"), ("${", "}"), ("((", "))")):
            if self.text.startswith(opening, self.i) and (char == "$" or self._inside != '"'):
                self.closers.append(closing)
                self._copy(len(opening))
                return
        if char == "(" and self._inside != '"':
            self.closers.append(")")
        self._copy(1)

    def _take_closing(self) -> None:
        closer = self._inside
        if closer in {")", "))", "}"} and self.text.startswith(closer, self.i):
            self.closers.pop()
            self._copy(len(closer))
        else:
            self._copy(1)

    def _take_line_end(self) -> None:
        self._copy(1)
        if self._inside != '"':
            self._read_bodies()

    def _take_here_document(self) -> None:
        start = self.i
        self.i += 2
        strips_tabs = self.text.startswith("-", self.i)
        self.i += strips_tabs
        while self.text[self.i : self.i + 1] in {" ", "\t"}:
            self.i += 1
        word_start = self.i
        delimiter = self._read_delimiter()
        if self.i == word_start:
            self.i = start
            self._copy(2)
            return
        word = self.text[word_start : self.i]
        number = len(self.documents) + len(self.opened)
        self.out.append(f" <{_PLACEHOLDER}{number} ")
        self.opened.append(
            _Opened(
                delimiter=delimiter,
                is_literal=any(quote in word for quote in "\\'\""),
                strips_tabs=strips_tabs,
            )
        )

    def _read_delimiter(self) -> str:
        letters: list[str] = []
        quote = ""
        while self.i < len(self.text):
            char = self.text[self.i]
            if not quote and char in _DELIMITER_END:
                break
            self.i += 1
            if char == quote:
                quote = ""
            elif not quote and char in "'\"":
                quote = char
            elif char == "\\" and quote != "'":
                letters.append(self.text[self.i : self.i + 1])
                self.i += 1
            else:
                letters.append(char)
        return "".join(letters)

    def _read_bodies(self) -> None:
        for opened in self.opened:
            lines: list[str] = []
            while self.i < len(self.text):
                end = self.text.find("\n", self.i)
                end = len(self.text) if end < 0 else end + 1
                line = self.text[self.i : end]
                self.i = end
                if opened.strips_tabs:
                    line = line.lstrip("\t")
                if line.removesuffix("\n") == opened.delimiter:
                    break
                lines.append(line)
            self.documents.append(HereDocument(body="".join(lines), is_literal=opened.is_literal))
        self.opened.clear()
