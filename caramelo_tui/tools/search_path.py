"""Choose where programs of the user's are looked for.

Owns which folders of ``PATH`` count: a program that a workspace brings along is not the user's.
Proven by tests/unit/tools/test_search_path.py.
"""

import errno
import os
import shutil
from pathlib import Path


def safe_search_path(path: str, *, outside: Path | None = None) -> str:
    """Return those folders of a search path that count, in their order, joined again.

    Relative ones do not: they mean "in the folder where the child starts", which is the workspace.

    Args:
        path: The user's ``PATH``.
        outside: Resolved folder; what lies in it does not count either. ``None``: no such folder.
    """
    return os.pathsep.join(
        folder
        for folder in path.split(os.pathsep)
        if os.path.isabs(folder)  # noqa: PTH117 - a text of the environment, maybe not a path
        and (outside is None or not Path(folder).resolve().is_relative_to(outside))
    )


def located(program: str, path: str) -> str:
    """Return where a program lies: one without a slash is looked for in the folders that count.

    Args:
        program: As it would be started.
        path: The ``PATH`` that its child gets.

    Raises:
        FileNotFoundError: If it is in none of them.
    """
    if os.sep in program:
        return program
    found = shutil.which(program, path=safe_search_path(path))
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return found
