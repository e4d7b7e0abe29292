"""Read the lines of a session file, none of them longer than the memory.

Owns where a line ends and how long one may be. Proven by
tests/unit/sessions/test_hostile_files.py.
"""

from collections.abc import Iterator
from typing import BinaryIO

LONGEST_LINE = 512 * 1024 * 1024
"""Bytes of the longest line that is read: two contents of the largest file that is written, as
base64, with room to spare."""


def stored_lines(file: BinaryIO, *, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
    """Yield the lines with their ends; ``None`` for one that is longer. The last may lack its end.

    Args:
        file: Open for reading, at its begin.
        longest: Bytes of the longest line.
    """
    while line := file.readline(longest + 1):
        if len(line) <= longest:
            yield line
            continue
        while not line.endswith(b"\n") and (line := file.readline(longest)):
            # Passed over piece by piece.
            continue
        yield None
