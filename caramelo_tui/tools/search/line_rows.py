"""Collect the rows of a search, batch by batch.

Owns the order of work: files are read while those before are tested, until there are rows enough.
Knows neither engines nor where files come from. Proven by
tests/unit/tools/search/test_line_rows.py.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from caramelo_tui.tools.search.file_source import SourceCounts, SourceFile
from caramelo_tui.tools.search.js_text import TextView, cut_row, lines_of
from caramelo_tui.tools.search.line_testers import LineTester
from caramelo_tui.tools.search.regex_process import Place

_BATCH_BYTES = 2_097_152
_BATCH_FILES = 512
"""What is handed over at once: enough to keep another process busy, and soon done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLine:
    """A line that matched."""

    path: str
    """Workspace-relative."""
    line: int
    """1-based."""
    text: str
    """Without the line end, cut with a mark when long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesFound:
    """The answer of a search."""

    rows: tuple[FoundLine, ...]
    """By path, then line."""
    has_more: bool
    """Whether further lines match beyond the cap."""
    files_searched: int
    left_out: SourceCounts
    """Files met and not searched. This and the count above are complete only when
    ``has_more`` is false and nothing timed out."""
    is_timed_out: bool = False
    """Whether the time limit ended the search; ``rows`` are those found until then."""


class LineRows:
    """The rows of one search under way."""

    def __init__(self, source: Generator[SourceFile], left_out: SourceCounts, most: int) -> None:
        """Take the files and what is wanted; reads nothing yet.

        Args:
            source: The files, in the order of the rows.
            left_out: What the source counts up.
            most: Rows that are wanted.
        """
        self._source = source
        self._left_out = left_out
        self._most = most
        self._batches = self._read_batches()
        self._next: list[SourceFile] | None = None
        self._rows: list[FoundLine] = []
        self._searched = 0

    def read_first(self) -> None:
        """Read the first files.

        Raises:
            ToolFailure: If nothing that can be read stands at the start.
            SearchTimedOut: If the time is up.
        """
        self._next = next(self._batches, None)

    def collect(self, tester: LineTester, view: TextView) -> None:
        """Search from the first files on, to the end or until there are rows enough.

        Raises:
            SearchTimedOut: If the time is up; the rows until then are kept.
        """
        while self._next and self._wanted > 0:
            batch = self._next
            texts = [view.of(file.data) for file in batch]
            with tester.testing(texts, self._wanted) as places:
                # The next files are read while the other process is busy with these.
                self._next = next(self._batches, None)
                self._add(batch, places())
            self._searched += len(batch)

    def _add(self, batch: Sequence[SourceFile], places: Sequence[Place]) -> None:
        for index, found in groupby(places, key=lambda place: place.index):
            file = batch[index]
            lines = lines_of(file.data)
            self._rows += [
                FoundLine(path=file.path, line=place.line, text=cut_row(lines[place.line - 1]))
                for place in found
            ]

    def close(self) -> None:
        """Let the folder go that the reading holds."""
        self._source.close()

    @property
    def _wanted(self) -> int:
        # One more than asked for tells whether the cap cut something.
        return self._most + 1 - len(self._rows)

    def _read_batches(self) -> Iterator[list[SourceFile]]:
        batch: list[SourceFile] = []
        size = 0
        for file in self._source:
            batch.append(file)
            size += len(file.data)
            if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def result(self, *, is_timed_out: bool = False) -> LinesFound:
        """Return what was found so far."""
        return LinesFound(
            rows=tuple(self._rows[: self._most]),
            has_more=len(self._rows) > self._most,
            files_searched=self._searched,
            left_out=self._left_out,
            is_timed_out=is_timed_out,
        )
