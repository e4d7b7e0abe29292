"""The worker's own work, without a process."""

import io
import json
import signal

import pytest
import regress

from caramelo_tui.tools.search import regex_worker
from caramelo_tui.tools.search.regex_worker import (
    LineSearch,
    can_ask_whole_file,
    cut_row,
    join_batch,
    search_batch,
    serve,
    split_batch,
)


def rows(pattern: str, data: bytes, flags: str = "i") -> list[tuple[int, str]]:
    return list(LineSearch(regress, pattern, flags).rows(data))


def test_lines_are_tested_without_their_ends() -> None:
    assert rows("end$", b"the end\r\nend of it\r\nend") == [(1, "the end"), (3, "end")]
    assert rows("one\\ntwo", b"one\ntwo\n") == []
    assert rows("^$", b"\n\nx\n") == [(1, ""), (2, "")]
    assert rows("^$", b"") == []


def test_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert rows("^using", b"\xef\xbb\xbfusing A;\n") == [(1, "using A;")]


def test_bytes_that_are_no_utf8_are_searched_around() -> None:
    assert rows("caf.$", b"caf\xe9\n") == [(1, "caf\ufffd")]


def test_only_line_feeds_end_lines() -> None:
    text = "a\x0bb\x0cc\x85d\u2028e\rf\n"

    assert rows("f$", text.encode()) == [(1, text[:-1])]


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("(?<n>\\d\\d)-\\k<n>", "12-12", 1),
        ("(?<n>\\d\\d)-\\k<n>", "12-13", 0),
        ("^\\d+$", "\u0664\u0662", 0),
        ("a{,2}", "a{,2}", 1),
        ("a[^]c", "abc", 1),
        ("caf\u00e9\\b", "caf\u00e9 bar", 0),
        ("(?<=\\$)\\d+", "$15", 1),
        ("\\/v1\\/", "/v1/", 1),
    ],
)
def test_engine_speaks_javascript(pattern: str, text: str, wanted: int) -> None:
    assert len(rows(pattern, text.encode())) == wanted


@pytest.mark.parametrize(
    "pattern",
    [
        "token",
        "def \\w+_async\\(",
        "^import (a|b)",
        "(?:x|y)+?z{2,3}$",
        "(?<name>[a-z_]+)=",
        "[\\w.-]+@[\\d]",
        "\\bfoo\\B",
        ".*x.*",
        "a{,2}",
        "",
    ],
)
def test_plain_pattern_may_ask_the_whole_file(pattern: str) -> None:
    assert can_ask_whole_file(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=x)",
        "(?!x)",
        "(?<=x)y",
        "(?<!x)y",
        "[^x]y",
        "\\s+",
        "\\Wx",
        "\\D",
        "\\n",
        "\\x0a",
        "\\u000a",
        "\\cJ",
        "\\0",
        "(a)\\1",
        "\\k<n>",
        "a\tb",
        "[\t-z]",
        "[\\b-z]",
        "\\p{L}",
        "(?i:a)",
        "(?-m:^a)",
    ],
)
def test_pattern_that_can_meet_a_line_end_may_not(pattern: str) -> None:
    assert not can_ask_whole_file(pattern)


def test_long_line_is_cut_with_a_mark() -> None:
    assert cut_row("é" * 300) == "é" * 300
    assert cut_row("é" * 301) == "é" * 300 + " [cut]"


def test_batch_survives_its_frame() -> None:
    files = [b"a\n", b"", b"\x00\xff" * 10]

    assert split_batch(join_batch(files, 7)) == (7, files)
    assert split_batch(join_batch([], 1)) == (1, [])


def test_batch_stops_at_the_wanted_rows() -> None:
    search = LineSearch(regress, "x", "")

    assert search_batch(search, [b"x\ny\nx\n", b"x\n"], 2) == [[0, 1, "x"], [0, 3, "x"]]
    assert search_batch(search, [b"y\n", b"x\n"], 2) == [[1, 1, "x"]]


def talk(*frames: tuple[bytes, bytes]) -> list[dict[str, object]]:
    source = io.BytesIO(
        b"".join(regex_worker.HEADER.pack(kind, len(body)) + body for kind, body in frames)
    )
    sink = io.BytesIO()
    serve(source, sink, regress, alarm_s=60)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    answers: list[dict[str, object]] = []
    data = sink.getvalue()
    while data:
        (length,) = regex_worker.LENGTH.unpack_from(data)
        answers.append(json.loads(data[4 : 4 + length]))
        data = data[4 + length :]
    return answers


def pattern_frame(pattern: str) -> tuple[bytes, bytes]:
    return b"P", json.dumps({"pattern": pattern, "flags": "i"}).encode()


def test_served_frames_are_answered_in_order() -> None:
    answers = talk(
        (b"F", join_batch([b"x"], 1)),
        pattern_frame("("),
        (b"F", join_batch([b"x"], 1)),
        pattern_frame("X"),
        (b"F", join_batch([b"a\nx\n"], 5)),
        pattern_frame("\ud800"),
    )

    assert answers[0] == {"error": "no pattern was given"}
    assert answers[1] == {"error": "Unbalanced parenthesis"}
    assert answers[2] == {"error": "no pattern was given"}
    assert answers[3] == {}
    assert answers[4] == {"rows": [[0, 2, "x"]]}
    assert "surrogates" in str(answers[5]["error"])
