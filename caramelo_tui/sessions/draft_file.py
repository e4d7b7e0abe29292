"""Keep what stands in the prompt unsent, so that a crash does not cost it.

Owns the files of drafts of one workspace: one for each running program, private to the user, held
by a lock that ends with the program. What an ended program left is taken by the next one. Knows
no prompt. Proven by tests/unit/sessions/test_draft_file.py.
"""

import contextlib
import fcntl
import logging
import os
import uuid
from pathlib import Path

from caramelo_tui.workspace.private_files import make_private_folder, open_private, write_private

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of the largest draft that is kept."""
MOST_LEFT = 50
"""Drafts of ended programs that are looked at in one start."""

_log = logging.getLogger(__name__)


class DraftFile:
    """The draft of this program in one workspace."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is made before ``load`` or ``save``."""
        self._folder = folder
        self._name = uuid.uuid4().hex
        self._lock: int | None = None

    def load(self) -> str:
        """Return the newest draft that an ended program left, and remove all of them.

        Empty when there is none. Never raises.
        """
        try:
            left = sorted(self._folder.glob("*.lock"), key=_age, reverse=True)[:MOST_LEFT]
            texts = [text for path in left if (text := self._take(path))]
        except OSError as error:
            _log.warning("drafts were not read: %s", error)
            return ""
        return texts[0] if texts else ""

    def save(self, text: str) -> None:
        """Keep a draft instead of the one before; blank: none. Blocks.

        Raises:
            OSError: If it cannot be written; the one before stays.
        """
        data = text.encode("utf-8", "replace")
        if not text.strip() or len(data) > MOST_BYTES:
            self._text_path.unlink(missing_ok=True)
            return
        self._hold()
        write_private(self._text_path, data)

    def close(self) -> None:
        """Let the draft go to the next program; idempotent."""
        if self._lock is None:
            return
        if not self._text_path.exists():
            self._lock_path.unlink(missing_ok=True)
        os.close(self._lock)
        self._lock = None

    @property
    def _text_path(self) -> Path:
        return self._folder / f"{self._name}.txt"

    @property
    def _lock_path(self) -> Path:
        return self._folder / f"{self._name}.lock"

    def _hold(self) -> None:
        """Take this program's lock, once."""
        if self._lock is None:
            make_private_folder(self._folder)
            self._lock = open_private(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _take(self, lock_path: Path) -> str:
        """Return the draft behind a lock that nobody holds, and remove it; else empty."""
        try:
            descriptor = open_private(lock_path, os.O_RDWR | os.O_NOFOLLOW)
        except OSError as error:
            _log.warning("a draft was passed over: %s", error)
            return ""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            # Its program runs.
            return ""
        else:
            text_path = lock_path.with_suffix(".txt")
            text = _read(text_path)
            text_path.unlink(missing_ok=True)
            lock_path.unlink(missing_ok=True)
            return text
        finally:
            os.close(descriptor)


def _read(path: Path) -> str:
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(MOST_BYTES).decode("utf-8", "replace")
    return ""


def _age(path: Path) -> float:
    """Return when its draft was last written; a lock without one is old."""
    try:
        return path.with_suffix(".txt").stat().st_mtime
    except FileNotFoundError:
        return 0.0
