"""Find the line on which each value of a TOML text stands.

Owns the positions that ``tomllib`` does not give. It reads only texts that ``tomllib`` has
accepted, so it checks nothing and knows no values. Proven by
tests/unit/config/test_toml_lines.py and tests/property/test_toml_lines.py.
"""

import bisect
import re
import tomllib
from typing import TypeAlias

TomlPath: TypeAlias = tuple[str | int, ...]
"""Names from the outermost table inwards; a whole number, from 0, counts an array's elements."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    # A text of three quotes may end in one or two quotes of its own.
    re.compile(r'"""(?:[^\\]|\\.)*?""""{0,2}', re.DOTALL),
    re.compile(r"'''.*?''''{0,2}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


def lines_of(text: str) -> dict[TomlPath, int]:
    """Return the line, from 1, of every table, key and array element.

    A key stands where its name begins, an element where its value begins. Elements of an array
    of tables (``[[name]]``) are not told apart: their keys stand below the array's own path.

    Args:
        text: A TOML document that ``tomllib.loads`` accepts.

    Raises:
        RecursionError: If arrays or tables are nested too deep to be read at all.
    """
    return _Scanner(text).scan()


class _Scanner:
    """One walk over a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self._lines: dict[TomlPath, int] = {}

    def scan(self) -> dict[TomlPath, int]:
        table: TomlPath = ()
        while self._skip(_BLANK) < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
        return self._lines

    def _header(self) -> TomlPath:
        line = self._line()
        brackets = 2 if self._text.startswith("[[", self._at) else 1
        self._at += brackets
        table = self._key(())
        self._at += brackets
        self._note(table, line)
        return table

    def _pair(self, table: TomlPath) -> None:
        self._skip(_BLANK)
        line = self._line()
        path = self._key(table)
        self._note(path, line)
        self._at += len("=")
        self._value(path)

    def _key(self, table: TomlPath) -> TomlPath:
        # A dotted key is one step per part, such as ``a . "b.c"``.
        path = table
        while True:
            self._skip(_SPACES)
            path = (*path, self._key_part())
            self._skip(_SPACES)
            if not self._text.startswith(".", self._at):
                return path
            self._at += len(".")

    def _key_part(self) -> str:
        start = self._at
        if self._text[start] not in "\"'":
            return self._text[start : self._skip(_BARE_KEY)]
        quoted = self._text[start : self._skip_string()]
        return next(iter(tomllib.loads(f"{quoted} = 0")))

    def _value(self, path: TomlPath) -> None:
        self._skip(_BLANK)
        sign = self._text[self._at : self._at + 1]
        if sign == "[":
            self._array(path)
        elif sign == "{":
            self._inline_table(path)
        elif sign in {'"', "'"}:
            self._skip_string()
        else:
            self._skip(_SCALAR)

    def _array(self, path: TomlPath) -> None:
        self._at += len("[")
        index = 0
        while not self._is_at_end("]"):
            element = (*path, index)
            self._note(element, self._line())
            self._value(element)
            index += 1

    def _inline_table(self, path: TomlPath) -> None:
        self._at += len("{")
        while not self._is_at_end("}"):
            self._pair(path)

    def _is_at_end(self, bracket: str) -> bool:
        # Steps over the comma behind an element, and over the closing bracket.
        self._skip(_BLANK)
        if self._text.startswith(",", self._at):
            self._at += len(",")
            self._skip(_BLANK)
        is_end = self._text.startswith(bracket, self._at)
        self._at += len(bracket) if is_end else 0
        return is_end

    def _skip(self, what: re.Pattern[str]) -> int:
        match = what.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at

    def _skip_string(self) -> int:
        ends = [match.end() for form in _STRINGS if (match := form.match(self._text, self._at))]
        self._at = ends[0]
        return self._at

    def _line(self) -> int:
        return bisect.bisect_left(self._line_ends, self._at) + 1

    def _note(self, path: TomlPath, line: int) -> None:
        # Tables on the way are noted where they are first named; what is known is known with all
        # above it, so deep nesting costs no more than its own depth.
        for depth in range(len(path) - 1, 0, -1):
            if path[:depth] in self._lines:
                break
            self._lines[path[:depth]] = line
        self._lines[path] = line
