"""Framing of server-sent events."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.providers.sse import ServerEvent, SseDecoder


def decoded(data: bytes, *, flushes: bool = True) -> list[ServerEvent]:
    decoder = SseDecoder()
    events = decoder.feed(data)
    return events + decoder.flush() if flushes else events


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_of_the_standard_ends_a_line(end: str) -> None:
    text = end.join(["event: a", "data: 1", "data: 2", "", "data: 3", "", ""])
    assert decoded(text.encode()) == [
        ServerEvent(name="a", data="1\n2"),
        ServerEvent(data="3"),
    ]


def test_other_separators_do_not_end_a_line() -> None:
    text = "data: a\u2028b\u0085c\x0bd\x0ce\n\n"
    assert decoded(text.encode()) == [ServerEvent(data="a\u2028b\u0085c\x0bd\x0ce")]


def test_a_return_at_the_end_of_a_piece_may_be_half_a_line_end() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: 1\r") == []
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b"\r\n") == [ServerEvent(data="1")]


def test_comments_unknown_fields_and_events_without_data_are_skipped() -> None:
    assert decoded(b": ping\n\nid: 1\nretry: 5\n\nevent: x\n\ndata: 1\n\n") == [
        ServerEvent(data="1")
    ]


@pytest.mark.parametrize(
    "blank", [b"data:\n\n", b"data: \n\n", b"data\n\n", b"event: x\ndata:\n\n"]
)
def test_an_event_whose_data_is_empty_is_none(blank: bytes) -> None:
    assert decoded(blank + b"data: 1\n\n" + blank) == [ServerEvent(data="1")]
    # One of several empty lines is data all the same: their line ends are.
    assert decoded(b"data:\ndata:\n\n") == [ServerEvent(data="\n")]


def test_only_one_blank_after_the_colon_is_taken_off() -> None:
    assert decoded(b"data:  x \n\ndata:y\n\n") == [
        ServerEvent(data=" x "),
        ServerEvent(data="y"),
    ]


def test_a_byte_order_mark_is_skipped() -> None:
    assert decoded(b"\xef\xbb\xbfdata: 1\n\n") == [ServerEvent(data="1")]


@pytest.mark.parametrize("rest", [b"data: [DONE]", b"data: [DONE]\n", b"data: [DONE]\r"])
def test_the_regular_end_completes_the_last_event(rest: bytes) -> None:
    assert decoded(rest, flushes=False) == []
    assert decoded(rest) == [ServerEvent(data="[DONE]")]


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert decoded(b"data: a\xffb\n\n") == [ServerEvent(data="a\ufffdb")]


@pytest.mark.parametrize("data", [b"data: " + b"x" * 200, b"data: xxxxx\n" * 40])
def test_an_endless_event_is_refused(data: bytes) -> None:
    with pytest.raises(StreamBroken):
        SseDecoder(limit_bytes=100).feed(data)


LINES = st.sampled_from(
    ["", "", "data: 1", "data:", "data", "data: ü", "event: a", "event", "data: ", ":c", "id: 2"]
)


@given(lines=st.lists(LINES, max_size=14), cuts=st.lists(st.integers(0, 120), max_size=12))
def test_each_line_end_gives_the_same_events_however_the_bytes_are_cut(
    lines: list[str], cuts: list[int]
) -> None:
    heard: list[list[ServerEvent]] = []
    for end in ("\n", "\r\n"):
        data = end.join(lines).encode()
        places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
        decoder = SseDecoder()
        events = [event for at, to in pairwise(places) for event in decoder.feed(data[at:to])]
        heard.append([*events, *decoder.flush()])
    assert heard[0] == heard[1]


def test_returns_may_begin_in_the_middle_of_an_event() -> None:
    decoder = SseDecoder()
    events = decoder.feed(b"event: a\ndata: 1\n") + decoder.feed(b"data: 2\r\n\r\ndata: 3\n\n")
    assert events == [ServerEvent(name="a", data="1\n2"), ServerEvent(data="3")]
