"""Say what a kept first picture is: its file's name, its form, and when it still holds.

Owns the text that a start writes and a later one reads (``start_frame`` draws it). What is read
is not believed: a row may hold text and colours only. Must load nothing of the program and little
of Python: the first picture waits for it. Proven by tests/unit/ui/test_start_picture.py.
"""

import os
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from caramelo_tui import __version__

FIRST_LINE = "caramelo frame 1"
"""Says that a file is a picture of this form."""
MAX_BYTES = 262_144
"""A longer picture is none of ours."""

_ESCAPE = "\x1b["
_HEAD_WORDS = 5
_OWN_VARIABLES = ("CARAMELO_", "XDG_")
_LOOKS = ("HOME", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM", "LANG", "LC_ALL")
_KEY_ENDS = ("_KEY", "_TOKEN", "_URL")


class Field(NamedTuple):
    """Where the prompt's text stands: row and column from 1, and its cells."""

    row: int
    column: int
    width: int
    colours: str
    """Numbers of the sequence that sets them, such as ``38;5;7``."""


class Picture(NamedTuple):
    """A first screen."""

    columns: int
    field: Field
    rows: Sequence[str]
    """Each with its colours; nothing but text and colours."""


def picture_path(words: Sequence[str], variables: Mapping[str, str]) -> str:
    """Return where the picture of a start with these words is kept; empty: nowhere.

    The name is made from all that decides how the start goes and looks. Of keys and addresses
    only which there are: their values are nobody's business, and a wrong guess costs nothing.
    """
    own, home = variables.get("CARAMELO_HOME", ""), variables.get("HOME", "")
    state = variables.get("XDG_STATE_HOME", "")
    if not own:
        state = state if state.startswith("/") else f"{home}/.local/state" if home else ""
        own = f"{state}/caramelo" if state else ""
    if not own.startswith("/"):
        return ""
    try:
        parts = [__version__, os.getcwd(), *words]  # noqa: PTH109 - pathlib is not loaded for this
    except OSError:
        return ""
    for name, value in sorted(variables.items()):
        if name in _LOOKS or name.startswith(_OWN_VARIABLES):
            parts.append(f"{name}={value}")
        elif name.endswith(_KEY_ENDS):
            parts.append(name)
    data = "\0".join(parts).encode("utf-8", "surrogateescape")
    return f"{own}/frames/{zlib.crc32(data):08x}{zlib.adler32(data):08x}{len(data):x}"


def stamp(path: str) -> str:
    """Return a line that changes with a file or folder."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded for this
    except OSError:
        return f"- {path}"
    return f"{found.st_mtime_ns}-{found.st_size}-{found.st_ino} {path}"


def written(picture: Picture, depends_on: Sequence[str]) -> str:
    """Return a picture as it is kept."""
    field = picture.field
    head = [
        FIRST_LINE,
        f"{picture.columns} {field.row} {field.column} {field.width} {field.colours}",
        *(stamp(path) for path in depends_on),
    ]
    return "\n".join([*head, "", *picture.rows])


def read(text: str) -> Picture | None:
    """Return the picture in a text, unless it is another thing or does not hold any more."""
    head, _, body = text.partition("\n\n")
    first, *lines = head.split("\n")
    rows = body.split("\n")
    if first != FIRST_LINE or not lines or not all(map(_is_plain, rows)):
        return None
    if any(line != stamp(line.partition(" ")[2]) for line in lines[1:]):
        return None
    words = lines[0].split(" ")
    if len(words) != _HEAD_WORDS or not all(word.isdecimal() for word in words[:-1]):
        return None
    columns, row, column, width = map(int, words[:-1])
    if not _is_colours(words[-1]):
        return None
    return Picture(columns, Field(row, column, width, words[-1]), rows)


def _is_plain(row: str) -> bool:
    """Whether a row holds nothing but text and colours; what is kept on disk is not believed."""
    first, *pieces = row.split(_ESCAPE)
    return first.isprintable() and all(map(_starts_with_colours, pieces))


def _starts_with_colours(piece: str) -> bool:
    codes, mark, text = piece.partition("m")
    return bool(mark) and text.isprintable() and _is_colours(codes)


def _is_colours(codes: str) -> bool:
    return all(sign in "0123456789;" for sign in codes)
