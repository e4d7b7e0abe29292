"""Keep the heights of a view's blocks, known or estimated.

Owns the sums behind the scroll bar and the way from a row to a block. Pure. Proven by
tests/unit/ui/test_heights.py.
"""

from bisect import bisect_right
from itertools import accumulate
from typing import Protocol


class Heights(Protocol):
    """Heights in lines, by block index from 0."""

    @property
    def total(self) -> int:
        """Lines of all blocks."""
        ...

    def __len__(self) -> int:
        """Return the number of blocks."""
        ...

    def put(self, index: int, height: int) -> None:
        """Correct an estimate."""
        ...

    def before(self, index: int) -> int:
        """Return the lines of all blocks before ``index``."""
        ...

    def find(self, row: int) -> tuple[int, int]:
        """Return the block at ``row`` and the line in it; clamped to what is there."""
        ...

    def scale(self, factor: float) -> None:
        """Scale all heights after a change of width."""
        ...


class MeasuredHeights:
    """Heights that start as estimates and are corrected once a block was seen."""

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._total = 0

    @property
    def total(self) -> int:
        """Lines of all blocks."""
        return self._total

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        """Return one height."""
        return self._heights[index]

    def append(self, height: int) -> None:
        """Add a block at the end."""
        self._heights.append(height)
        self._total += height

    def extend(self, heights: list[int]) -> None:
        """Add blocks at the end."""
        self._heights.extend(heights)
        self._total += sum(heights)

    def truncate(self, count: int) -> None:
        """Keep the first ``count`` blocks."""
        self._total -= sum(self._heights[count:])
        del self._heights[count:]

    def put(self, index: int, height: int) -> None:
        """Correct an estimate."""
        self._total += height - self._heights[index]
        self._heights[index] = height

    def before(self, index: int) -> int:
        """Return the lines of all blocks before ``index``; a C-speed sum needs no tree."""
        return sum(self._heights[:index])

    def find(self, row: int) -> tuple[int, int]:
        """Return the block at ``row`` and the line in it; clamped to what is there."""
        if not self._heights:
            return 0, 0
        sums = list(accumulate(self._heights))
        row = min(max(row, 0), max(self._total - 1, 0))
        index = min(bisect_right(sums, row), len(sums) - 1)
        return index, row - (sums[index] - self._heights[index])

    def scale(self, factor: float) -> None:
        """Scale all heights after a change of width; an empty block stays empty."""
        self._heights = [
            max(1, round(height * factor)) if height else 0 for height in self._heights
        ]
        self._total = sum(self._heights)


class UniformHeights:
    """Blocks of one line each: outputs and diffs that do not wrap."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    @property
    def total(self) -> int:
        """Lines of all blocks."""
        return self.count

    def __len__(self) -> int:
        """Return the number of blocks."""
        return self.count

    def put(self, index: int, height: int) -> None:
        """Do nothing: every block is one line."""

    def before(self, index: int) -> int:
        """Return the lines of all blocks before ``index``."""
        return min(index, self.count)

    def find(self, row: int) -> tuple[int, int]:
        """Return the block at ``row``; clamped to what is there."""
        return min(max(row, 0), max(self.count - 1, 0)), 0

    def scale(self, factor: float) -> None:
        """Do nothing: width does not change the height."""
