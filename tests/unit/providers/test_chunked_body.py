"""Bodies of answers are read whole from any cut of their bytes, and never guessed at."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.providers.chunked_body import (
    LONGEST_LINE,
    Body,
    ChunkedBody,
    CountedBody,
    FramingError,
    OpenBody,
)


def chunked(chunks: list[bytes], trailer: bytes = b"") -> bytes:
    framed = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks if chunk)
    return framed + b"0\r\n" + trailer + b"\r\n"


def read(body: Body, data: bytes, cuts: list[int]) -> bytes:
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    ends = pairwise(places)
    return b"".join(body.feed(data[start:end]) for start, end in ends)


@given(
    chunks=st.lists(st.binary(max_size=40), max_size=8),
    trailer=st.sampled_from([b"", b"a: b\r\n", b"a: b\r\nc: d\r\n"]),
    cuts=st.lists(st.integers(0, 400), max_size=30),
)
def test_chunks_are_joined_however_they_are_cut(
    chunks: list[bytes], trailer: bytes, cuts: list[int]
) -> None:
    body = ChunkedBody()
    assert read(body, chunked(chunks, trailer), cuts) == b"".join(chunks)
    assert body.is_whole
    body.end()


@given(chunks=st.lists(st.binary(min_size=1, max_size=9), max_size=4), cut=st.integers(0, 80))
def test_the_beginning_of_a_body_gives_the_beginning_of_its_bytes(
    chunks: list[bytes], cut: int
) -> None:
    data = chunked(chunks)
    begin = data[: min(cut, len(data) - 1)]
    body = ChunkedBody()
    given_ = body.feed(begin) if begin else b""
    assert b"".join(chunks).startswith(given_)
    assert not body.is_whole
    with pytest.raises(FramingError):
        body.end()


@pytest.mark.parametrize(
    "data",
    [
        b"zz\r\nab\r\n",
        b"-2\r\nab\r\n",
        b"0x2\r\nab\r\n",
        b" 2\r\nab\r\n",
        b"2\nab\n0\n\n",
        b"2\r\nabc\r\n0\r\n\r\n",
        b"2\r\nab\n\r0\r\n\r\n",
        b"\r\n2\r\nab\r\n",
        b"0\r\n\r\nHTTP/1.1 200 OK",
        b"f" * 16 + b"\r\n",
        b"1;" + b"x" * LONGEST_LINE,
        b"0\r\n" + b"x" * (LONGEST_LINE + 1),
    ],
)
def test_what_is_no_chunk_is_an_error(data: bytes) -> None:
    for cuts in ([], list(range(len(data)))):
        with pytest.raises(FramingError):
            read(ChunkedBody(), data, cuts)


def test_extensions_of_a_chunk_are_skipped() -> None:
    assert ChunkedBody().feed(b"2 ;name=value\r\nab\r\n0\r\n\r\n") == b"ab"


def test_a_counted_body_takes_just_its_bytes() -> None:
    body = CountedBody(3)
    assert (body.feed(b"ab"), body.is_whole) == (b"ab", False)
    with pytest.raises(FramingError):
        body.end()
    with pytest.raises(FramingError):
        body.feed(b"cd")
    assert (body.feed(b"c"), body.is_whole) == (b"c", True)
    body.end()


def test_an_open_body_ends_with_its_connection() -> None:
    body = OpenBody()
    assert (body.feed(b"ab"), body.is_whole) == (b"ab", False)
    body.end()
    assert body.is_whole
