"""Read a range of lines of a text file without holding the file in memory.

Owns what both profiles' reading tools share: the streamed check that a file is UTF-8 text, the
count of its lines, and the range with its cap. Knows no schema and no rendering. Proven by
tests/unit/tools/files/test_reading.py.
"""

import codecs
from dataclasses import dataclass
from typing import BinaryIO

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag, raise_if_stopped
from caramelo_tui.tools.output_limits import cut_utf8

CHUNK_BYTES = 262_144
"""Read at once: large enough that counting lines is bound by the disk, small in memory."""

_BOM = codecs.BOM_UTF8
_MARKS = (
    # UTF-32 little endian starts with the mark of UTF-16 little endian: longest first.
    (codecs.BOM_UTF32_LE, "UTF-32 (little endian)"),
    (codecs.BOM_UTF32_BE, "UTF-32 (big endian)"),
    (codecs.BOM_UTF16_LE, "UTF-16 (little endian)"),
    (codecs.BOM_UTF16_BE, "UTF-16 (big endian)"),
)
_C1_CONTROLS = frozenset(range(0x80, 0xA0))
"""Unused in Latin-1 text, letters and signs in Windows-1252."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRange:
    """Which lines to read and how much of them at most."""

    first: int = 1
    """1-based."""
    last: int | None = None
    """1-based, inclusive; ``None``: to the end."""
    limit_bytes: int
    """Cap on the text after the range was taken, in bytes of UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesRead:
    """A range of lines and what is around it."""

    text: str
    """Without a byte order mark, CRLF as LF; ends on a character border."""
    first: int
    """First line of ``text``, 1-based; meaningless when there is none."""
    count: int
    """Lines in ``text``, a partial last one included; 0 past the end."""
    total_lines: int
    size: int
    """Bytes on disk."""
    is_cut: bool
    """Whether the cap left something of the range out."""

    @property
    def last(self) -> int:
        """Last line of ``text``, 1-based, inclusive."""
        return self.first + self.count - 1

    @property
    def ends_inside_line(self) -> bool:
        """Whether the cap fell inside the last line."""
        return self.is_cut and not self.text.endswith("\n")


def read_lines(
    source: BinaryIO, wanted: LineRange, *, shown: str, size: int, stop: StopFlag
) -> LinesRead:
    """Read ``wanted`` and check and count the whole file on the way.

    Args:
        source: The open file at its start.
        wanted: Range and cap.
        shown: Path for messages.
        size: Bytes on disk when it was opened; what is appended meanwhile is not read.
        stop: Looked at between chunks.

    Raises:
        ToolFailure: If the file is not UTF-8 text anywhere; names its size and, where it can
            be told, its encoding.
        Stopped: If ``stop`` was set.
    """
    check = _TextCheck(shown, size)
    window = _Window(wanted)
    left = size
    # A file that grows as fast as it is read has no end.
    while chunk := source.read(min(CHUNK_BYTES, left)):
        raise_if_stopped(stop)
        left -= len(chunk)
        check.feed(chunk)
        window.feed(chunk)
    check.finish()
    return window.result(size)


class _TextCheck:
    """Refuse what is not UTF-8 text, chunk by chunk."""

    def __init__(self, shown: str, size: int) -> None:
        self._shown = shown
        self._size = size
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._pending = b""
        self._offset = 0
        self._start = b""

    def feed(self, chunk: bytes) -> None:
        """Check the next chunk.

        Raises:
            ToolFailure: If it cannot be part of a UTF-8 text.
        """
        if self._offset == 0:
            self._start = chunk[:4]
        if b"\0" in chunk:
            offset = self._offset + chunk.index(b"\0")
            problem = f"it holds a NUL byte at offset {offset}"
            raise self._failure(problem, "")
        if self._pending or not chunk.isascii():
            self._decode(chunk, is_last=False)
        self._offset += len(chunk)

    def finish(self) -> None:
        """Check that no character was left unfinished.

        Raises:
            ToolFailure: If the file ends inside a character.
        """
        if self._pending:
            self._decode(b"", is_last=True)

    def _decode(self, chunk: bytes, *, is_last: bool) -> None:
        try:
            self._decoder.decode(chunk, is_last)
        except UnicodeDecodeError as error:
            data = self._pending + chunk
            offset = self._offset - len(self._pending) + error.start
            problem = f"byte 0x{data[error.start]:02X} at offset {offset} is not UTF-8"
            raise self._failure(problem, _eight_bit_guess(data)) from None
        self._pending = self._decoder.getstate()[0]

    def _failure(self, problem: str, guess: str) -> ToolFailure:
        for mark, name in _MARKS:
            if self._start.startswith(mark):
                guess = f"by its first bytes it is {name}"
                break
        hint = f"; {guess}" if guess else "; it is probably binary" if "NUL" in problem else ""
        return ToolFailure(
            f"{self._shown} cannot be shown as UTF-8 text: {problem}{hint}. "
            f"Its size is {self._size} bytes."
        )


def _eight_bit_guess(data: bytes) -> str:
    if _C1_CONTROLS.isdisjoint(data):
        return "it looks like Latin-1 (ISO-8859-1)"
    return "it may be Windows-1252 or another 8-bit encoding"


class _Window:
    """Collect a range of lines, count all."""

    def __init__(self, wanted: LineRange) -> None:
        self._wanted = wanted
        # A CRLF pair becomes one byte, and a BOM none: twice the cap is always enough to
        # know what fits and whether more follows.
        self._room = 2 * wanted.limit_bytes + len(_BOM) + 1
        self._kept = bytearray()
        self._line_ends = 0
        self._has_open_line = False

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk."""
        line_ends = chunk.count(b"\n")
        begin = self._offset_of_line(chunk, self._wanted.first, line_ends)
        if begin is not None and self._room > 0:
            end = None
            if self._wanted.last is not None:
                end = self._offset_of_line(chunk, self._wanted.last + 1, line_ends)
            kept = chunk[begin:end][: self._room]
            self._kept += kept
            self._room -= len(kept)
        self._line_ends += line_ends
        self._has_open_line = not chunk.endswith(b"\n")

    def _offset_of_line(self, chunk: bytes, line: int, line_ends: int) -> int | None:
        """Return where in ``chunk`` a line begins: 0 if before it, ``None`` if after it."""
        wanted_ends = line - 1 - self._line_ends
        if wanted_ends <= 0:
            return 0
        if wanted_ends > line_ends:
            return None
        offset = 0
        for _ in range(wanted_ends):
            offset = chunk.index(b"\n", offset) + 1
        return offset

    def result(self, size: int) -> LinesRead:
        """Return what was collected."""
        data = bytes(self._kept)
        if self._wanted.first == 1:
            data = data.removeprefix(_BOM)
        data, is_cut = cut_utf8(data.replace(b"\r\n", b"\n"), self._wanted.limit_bytes)
        text = data.decode("utf-8")
        is_open = text != "" and not text.endswith("\n")
        # A file of nothing but a byte order mark has no line.
        is_blank = self._wanted.first == 1 and not data
        total = self._line_ends + (self._has_open_line and not is_blank)
        return LinesRead(
            text=text,
            first=self._wanted.first,
            count=text.count("\n") + is_open,
            total_lines=total,
            size=size,
            is_cut=is_cut,
        )
