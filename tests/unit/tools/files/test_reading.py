"""Ranges, caps and the text check hold wherever chunk borders fall."""

import io
import tracemalloc

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.files.reading import CHUNK_BYTES, LineRange, LinesRead, read_lines
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped


class SmallChunks(io.BytesIO):
    """A file that gives a few bytes at a time, whatever is asked for."""

    def __init__(self, data: bytes, chunk: int) -> None:
        super().__init__(data)
        self._chunk = chunk

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._chunk if size is None or size < 0 else min(size, self._chunk))


def read(
    data: bytes,
    first: int = 1,
    last: int | None = None,
    *,
    limit: int = 1_000,
    chunk: int = CHUNK_BYTES,
) -> LinesRead:
    wanted = LineRange(first=first, last=last, limit_bytes=limit)
    return read_lines(
        SmallChunks(data, chunk), wanted, shown="f.txt", size=len(data), stop=StopFlag()
    )


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, CHUNK_BYTES])
@pytest.mark.parametrize(
    ("first", "last", "text", "count"),
    [
        (1, None, "one\ntwo\nthrée\nend", 4),
        (2, 3, "two\nthrée\n", 2),
        (3, None, "thrée\nend", 2),
        (4, 4, "end", 1),
        (4, 99, "end", 1),
        (5, None, "", 0),
        (1, 1, "one\n", 1),
    ],
)
def test_range_is_the_same_for_any_chunk(
    chunk: int, first: int, last: int | None, text: str, count: int
) -> None:
    lines = read("one\r\ntwo\nthrée\r\nend".encode(), first, last, chunk=chunk)

    assert lines.text == text
    assert lines.count == count
    assert lines.total_lines == 4
    assert not lines.is_cut


def test_lone_cr_is_no_line_end_and_is_kept() -> None:
    lines = read(b"a\rb\r\nc\r")

    assert lines.text == "a\rb\nc\r"
    assert lines.total_lines == 2


@pytest.mark.parametrize("chunk", [1, 2, CHUNK_BYTES])
def test_byte_order_mark_is_not_shown(chunk: int) -> None:
    assert read(b"\xef\xbb\xbfa\nb\n", chunk=chunk).text == "a\nb\n"
    assert read(b"\xef\xbb\xbfa\nb\n", 2, chunk=chunk).text == "b\n"


def test_mark_inside_the_text_is_content() -> None:
    assert read("a\n\ufeffb\n".encode(), 2).text == "\ufeffb\n"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_file_without_text_has_no_lines(data: bytes) -> None:
    lines = read(data)

    assert (lines.text, lines.count, lines.total_lines) == ("", 0, 0)


def test_cap_counts_what_is_shown_not_what_is_on_disk() -> None:
    lines = read(b"ab\r\n" * 10, limit=30)

    assert lines.text == "ab\n" * 10
    assert not lines.is_cut


@pytest.mark.parametrize("chunk", [1, 5, CHUNK_BYTES])
def test_cap_falls_on_a_character_border_and_counts_the_open_line(chunk: int) -> None:
    lines = read("漢字\n漢字\n".encode(), limit=11, chunk=chunk)

    assert lines.text == "漢字\n漢"
    assert lines.is_cut
    assert lines.ends_inside_line
    assert (lines.first, lines.last, lines.total_lines) == (1, 2, 2)


def test_cap_at_a_line_end_does_not_count_the_next_line() -> None:
    lines = read(b"abc\nabc\nabc\n", limit=8)

    assert lines.last == 2
    assert lines.is_cut
    assert not lines.ends_inside_line


def test_exactly_the_cap_is_not_cut() -> None:
    assert not read(b"abcd\n" * 4, limit=20).is_cut


@pytest.mark.parametrize("chunk", [1, 3, CHUNK_BYTES])
def test_nul_anywhere_is_refused_with_the_size(chunk: int) -> None:
    with pytest.raises(ToolFailure, match=r"NUL byte at offset 5; .*binary.*12 bytes"):
        read(b"text\n\0binary", 1, 1, chunk=chunk)


@pytest.mark.parametrize("chunk", [1, 3, CHUNK_BYTES])
def test_latin1_is_refused_with_place_and_guess(chunk: int) -> None:
    with pytest.raises(ToolFailure, match=r"0xE9 at offset 9 is not UTF-8.*Latin-1.*11 bytes"):
        read(b"plain\ncaf\xe9\n", 1, 1, chunk=chunk)


def test_windows_letters_change_the_guess() -> None:
    with pytest.raises(ToolFailure, match="Windows-1252"):
        read(b"\x93quoted\x94\n")


def test_file_that_ends_inside_a_character_is_refused() -> None:
    with pytest.raises(ToolFailure, match="not UTF-8"):
        read("é".encode()[:1])


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16-le", "UTF-16 (little endian)"),
        ("utf-16-be", "UTF-16 (big endian)"),
        ("utf-32-le", "UTF-32 (little endian)"),
        ("utf-32-be", "UTF-32 (big endian)"),
    ],
)
def test_encoding_is_named_by_its_mark(encoding: str, name: str) -> None:
    with pytest.raises(ToolFailure) as caught:
        read("\ufeffhello\n".encode(encoding))

    assert name in str(caught.value)


def test_stop_flag_ends_the_reading() -> None:
    stop = StopFlag()
    stop.set()

    with pytest.raises(Stopped):
        read_lines(io.BytesIO(b"a\n"), LineRange(limit_bytes=10), shown="f", size=2, stop=stop)


def test_memory_does_not_grow_with_the_file() -> None:
    data = b"row of a very long log\n" * 1_000_000
    tracemalloc.start()
    lines = read(data, last=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert lines.total_lines == 1_000_000
    # The 23 MB themselves were allocated before; the reading holds a few chunks.
    assert peak < 8 * CHUNK_BYTES


def test_file_that_grows_while_it_is_read_ends_where_it_ended() -> None:
    source = SmallChunks(b"one\ntwo\nthree\n", 5)

    lines = read_lines(source, LineRange(limit_bytes=99), shown="f", size=8, stop=StopFlag())

    assert (lines.text, lines.total_lines, lines.size) == ("one\ntwo\n", 2, 8)
