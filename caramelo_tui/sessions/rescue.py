"""Keep the end of a session whose own place takes nothing any more.

Owns where such an end goes: a private file in the folder for temporary files. Proven by
tests/unit/sessions/test_recorder.py and tests/faults/.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from caramelo_tui.sessions.store import SessionHeader
from caramelo_tui.workspace.private_files import open_private


def rescue_beside(
    path: Path, header: SessionHeader, *, folder: Path | None = None
) -> Callable[[Sequence[str]], Path]:
    """Return what keeps lines that ``path`` does not take.

    Args:
        path: The session file.
        header: Its first line, which is put in front where the file has none yet, so that the
            lines appended to it make a whole session.
        folder: Where they go; ``None``: the folder for temporary files.
    """

    def rescue(lines: Sequence[str]) -> Path:
        # Looked for only now: a start without trouble does not try folders out.
        where = folder or Path(tempfile.gettempdir())
        place = where / f"caramelo-{path.stem}-{os.getpid()}.jsonl"
        head = () if _has_content(path) else (header.line(),)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(open_private(place, flags), "wb") as file:
            try:
                file.writelines(f"{line}\n".encode("ascii") for line in (*head, *lines))
                file.flush()
            except BaseException:
                place.unlink(missing_ok=True)
                raise
        return place

    return rescue


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
