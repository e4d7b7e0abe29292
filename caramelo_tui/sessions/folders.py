"""Name what belongs to a workspace among the program's own files, and remove what is not kept.

Owns the name of a workspace there, the paths made of it, and the end of kept outputs.
Proven by tests/unit/sessions/test_folders.py.
"""

import hashlib
import logging
import os
import shutil
from pathlib import Path

from caramelo_tui.domain.ids import SessionId

_log = logging.getLogger(__name__)


def workspace_folder(parent: Path, workspace: Path) -> Path:
    """Return the folder of one workspace below ``parent``, named by a hash of its path.

    Args:
        parent: A folder of the program's own.
        workspace: Resolved root.
    """
    return parent / _name_of(workspace)


def session_path(sessions_folder: Path, workspace: Path, session_id: SessionId) -> Path:
    """Return where a session of a workspace is kept; its sessions share one folder."""
    return workspace_folder(sessions_folder, workspace) / f"{session_id}.jsonl"


def outputs_folder(sessions_folder: Path, workspace: Path, session_id: SessionId) -> Path:
    """Return where the whole outputs of a session's commands are kept, beside its file."""
    return workspace_folder(sessions_folder, workspace) / f"{session_id}.output"


def history_path(history_folder: Path, workspace: Path) -> Path:
    """Return the file that keeps the prompts sent in a workspace."""
    return history_folder / f"{_name_of(workspace)}.jsonl"


def drafts_folder(history_folder: Path, workspace: Path) -> Path:
    """Return the folder that keeps what stands unsent in a workspace's prompts."""
    return history_folder / f"{_name_of(workspace)}.drafts"


def layout_path(layouts_folder: Path, workspace: Path) -> Path:
    """Return the file that keeps the sizes of the panes for a workspace."""
    return layouts_folder / f"{_name_of(workspace)}.json"


def _name_of(workspace: Path) -> str:
    return hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]


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
