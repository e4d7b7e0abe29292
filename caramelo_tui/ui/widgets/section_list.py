"""Know which part of a diff stands in which row, and where the cursor can stop.

Owns the order of the sections, the numbers of their rows, and the way from hunk to hunk and from
file to file. Pure: it draws nothing. Proven by tests/unit/ui/test_section_list.py.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.diff_sections import Section
from caramelo_tui.ui.widgets.heights import MeasuredHeights
from caramelo_tui.ui.widgets.hunk_rows import DiffLook


class SectionList:
    """Sections from top to bottom; their rows are the blocks of a view."""

    def __init__(self) -> None:
        self.heights = MeasuredHeights()
        """Of all rows, by their number in the whole list."""
        self._sections: list[Section] = []
        self._starts: list[int] = []

    def __len__(self) -> int:
        """Return the number of sections."""
        return len(self._sections)

    def __getitem__(self, index: int) -> Section:
        """Return one section."""
        return self._sections[index]

    def __iter__(self) -> Iterator[Section]:
        """Yield all sections in order."""
        return iter(self._sections)

    def put(self, sections: Sequence[Section], look: DiffLook) -> None:
        """Take other sections."""
        self._sections = list(sections)
        self.count_rows(look)

    def count_rows(self, look: DiffLook) -> None:
        """Number the rows anew, because they are laid out otherwise."""
        heights = [section.estimates(look) for section in self._sections]
        self._starts = [0, *accumulate(len(rows) for rows in heights)][: len(heights)]
        self.heights.truncate(0)
        for rows in heights:
            self.heights.extend(rows)

    def is_counted(self, look: DiffLook) -> bool:
        """Return whether there are still as many rows as were counted."""
        return sum(len(s.estimates(look)) for s in self._sections) == len(self.heights)

    def at(self, row: int) -> tuple[int, int]:
        """Return the section of a row and the row within it."""
        index = max(bisect_right(self._starts, row) - 1, 0)
        return index, row - self._starts[index]

    def first_row(self, index: int) -> int:
        """Return the first row of a section."""
        return self._starts[index]

    def last_row(self, index: int) -> int:
        """Return the last row of a section."""
        following = self._starts[index + 1 : index + 2]
        return (following[0] if following else len(self.heights)) - 1

    def index_of(self, section: Section) -> int | None:
        """Return where a section stands."""
        return next((i for i, s in enumerate(self._sections) if s is section), None)

    def stop_index(self, stop: HunkId | None) -> int | None:
        """Return the section of a hunk."""
        if stop is None:
            return None
        return next((i for i, s in enumerate(self._sections) if s.stop == stop), None)

    def next_stop(self, index: int, step: int) -> int | None:
        """Return the next (+1) or previous (-1) section with a hunk."""
        index += step
        while 0 <= index < len(self._sections):
            if self._sections[index].stop is not None:
                return index
            index += step
        return None

    def next_file(self, index: int, step: int) -> int | None:
        """Return the first hunk of the next (+1) or previous (-1) file, or the last hunk there is.

        Args:
            index: Where the cursor stands; -1: nowhere.
            step: Which way.
        """
        here = self._sections[index].path if index >= 0 else ""
        while (found := self.next_stop(index, step)) is not None:
            index = found
            if self._sections[index].path != here:
                break
        if step < 0 and index >= 0:
            index = self._first_stop_of(index)
        return index if index >= 0 else None

    def place_of(self, top: tuple[int, int]) -> tuple[HunkId | None, int, int] | None:
        """Return the next hunk at or below a row, the rows from it, and the line in the row."""
        if not self._starts:
            return None
        row, line = top
        index, _ = self.at(row)
        # Sections above may come and go; a hunk stays itself.
        anchor = index if self._sections[index].stop is not None else self.next_stop(index, 1)
        if anchor is None:
            return None, row, line
        return self._sections[anchor].stop, row - self._starts[anchor], line

    def row_of(self, stop: HunkId | None, rows: int) -> int:
        """Return the row that ``place_of`` named, as near as there is one now."""
        index = self.stop_index(stop)
        row = rows if index is None else self._starts[index] + rows
        return min(max(row, 0), max(len(self.heights) - 1, 0))

    def _first_stop_of(self, index: int) -> int:
        while (before := self.next_stop(index, -1)) is not None:
            if self._sections[before].path != self._sections[index].path:
                break
            index = before
        return index
