"""Turn the bytes of a file into the text that engines get.

Owns the view under which lines are compared: without byte order mark, lines ended by LF alone,
bytes that are not UTF-8 replaced, halves of large characters as stand-ins, and, where case does
not count, each unit in its canonical form. Numbers of lines are those of the file. Proven by
tests/unit/tools/search/test_js_text.py.
"""

import codecs
import functools
import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from caramelo_tui.tools.search.code_units import (
    FIRST_SURROGATE,
    LAST_SURROGATE,
    LAST_UNIT,
    STAND_IN_OFFSET,
    canonical_units,
)

TEXT_LIMIT_CHARACTERS = 300
"""Longest text of a row."""
_CUT_MARK = " [cut]"
_BOM = "\ufeff"
_LARGE = re.compile("[\U00010000-\U0010ffff]")
_FIRST_LARGE = 0x10000
_BYTES_OF_UNIT = 2
_LOW_BITS, _LOW_MASK = 10, 0x3FF
_FIRST_LOW_HALF = 0xDC00


class TextView(Protocol):
    """How a pattern wants to see text."""

    def of(self, data: bytes) -> bytes:
        """Return the lines of a file, each ended by LF."""
        ...


class Folding(Enum):
    """Which units are in canonical form."""

    NONE = auto()
    ASCII = auto()
    """Those of ASCII, which is all that most patterns can tell apart, and cheap."""
    ALL = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a JavaScript pattern wants to see text."""

    has_halves: bool
    """Whether a character beyond U+FFFF is two units."""
    folding: Folding

    def of(self, data: bytes) -> bytes:
        """Return the lines of a file as this view has them, UTF-8, each ended by LF."""
        seen = data if data.isascii() else self._of_text(decoded(data)).encode()
        if self.folding is not Folding.NONE:
            # No byte of a character beyond ASCII looks like a letter.
            seen = seen.upper()
        return _with_line_feeds(seen)

    def _of_text(self, text: str) -> str:
        if self.folding is Folding.ALL:
            text = _canonical(text)
        if self.has_halves and _has_large(text):
            return _LARGE.sub(_halves, text)
        return text


class ByteView:
    """Lines as they stand in the file, for patterns over bytes."""

    def of(self, data: bytes) -> bytes:
        """Return the lines of a file, without byte order mark, each ended by LF."""
        return _with_line_feeds(data.removeprefix(codecs.BOM_UTF8))


def _with_line_feeds(seen: bytes) -> bytes:
    if b"\r" in seen:
        seen = seen.replace(b"\r\n", b"\n")
    if seen and not seen.endswith(b"\n"):
        seen = seen.removesuffix(b"\r") + b"\n"
    return seen


def _has_large(text: str) -> bool:
    # Much faster than to look at each character.
    return len(text.encode("utf-16-le")) > _BYTES_OF_UNIT * len(text)


def _canonical(text: str) -> str:
    # Python's upper case is the canonical form but for some signs, which keep theirs: many times
    # faster than a table.
    pieces = _kept_by_case().split(text)
    if len(pieces) == 1:
        return text.upper()
    return "".join([piece if at % 2 else piece.upper() for at, piece in enumerate(pieces)])


@functools.cache
def _kept_by_case() -> re.Pattern[str]:
    """Return what finds units that have an upper case, which is not their canonical form."""
    table = canonical_units()
    kept = [
        chr(unit)
        for unit in (*range(FIRST_SURROGATE), *range(LAST_SURROGATE + 1, LAST_UNIT + 1))
        if ord(chr(unit).upper()[0]) != table.get(unit, unit) or len(chr(unit).upper()) > 1
    ]
    return re.compile(f"([{''.join(kept)}\U00010000-\U0010ffff]+)")


def decoded(data: bytes) -> str:
    """Return the text of a file, without byte order mark."""
    return data.decode("utf-8", "replace").removeprefix(_BOM)


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file without their ends, as rows show them."""
    lines = decoded(data).split("\n")
    if not lines[-1]:
        # What stands after the last line end is no line.
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def cut_row(text: str) -> str:
    """Return the text of a row, cut with a mark where it is too long."""
    if len(text) <= TEXT_LIMIT_CHARACTERS:
        return text
    return text[:TEXT_LIMIT_CHARACTERS] + _CUT_MARK


def _halves(found: re.Match[str]) -> str:
    return stand_ins_of(found[0])


@functools.lru_cache(maxsize=4_096)
def stand_ins_of(character: str) -> str:
    """Return the two stand-ins of a character beyond U+FFFF."""
    rest = ord(character) - _FIRST_LARGE
    halves = FIRST_SURROGATE + (rest >> _LOW_BITS), _FIRST_LOW_HALF + (rest & _LOW_MASK)
    return "".join(chr(half + STAND_IN_OFFSET) for half in halves)


AS_IT_IS = View(has_halves=False, folding=Folding.NONE)
"""The view for patterns that only the engine understands."""
