"""Play a case as a user with no special rights, also where the tests run as root.

Owns the change of the effective user and the folder that such a user can reach.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = 0
NOBODY = 65_534
"""The user id that systems keep for nobody."""


def can_be_ordinary() -> bool:
    """Return whether this process has no special rights, or can do without them for a while."""
    if os.geteuid() != ROOT:
        return True
    try:
        os.seteuid(NOBODY)
    except OSError:
        return False
    os.seteuid(ROOT)
    return True


@contextmanager
def reachable_folder(default: Path) -> Iterator[Path]:
    """Give a folder that an ordinary user can reach: pytest's own are closed to others."""
    if os.geteuid() != ROOT:
        yield default
        return
    with tempfile.TemporaryDirectory(prefix="case-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def ordinary_user(base: Path) -> Iterator[None]:
    """Be an ordinary user for the time of the block, who owns all that is below ``base``."""
    if os.geteuid() != ROOT:
        yield
        return
    for path in (base, *base.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(ROOT)
