"""An app whose terminal can be lent without there being one.

Owns the double for tests of everything that opens an editor: a headless driver cannot be
suspended, so the app only notes that it was.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from caramelo_tui.ui.app import CarameloApp


class LendingApp(CarameloApp):
    """Counts how often the terminal was lent and given back."""

    lent = 0
    returned = 0

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Note both ends; like Textual's, it does not come back from an error."""
        self.lent += 1
        yield
        self.returned += 1


def editor_script(folder: Path, body: str) -> str:
    """Return a command for ``EDITOR``: a Python program that finds the file in ``path``."""
    script = folder / "my editor.py"
    script.write_text(
        f"import pathlib, sys\npath = pathlib.Path(sys.argv[-1])\n{body}\n", encoding="utf-8"
    )
    return f"'{sys.executable}' '{script}'"
