"""The worker's own work, without a process."""

import io
import json
import signal

import pytest
import regress

from caramelo_tui.tools.search import regex_worker
from caramelo_tui.tools.search.regex_worker import (
    LineSearch,
    join_batch,
    search_batch,
    serve,
    split_batch,
)


def numbers(pattern: str, data: bytes, flags: str = "i") -> list[int]:
    return list(LineSearch(regress, pattern, flags).matching(data))


def test_lines_are_tested_without_their_ends() -> None:
    assert numbers("end$", b"the end\nend of it\nend\n") == [1, 3]
    assert numbers("one\\ntwo", b"one\ntwo\n") == []
    assert numbers("^$", b"\n\nx\n") == [1, 2]
    assert numbers("^$", b"") == []


def test_only_line_feeds_end_lines() -> None:
    assert numbers("f$", "a\x0bb\x0cc\x85d\u2028e\rf\n".encode()) == [1]


def test_whole_text_is_asked_first_only_when_that_is_allowed() -> None:
    # Across the line end it would be found; in no line it is.
    assert numbers("a\\sb", b"a\nb\n") == []
    assert list(LineSearch(regress, "^b", "", asks_whole=True).matching(b"a\nb\n")) == [2]
    assert list(LineSearch(regress, "c", "", asks_whole=True).matching(b"a\nb\n")) == []


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
    assert len(numbers(pattern, f"{text}\n".encode())) == wanted


def test_batch_survives_its_frame() -> None:
    files = [b"a\n", b"", b"\x00\xff" * 10]

    assert split_batch(join_batch(files, 7)) == (7, files)
    assert split_batch(join_batch([], 1)) == (1, [])


def test_batch_stops_at_the_wanted_places() -> None:
    search = LineSearch(regress, "x", "")

    assert search_batch(search, [b"x\ny\nx\n", b"x\n"], 2) == [[0, 1], [0, 3]]
    assert search_batch(search, [b"y\n", b"x\n"], 2) == [[1, 1]]


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
    return b"P", json.dumps([pattern, "i", False]).encode()


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
    assert answers[4] == {"places": [[0, 2]]}
    assert "surrogates" in str(answers[5]["error"])
