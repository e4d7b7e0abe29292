"""Write and sync, each step told to Python's audit hooks first.

Owns the two steps of the file layer that Python itself does not audit, a write and a sync; opening,
renaming, linking, removing and making folders it audits already. So whoever watches the program,
or tests that nothing is lost when one of these fails or never ends, sees every step and needs no
place of its own in the code. Proven by tests/unit/workspace/test_disk_steps.py and tests/crash/.
"""

import os
import sys

WRITE_STEP = "caramelo.write"
"""Audit event before bytes are written; its arguments are the descriptor and the bytes."""
SYNC_STEP = "caramelo.sync"
"""Audit event before a file or folder is forced to the disk; its argument is the descriptor."""
_CHUNK_BYTES = 1_048_576


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` at the descriptor's place, in as many pieces as the system wants.

    Raises:
        OSError: If it cannot be written; a part of it may be.
    """
    sys.audit(WRITE_STEP, descriptor, data)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest[:_CHUNK_BYTES]) :]


def sync(descriptor: int) -> None:
    """Force an open file or folder to the disk.

    Raises:
        OSError: If the disk refuses, or the file system cannot sync such a thing.
    """
    sys.audit(SYNC_STEP, descriptor)
    os.fsync(descriptor)
