"""Name the editor of the person, and hold the file that it edits.

Owns which variable names the editor, and that a text on its way there is private. Starts nothing.
Proven by tests/unit/agent/test_editor_command.py and tests/pilot/test_external_editor.py.
"""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

NO_EDITOR = "No editor is set: the variable VISUAL or EDITOR names one."
"""Said when neither variable has a value."""


def editor_command(environment: Mapping[str, str]) -> tuple[str, ...] | str:
    """Return the words of the editor's command, or why there is none.

    Args:
        environment: ``VISUAL`` wins over ``EDITOR``; a blank one counts as not set.
    """
    for name in ("VISUAL", "EDITOR"):
        value = environment.get(name, "").strip()
        if not value:
            continue
        try:
            return tuple(shlex.split(value))
        except ValueError as error:
            return f"{name} is no command: {error}."
    return NO_EDITOR


def write_private(path: Path, text: str) -> None:
    """Write a text to a new file that only the person can read.

    Raises:
        OSError: If it cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text.encode())


def read_back(path: Path) -> str:
    """Return what the editor left.

    Raises:
        OSError: If it cannot be read.
        UnicodeDecodeError: If it is not UTF-8.
    """
    return path.read_bytes().decode()
