"""Find paths among all of a workspace.

Owns which paths a filter leaves, with the folded forms that it compares; it may be asked beside
the event loop. Pure. Proven by tests/unit/ui/test_tree_rows.py.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """What a filter leaves."""

    words: str
    """The filter, folded."""
    paths: Sequence[str]
    """What was searched."""
    chosen: Sequence[int]
    """Indices of what matches, in order."""


class SearchedPaths:
    """Paths to be searched again and again."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Take the paths; they are folded when they are first searched."""
        self._paths = paths
        self._folded: Sequence[str] | None = None

    def __len__(self) -> int:
        """Count the paths."""
        return len(self._paths)

    def find(self, words: str) -> FoundPaths:
        """Return the paths that hold every word of a folded filter."""
        if self._folded is None:
            self._folded = tuple(path.rstrip("/").casefold() for path in self._paths)
        folded = self._folded
        chosen: Sequence[int] = range(len(folded))
        for word in words.split():
            chosen = [at for at in chosen if word in folded[at]]
        return FoundPaths(words, self._paths, chosen)


def without(paths: Iterable[str], ignored: Collection[str]) -> Iterator[str]:
    """Yield the paths that are not ignored and in no ignored folder.

    Args:
        paths: Folders end in ``/`` and stand before what is in them.
        ignored: Paths without a final ``/``; a folder stands for what is in it.
    """
    below = "/"
    for path in paths:
        if path.startswith(below):
            continue
        own = path.rstrip("/")
        if own in ignored:
            below = f"{own}/"
            continue
        yield path
