"""Hand a text to a program in a private file.

Owns the file of a commit message or a pull request's body: other users of the machine see the
arguments of programs, but not this file. Proven by tests/unit/tools/git/test_private_text.py.
"""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from caramelo_tui.workspace.private_files import open_private


@contextmanager
def private_text(text: str) -> Generator[str]:
    """Give the path of a file with the text, UTF-8, that is gone after the block.

    Raises:
        OSError: If it cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="caramelo-git-") as folder:
        path = Path(folder, "text")
        # Not synced to the disk: it is read at once and gone then, and the loop is waiting.
        with os.fdopen(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(text.encode())
        yield os.fspath(path)
