"""Tell whether the program text of ``sed``, ``awk`` or a database shell acts on the system.

Owns how such texts run commands or write files. Every look is linear in the length of the text.
Pure. Proven by tests/unit/policy/test_filter_scripts.py.
"""

import re

_ADDRESS = frozenset("0123456789$~+,! \t")
_TO_LINE_END = frozenset("aicrRqQlLbtT:#vF")
_ALONE = frozenset("=dDgGhHnNpPxz{}")
_ACTING = frozenset("ewW")
_AWK_CALLS = re.compile(r"\bsystem[ \t]*\(|\bgetline\b|@\w")
_AWK_STATEMENT_END = re.compile(r"[;}\n]")
_AWK_OUTPUT = re.compile(r">|(?<!\|)\|(?!\|)")
_SQL_ACTS = re.compile(
    r"^[ \t]*(?:\.(?:shell|system|load|import|output|once|excel|edit)|\\[!ogw|])",
    re.IGNORECASE | re.MULTILINE,
)


def sed_acts(script: str) -> bool:
    """Whether a sed script runs a command or writes a file; also when it cannot be read."""
    return _SedReader(script).acts()


def awk_acts(program: str) -> bool:
    """Whether an awk program runs a command, reads from one, or writes a file."""
    if _AWK_CALLS.search(program):
        return True
    for statement in _AWK_STATEMENT_END.split(program):
        _, printed, rest = statement.partition("print")
        if printed and _AWK_OUTPUT.search(rest):
            return True
    return False


def sql_acts(text: str) -> bool:
    """Whether the text for a database shell runs a program or touches files."""
    words = text.casefold()
    return _SQL_ACTS.search(text) is not None or ("copy" in words and "program" in words)


class _SedReader:
    """One pass over a script."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._at = 0

    def acts(self) -> bool:
        while self._at < len(self._script):
            self._skip_address()
            command = self._take()
            if command in {"s", "y"}:
                if self._substitution_acts(is_plain=command == "y"):
                    return True
            elif command in _TO_LINE_END:
                self._skip_line(is_text=command in "aic")
            elif command not in _ALONE and command not in {"", ";", "\n"}:
                # ``e`` and ``w`` act, and what is not known may.
                return True
        return False

    def _take(self) -> str:
        char = self._script[self._at : self._at + 1]
        self._at += 1
        return char

    def _skip_address(self) -> None:
        while self._at < len(self._script):
            char = self._script[self._at]
            if char in _ADDRESS:
                self._at += 1
            elif char in "/\\":
                self._at += 1
                self._skip_to(self._take() if char == "\\" else "/")
                while self._script[self._at : self._at + 1] in {"I", "M"}:
                    self._at += 1
            else:
                return

    def _skip_to(self, delimiter: str) -> None:
        while self._at < len(self._script):
            char = self._take()
            if char == "\\":
                self._at += 1
            elif char == delimiter:
                return

    def _substitution_acts(self, *, is_plain: bool) -> bool:
        delimiter = self._take()
        self._skip_to(delimiter)
        self._skip_to(delimiter)
        while not is_plain and self._at < len(self._script):
            flag = self._script[self._at]
            if flag in "ew":
                return True
            if not (flag.isalnum() or flag in " \t"):
                break
            self._at += 1
        return False

    def _skip_line(self, *, is_text: bool) -> None:
        while self._at < len(self._script):
            char = self._take()
            if char == "\\" and is_text:
                self._at += 1
            elif char == "\n" or (char == ";" and not is_text):
                return
