"""Keep the first picture of starts with the same words.

Owns the file, private to the user, and how many there are; what stands in it is the screen's.
Proven by tests/unit/sessions/test_frame_file.py.
"""

import logging
from collections.abc import Sequence
from pathlib import Path

from caramelo_tui.workspace.private_files import write_private

MOST_FILES = 32
"""Kept in one folder; the oldest go."""

_log = logging.getLogger(__name__)


class FrameFile:
    """The picture of one command line in one folder."""

    def __init__(self, path: Path, *, depends_on: Sequence[Path]) -> None:
        """Take where the picture is kept, and what it was made from."""
        self._path = path
        self.depends_on = tuple(depends_on)
        """Files and folders whose change makes the picture another one."""

    def save(self, text: str) -> None:
        """Keep a picture instead of the one before. Blocks.

        Raises:
            OSError: If it cannot be written; the file before stays.
        """
        write_private(self._path, text.encode())
        _keep_newest(self._path.parent)


def _keep_newest(folder: Path) -> None:
    try:
        files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in files[MOST_FILES:]:
            path.unlink()
    except OSError as error:
        # Another program removes the same; a few files more harm nobody.
        _log.debug("old first pictures were not removed: %s", error)
