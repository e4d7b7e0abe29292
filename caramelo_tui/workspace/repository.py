"""Find the repository that a folder lies in, without running anything.

Owns the look for a ``.git`` entry in the folders above; reads none of it. Proven by
tests/unit/workspace/test_repository.py.
"""

from pathlib import Path


def repository_around(root: Path) -> Path | None:
    """Return the root of the repository that ``root`` is a sub-folder of.

    Args:
        root: Resolved folder.

    Returns:
        ``None`` when ``root`` lies in no repository or is the root of one. Folders that cannot
        be looked into count as none.
    """
    for folder in (root, *root.parents):
        try:
            has_entry = (folder / ".git").exists()
        except OSError:
            has_entry = False
        if has_entry:
            return None if folder == root else folder
    return None
