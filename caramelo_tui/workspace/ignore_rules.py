"""Name the folders and files that searches, the tree's watcher and globs leave out.

Owns the one list of skipped folder names and the form of our own temporary file names. It
never reads ``.gitignore`` and touches no disk. Proven by
tests/unit/workspace/test_ignore_rules.py.
"""

import re
import secrets

SKIPPED_FOLDERS: frozenset[str] = frozenset(
    {
        ".cache",
        ".git",
        ".gradle",
        ".idea",
        ".mypy_cache",
        ".next",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "build",
        "coverage",
        "dist",
        "node_modules",
        "out",
        "target",
        "venv",
    }
)
"""Folder names that searches do not enter and the watcher does not report from, at any depth."""

_LONGEST_KEPT_NAME_BYTES = 180
"""So that the temporary name stays below the 255 bytes that file systems allow."""
_TEMPORARY_NAME = re.compile(r"\..+\.caramelo-[0-9a-f]{8}", re.DOTALL)


def temporary_name(name: str) -> str:
    """Return a fresh name, in the same folder, for the file that will replace ``name``.

    Args:
        name: File name without a folder; may hold surrogate escapes.

    Returns:
        A hidden name of at most 255 bytes that ``is_temporary`` recognises.
    """
    is_long = len(name.encode("utf-8", "surrogateescape")) > _LONGEST_KEPT_NAME_BYTES
    kept = "long-name" if is_long else name
    return f".{kept}.caramelo-{secrets.token_hex(4)}"


def is_temporary(name: str) -> bool:
    """Whether ``name`` (without a folder) is the temporary file of one of our own writes."""
    return _TEMPORARY_NAME.fullmatch(name) is not None


def is_hidden_from_watch(path: str) -> bool:
    """Whether a workspace-relative path lies in a skipped folder or is our own temporary file.

    The last part is not compared with the skipped names: a file may be called ``build``.
    """
    *folders, name = path.split("/")
    return is_temporary(name) or not SKIPPED_FOLDERS.isdisjoint(folders)
