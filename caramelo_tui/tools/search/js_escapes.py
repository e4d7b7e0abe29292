"""Read the escapes of a JavaScript regular expression.

Owns what stands behind a backslash, in a class and outside, with the readings that annex B.1.2 of
ECMAScript 2025 keeps for old sources. Proven by tests/unit/tools/search/test_js_parser.py.
"""

import re
from collections.abc import Mapping

from caramelo_tui.tools.search.code_units import BLANKS, DIGITS, WORD_UNITS, UnitSet


class NotUnderstood(Exception):
    """The source is not valid, or holds what the parser does not know."""


CLASS_SETS: Mapping[str, UnitSet] = {
    "d": DIGITS,
    "D": DIGITS.complement(),
    "s": BLANKS,
    "S": BLANKS.complement(),
    "w": WORD_UNITS,
    "W": WORD_UNITS.complement(),
}
"""What stands for a whole class."""
_CONTROLS: Mapping[str, int] = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_REFERENCE = re.compile(r"\\([1-9][0-9]*)")
_BACKSLASH, _BACKSPACE = ord("\\"), 0x08
_CONTROL_BITS = 0x1F
_LONGEST_NUMBER = 6


class EscapeReader:
    """Escapes of one source."""

    def __init__(self, text: str, *, captures: int, has_names: bool) -> None:
        r"""Take the source.

        Args:
            text: The source, one character per code unit.
            captures: How many of its groups capture.
            has_names: Whether one of them has a name: then ``\k`` is no plain letter.
        """
        self._text = text
        self._captures = captures
        self._has_names = has_names

    def reference_at(self, at: int) -> int | None:
        """Return the number of the back-reference at ``at``, or ``None`` if it is none."""
        found = _REFERENCE.match(self._text, at)
        if found is None or len(found[1]) > _LONGEST_NUMBER or int(found[1]) > self._captures:
            return None
        return int(found[1])

    def unit_at(self, at: int, *, in_set: bool) -> tuple[int, int]:
        """Return the code unit that the escape at ``at`` stands for, and where it ends.

        Raises:
            NotUnderstood: If the source ends here, or a name is meant.
        """
        sign = self._text[at + 1 : at + 2]
        if not sign or (sign == "k" and self._has_names):
            raise NotUnderstood("incomplete escape")
        if sign in _CONTROLS:
            return _CONTROLS[sign], at + 2
        if sign == "b" and in_set:
            return _BACKSPACE, at + 2
        if sign == "c":
            return self._control_at(at, in_set=in_set)
        found = _HEX.match(self._text, at + 1)
        if found is not None:
            return int(found[1] or found[2], 16), found.end()
        found = _OCTAL.match(self._text, at + 1)
        if found is not None:
            return int(found[0], 8), found.end()
        return ord(sign), at + 2

    def _control_at(self, at: int, *, in_set: bool) -> tuple[int, int]:
        letter = self._text[at + 2 : at + 3]
        if letter.isascii() and (
            letter.isalpha() or (in_set and (letter.isdigit() or letter == "_"))
        ):
            return ord(letter) & _CONTROL_BITS, at + 3
        # Then the backslash is one, and the ``c`` a plain letter that follows.
        return _BACKSLASH, at + 1
