"""Turn frozen values into JSON and back, by explicit shapes.

Owns the small set of combinators that the event codec is written in. A shape names every
field of its value; one that forgets a field cannot be built. Knows no event. Proven by
tests/unit/sessions/test_json_shapes.py.
"""

import base64
import binascii
import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from caramelo_tui.domain.tool_calls import JsonValue

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
S = TypeVar("S", bound=str)

_MOST = 2**63 - 1
"""Largest whole number: what is larger was not counted by anybody, and cannot be counted with."""
_LAST_MOMENT = 253_402_214_400.0
"""The last day of the year 9999 in seconds since the Unix epoch; no calendar goes further."""


class ShapeError(ValueError):
    """Stored JSON that does not have the shape of its value."""


class UnexpectedValue(ShapeError):
    """A JSON value of another type than the shape wants."""

    def __init__(self, wanted: str, value: JsonValue) -> None:
        found = "nothing" if value is None else type(value).__name__
        super().__init__(f"expected {wanted}, found {found}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Generic[T]):
    """How one kind of value looks in JSON."""

    encode: Callable[[T], JsonValue]
    decode: Callable[[JsonValue], T]
    """Raises ``ShapeError`` for JSON of another shape."""


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise UnexpectedValue("a text", value)
    return value


def _flag(value: JsonValue) -> bool:
    if not isinstance(value, bool):
        raise UnexpectedValue("true or false", value)
    return value


def _whole(value: JsonValue) -> int:
    if type(value) is not int:  # A truth value is an ``int`` too, and no number.
        raise UnexpectedValue("a whole number", value)
    if not -_MOST <= value <= _MOST:
        raise ShapeError("the number is too large")
    return value


def _count(value: JsonValue) -> int:
    count = _whole(value)
    if count < 0:
        raise ShapeError("the number is below 0")
    return count


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise UnexpectedValue("a number", value)
    try:
        number = float(value)
    except OverflowError as error:
        raise ShapeError("the number is too large") from error
    # JSON has no NaN and no infinity: neither they nor a sum that runs over could be written.
    if not abs(number) <= _MOST:
        raise ShapeError("the number is none that can be counted with")
    return number


def _moment(value: JsonValue) -> float:
    at = _number(value)
    if not 0 <= at <= _LAST_MOMENT:
        raise ShapeError("the number is no time")
    return at


TEXT: Shape[str] = Shape(encode=str, decode=_text)
FLAG: Shape[bool] = Shape(encode=bool, decode=_flag)
WHOLE: Shape[int] = Shape(encode=int, decode=_whole)
COUNT: Shape[int] = Shape(encode=int, decode=_count)
"""A whole number, 0 or more."""
NUMBER: Shape[float] = Shape(encode=float, decode=_number)
MOMENT: Shape[float] = Shape(encode=float, decode=_moment)
"""Seconds since the Unix epoch, as a calendar can show them."""


def name_of(kind: Callable[[str], S]) -> Shape[S]:
    """Return the shape of a text with a type of its own, such as an id."""
    return Shape(encode=str, decode=lambda value: kind(_text(value)))


def word_of(kind: type[E]) -> Shape[E]:
    """Return the shape of an enumeration, stored by its value."""

    def decode(value: JsonValue) -> E:
        try:
            return kind(_text(value))
        except ValueError as error:
            raise ShapeError(str(error)) from error

    return Shape(encode=lambda word: word.value, decode=decode)


def optional(shape: Shape[T]) -> Shape[T | None]:
    """Return the shape of a value that may be missing, stored as ``null``."""
    write, read = shape.encode, shape.decode
    return Shape(
        encode=lambda value: None if value is None else write(value),
        decode=lambda value: None if value is None else read(value),
    )


def sequence(shape: Shape[T]) -> Shape[tuple[T, ...]]:
    """Return the shape of a tuple, stored as a list."""

    def decode(value: JsonValue) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise UnexpectedValue("a list", value)
        return tuple(map(shape.decode, value))

    return Shape(encode=lambda values: list(map(shape.encode, values)), decode=decode)


def _encode_bytes(value: bytes) -> JsonValue:
    """Keep readable what can be read; anything else is base64."""
    try:
        return {"text": value.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


def _decode_bytes(value: JsonValue) -> bytes:
    fields = as_object(value)
    try:
        if "text" in fields:
            return _text(fields["text"]).encode("utf-8")
        return base64.b64decode(_text(fields.get("base64")), validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise ShapeError(str(error)) from error


BYTES: Shape[bytes] = Shape(encode=_encode_bytes, decode=_decode_bytes)


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    """Return ``value`` as the object it is.

    Raises:
        UnexpectedValue: If it is none.
    """
    if not isinstance(value, dict):
        raise UnexpectedValue("an object", value)
    return value


def object_of(line: bytes) -> dict[str, JsonValue]:
    """Return the object that a line of JSON is.

    Raises:
        ShapeError: If it is none, or nested deeper than can be read.
    """
    try:
        return as_object(json.loads(line))
    except ShapeError:
        raise
    except (ValueError, RecursionError) as error:
        raise ShapeError(str(error)) from error


def record(kind: type[T], /, **fields: Shape[Any]) -> Shape[T]:
    """Return the shape of a frozen dataclass, stored as an object.

    When it is read, a missing field takes the dataclass's default, so that older files stay
    readable; a field that the dataclass does not have is passed over.

    Raises:
        TypeError: If ``fields`` are not exactly those of the dataclass.
    """
    defaults = _defaults_of(kind)
    if defaults.keys() != fields.keys():
        msg = f"{kind.__name__} has the fields {sorted(defaults)}, not {sorted(fields)}"
        raise TypeError(msg)

    # A long session is ten thousands of records: what is the same for all is looked up once.
    decoders = tuple((name, shape.decode) for name, shape in fields.items())
    encoders = tuple((name, shape.encode) for name, shape in fields.items())

    def encode(value: T) -> JsonValue:
        return {name: write(getattr(value, name)) for name, write in encoders}

    def decode(value: JsonValue) -> T:
        stored = as_object(value)
        found = {name: read(stored[name]) for name, read in decoders if name in stored}
        if len(found) < len(decoders):
            missing = [name for name in fields if name not in found and not defaults[name]]
            if missing:
                msg = f"{kind.__name__} lacks {', '.join(missing)}"
                raise ShapeError(msg)
        return kind(**found)

    return Shape(encode=encode, decode=decode)


def _defaults_of(kind: type[Any]) -> dict[str, bool]:
    """Return for each field of a dataclass whether it has a default."""
    unset = dataclasses.MISSING
    return {
        field.name: field.default is not unset or field.default_factory is not unset
        for field in dataclasses.fields(kind)
    }


def one_of(**kinds: tuple[type[Any], Shape[Any]]) -> Shape[Any]:
    """Return the shape of a closed union: the object of the member plus its ``kind``.

    Args:
        kinds: For each value of ``kind`` the class and the shape of its record.
    """
    by_class = {kind: (word, shape) for word, (kind, shape) in kinds.items()}

    def encode(value: object) -> JsonValue:
        word, shape = by_class[type(value)]
        return {"kind": word, **as_object(shape.encode(value))}

    def decode(value: JsonValue) -> object:
        word = as_object(value).get("kind")
        if not isinstance(word, str) or word not in kinds:
            msg = f"unknown kind {word!r}"
            raise ShapeError(msg)
        return kinds[word][1].decode(value)

    return Shape(encode=encode, decode=decode)
