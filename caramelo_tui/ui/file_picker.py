"""Find the paths that a few typed letters mean.

Owns the order in which paths are offered for a mention: names that begin with the letters first,
then names and paths that hold them, then those that hold them in order with gaps. Pure; made once
for a list of paths, in a thread where the list is long. Proven by
tests/unit/ui/test_file_picker.py.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import accumulate, islice

OFFERED = 50
"""Paths that are offered at once; more letters bring others."""
_RANKED = 2_000
"""Paths of a kind that are compared; of more, those that come first in the list."""
_RANGE = re.compile(r"(.*?)(:\d*(?:-\d*)?)?", re.DOTALL)


class FilePicker:
    """Paths to choose from."""

    def __init__(self, paths: Sequence[str], *, others: Sequence[str] = ()) -> None:
        """Take the paths; those that no line of a prompt can hold are left out.

        Args:
            paths: Workspace-relative; folders end in ``/``.
            others: Offered only for letters that mean none of ``paths``.
        """
        self._others = FilePicker(others) if others else None
        self._paths = [path for path in paths if path.isprintable()]
        lowered = [f"/{path.lower()}\n" for path in self._paths]
        self._text = "".join(lowered)
        self._ends = list(accumulate(map(len, lowered)))
        self._first = nsmallest(OFFERED, self._paths, key=lambda path: (path.count("/"), path))
        self._known = set(self._paths)

    def __contains__(self, path: str) -> bool:
        """Whether a path is one of them, letter by letter."""
        return path in self._known or (self._others is not None and path in self._others)

    def offer(self, letters: str) -> tuple[str, ...]:
        """Return the best paths for some letters, best first; case does not count."""
        if not letters:
            return tuple(self._first)
        wanted = letters.lower()
        found = dict.fromkeys(
            islice(self._lines_with(f"/{wanted}"), _RANKED),
        )
        found.update(dict.fromkeys(islice(self._lines_with(wanted), _RANKED)))
        if len(found) < OFFERED:
            found.update(dict.fromkeys(islice(self._lines_with_gaps(wanted), _RANKED)))
        best = nsmallest(OFFERED, (_rank(self._paths[line], wanted) for line in found))
        if not best and self._others is not None:
            return self._others.offer(letters)
        return tuple(path for *_, path in best)

    def _lines_with(self, text: str) -> Iterator[int]:
        """Yield the numbers of the paths that hold a text, in order."""
        at = self._text.find(text)
        while at >= 0:
            line = bisect_right(self._ends, at)
            yield line
            at = self._text.find(text, self._ends[line])

    def _lines_with_gaps(self, letters: str) -> Iterator[int]:
        """Yield the numbers of the paths that hold letters in this order, in order."""
        gaps = "".join(f"[^{re.escape(letter)}\n]*{re.escape(letter)}" for letter in letters)
        for match in re.finditer(f"^{gaps}", self._text, re.MULTILINE):
            yield bisect_right(self._ends, match.start())


def split_range(typed: str) -> tuple[str, str]:
    """Return path and line range of a mention that is being typed, such as ``:10-40``.

    Args:
        typed: What stands behind the ``@``.

    Returns:
        The path, and the range with its colon; empty where none was begun.
    """
    match = _RANGE.fullmatch(typed)
    return (match[1], match[2] or "") if match else (typed, "")


def mention_of(path: str, lines: str = "") -> str:
    """Return what is written into a prompt for a path, quoted where blanks would end it."""
    shown = f'"{path}"' if " " in path else path
    return f"@{shown}{lines}"


def _rank(path: str, letters: str) -> tuple[int, int, str]:
    lowered = path.lower()
    name = lowered.rstrip("/").rpartition("/")[2]
    if name.startswith(letters):
        kind = 0
    elif letters in name:
        kind = 1
    elif letters in lowered:
        kind = 2
    else:
        # Of letters with a slash, those behind it are meant for the name.
        own = letters.rpartition("/")[2]
        kind = 3 if name.startswith(own) else 4 if _holds_in_order(name, own) else 5
    return kind, len(path), path


def _holds_in_order(text: str, letters: str) -> bool:
    at = -1
    return all((at := text.find(letter, at + 1)) >= 0 for letter in letters)
