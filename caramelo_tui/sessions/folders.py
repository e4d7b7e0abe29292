"""Name the folders that belong to a workspace's sessions, and remove what is not kept.

Owns the name of a workspace among the program's own folders and the end of kept outputs.
Proven by tests/unit/sessions/test_folders.py.
"""

import hashlib
import logging
import os
import shutil
from pathlib import Path

_log = logging.getLogger(__name__)


def workspace_folder(parent: Path, workspace: Path) -> Path:
    """Return the folder of one workspace below ``parent``, named by a hash as session files are.

    Args:
        parent: A folder of the program's own.
        workspace: Resolved root.
    """
    return parent / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]


def remove_outputs(folder: Path) -> None:
    """Remove the folder of a session's outputs, and its parent when nothing else is there. Blocks.

    Does nothing when there is none; never raises.
    """
    try:
        shutil.rmtree(folder)
        folder.parent.rmdir()
    except FileNotFoundError:
        # No command had an output.
        return
    except OSError as error:
        # Another session of the workspace has files beside it, or the disk fails.
        _log.debug("outputs were not removed whole: %s", error)
