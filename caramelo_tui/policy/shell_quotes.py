"""Find where quotes and substitutions end, and decode what stands in them.

Owns the nesting of quotes, ``$(…)``, ``${…}`` and backquotes, and the escapes of ``$'…'``. Pure;
never raises: what does not end, ends with the text. Proven by
tests/unit/policy/test_shell_quotes.py and tests/unit/policy/test_shell_words.py.
"""

import re

UNKNOWN = "\0"
"""Stands for text that only the shell can know; a command holds no NUL."""
MAX_QUOTE_DEPTH = 40
"""Quotes within substitutions within quotes that are matched."""

_ANSI = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_ANSI_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
}
_CLOSERS = {"(": ")", "{": "}"}


def substitutions_in(text: str) -> list[str]:
    """Return the commands in ``$(…)`` and backquotes of a text in which quotes mean nothing."""
    found: list[str] = []
    i = 0
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == "`":
            end = closing_quote(text, i + 1, "`")
            found.append(re.sub(r"\\([$`\\])", r"\1", text[i + 1 : end]))
            i = end
        elif text.startswith("$(", i) and not text.startswith("$((", i):
            end = closing(text, i + 2, ")")
            found.append(text[i + 2 : end])
            i = end
        i += 1
    return found


def decode_ansi(text: str) -> str:
    """Return ``text`` with the escapes of ``$'…'`` decoded."""
    return _ANSI.sub(_ansi_character, text) if "\\" in text else text


def _ansi_character(match: re.Match[str]) -> str:
    hexadecimal = match.group(1) or match.group(2) or match.group(3)
    if hexadecimal or match.group(4):
        number = int(hexadecimal, 16) if hexadecimal else int(match.group(4), 8)
        return chr(number) if number < 0x110000 else UNKNOWN  # noqa: PLR2004 - Unicode's end
    if match.group(5):
        return chr(ord(match.group(5).upper()) & 0x1F)
    return _ANSI_LETTERS.get(match.group(6), match.group(6))


def closing(source: str, start: int, closer: str, depth: int = 0) -> int:
    """Return where a ``$(`` or ``${`` that was opened before ``start`` ends."""
    opener = "(" if closer == ")" else "{"
    opened, i = 1, start
    while i < len(source):
        char = source[i]
        if char == "\\":
            i += 1
        elif char == "'":
            end = source.find("'", i + 1)
            i = len(source) if end < 0 else end
        elif char == '"':
            i = _closing_double(source, i + 1, depth)
        elif char == opener:
            opened += 1
        elif char == closer:
            opened -= 1
            if opened == 0:
                return i
        i += 1
    return len(source)


def _closing_double(source: str, start: int, depth: int) -> int:
    i = start
    while i < len(source) and source[i] != '"':
        if source[i] == "\\":
            i += 1
        elif source[i] == "$" and source[i + 1 : i + 2] in _CLOSERS and depth < MAX_QUOTE_DEPTH:
            i = closing(source, i + 2, _CLOSERS[source[i + 1]], depth + 1)
        i += 1
    return i


def closing_quote(source: str, start: int, quote: str) -> int:
    """Return where a single quote or backquote that was opened before ``start`` ends."""
    i = start
    while i < len(source) and source[i] != quote:
        i += 2 if source[i] == "\\" else 1
    return i
