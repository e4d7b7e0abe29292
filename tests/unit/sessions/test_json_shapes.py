"""Shapes: every field named, defaults for old files, clear refusals."""

from dataclasses import dataclass, field
from enum import StrEnum

import pytest

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.json_shapes import (
    BYTES,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Shape,
    ShapeError,
    as_object,
    one_of,
    optional,
    record,
    sequence,
    word_of,
)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    x: int
    label: str = "none"
    tags: tuple[str, ...] = field(default_factory=tuple)


POINT = record(Point, x=WHOLE, label=TEXT, tags=sequence(TEXT))


def test_a_record_survives() -> None:
    point = Point(x=3, label="a", tags=("b", "c"))
    assert POINT.encode(point) == {"x": 3, "label": "a", "tags": ["b", "c"]}
    assert POINT.decode(POINT.encode(point)) == point


def test_older_and_newer_records_are_read() -> None:
    assert POINT.decode({"x": 1, "from_the_future": True}) == Point(x=1)
    with pytest.raises(ShapeError, match="Point lacks x"):
        POINT.decode({"label": "a"})


def test_a_shape_that_forgets_or_invents_a_field_cannot_be_built() -> None:
    with pytest.raises(TypeError, match="has the fields"):
        record(Point, x=WHOLE)
    with pytest.raises(TypeError, match="has the fields"):
        record(Point, x=WHOLE, label=TEXT, tags=sequence(TEXT), y=WHOLE)


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (TEXT, 1),
        (FLAG, 1),
        (WHOLE, True),
        (WHOLE, 1.5),
        (NUMBER, True),
        (NUMBER, "1"),
        (sequence(TEXT), "abc"),
        (sequence(TEXT), [1]),
        (word_of(Colour), "blue"),
        (POINT, [1]),
        (BYTES, {"base64": "?"}),
        (BYTES, {"text": "\udc80"}),
        (BYTES, {}),
        (TEXT, None),
        (one_of(point=(Point, POINT)), {"kind": "line"}),
        (one_of(point=(Point, POINT)), {"kind": ["point"]}),
    ],
)
def test_other_json_is_refused(shape: Shape[object], value: JsonValue) -> None:
    with pytest.raises(ShapeError):
        shape.decode(value)


@pytest.mark.parametrize("data", [b"", b"plain", b"\xff\x00", "é\r\n".encode(), b"\xed\xb2\x80"])
def test_bytes_survive_whatever_they_are(data: bytes) -> None:
    assert BYTES.decode(BYTES.encode(data)) == data


def test_readable_bytes_stay_readable() -> None:
    assert BYTES.encode(b"text") == {"text": "text"}
    assert "base64" in as_object(BYTES.encode(b"\xff"))


def test_missing_values_words_and_unions_survive() -> None:
    maybe = optional(word_of(Colour))
    assert (maybe.encode(None), maybe.decode(None)) == (None, None)
    assert maybe.decode(maybe.encode(Colour.RED)) is Colour.RED
    shapes = one_of(point=(Point, POINT))
    assert shapes.decode(shapes.encode(Point(x=1))) == Point(x=1)
    assert NUMBER.decode(3) == 3.0
