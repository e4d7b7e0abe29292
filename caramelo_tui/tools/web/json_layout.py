"""Lay JSON out in lines without changing a value.

Owns the indentation: only blanks between tokens are changed, so numbers keep their digits,
texts their escapes, and repeated keys stay. It works from the start and stops at a limit, so
the size of the whole does not matter. Pure. Proven by tests/unit/tools/web/test_json_layout.py
and tests/property/test_web_json.py.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""[ \t\r\n]*+
    ( [{}\[\],:]
    | "(?:[^"\\\x00-\x1f]|\\.)*+"
    | -?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?
    | true | false | null )""",
    re.VERBOSE,
)
_INDENT = "  "
_CLOSING = {"{": "}", "[": "]"}
_CLOSERS = frozenset(_CLOSING.values())
_BLANKS = " \t\r\n"


def laid_out(text: str, *, limit_characters: int) -> tuple[str, bool] | None:
    """Return the start of a JSON text in lines, and whether that is all; ``None``: not JSON.

    Args:
        text: JSON, or the start of one that was cut: what is whole of it is laid out.
        limit_characters: The result is at most a few tokens longer.
    """
    pieces: list[str] = []
    length = 0
    scan = _Layout(text)
    for piece in scan.pieces():
        pieces.append(piece)
        length += len(piece)
        if length > limit_characters:
            return "".join(pieces), False
    return None if scan.is_wrong or not pieces else ("".join(pieces), True)


class _Layout:
    """Walks over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.is_wrong = False

    def pieces(self) -> Iterator[str]:
        """Yield the tokens with the blanks that stand before them; stop where it is wrong."""
        closers: list[str] = []
        before = ""
        position = 0
        while (match := _TOKEN.match(self._text, position)) is not None:
            mark = match[1]
            if not _may_follow(before, mark) or (mark in _CLOSERS and closers[-1:] != [mark]):
                self.is_wrong = True
                return
            position = match.end()
            if mark in _CLOSERS:
                closers.pop()
                yield mark if before in _CLOSING else f"\n{_INDENT * len(closers)}{mark}"
            else:
                yield _blank_before(before, len(closers)) + mark
                if mark in _CLOSING:
                    closers.append(_CLOSING[mark])
            before = mark
        self.is_wrong = bool(self._text[position:].strip(_BLANKS))


def _may_follow(before: str, mark: str) -> bool:
    """Return whether two tokens may stand side by side; else blanks between them would count."""
    is_after_value = before not in {"", ",", ":", *_CLOSING}
    if mark in {",", ":"}:
        return is_after_value
    if mark in _CLOSERS:
        return is_after_value or before in _CLOSING
    return not is_after_value


def _blank_before(before: str, depth: int) -> str:
    if before == ":":
        return " "
    return f"\n{_INDENT * depth}" if before in _CLOSING or before == "," else ""
