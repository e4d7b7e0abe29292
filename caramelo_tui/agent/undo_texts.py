"""Say in words what an undo did, or why it did nothing.

Owns the sentences of undo and redo for the user, and the note for the model. Pure. Proven by
tests/unit/agent/test_undo.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.screen_text import visible

RUNNING = (
    "A run is under way and may write files: stop it with ctrl+c or wait for its end, then undo."
)
VOID = "That plan is not the newest one any more; nothing was written."
NO_HUNK = "This hunk is taken back already, or was not written by a call of this session."
NO_FILE = "No change of this file is left to take back."
NO_TURN = "There is no turn left of which a change could be taken back."
NO_RUN = "No change of a file is left to take back there."
NO_UNDO = "There is no undo that could be taken back."
ALREADY_SO = "The files are so already: there is nothing to write."
ALL_KEPT = "All files are kept as they are; nothing was written."
_MAX_NAMED = 50
"""Files named to the model; the rest is counted."""


def done(files: int, *, is_redo: bool, kept: int) -> str:
    """Return what was done to how many files."""
    what = "Put changes back" if is_redo else "Took changes back"
    text = f"{what} in {_counted(files)}."
    if kept:
        are = "is" if kept == 1 else "are"
        text += f" {_counted(kept)} {are} kept without a change."
    return text


def moved_on(path: str) -> str:
    """Return that a file was changed between the plan and its writing."""
    return f"{_shown(path)} was changed just now and is left alone; ask again."


def not_written(path: str, reason: str) -> str:
    """Return that a file could not be written."""
    return f"{_shown(path)} could not be written: {visible(reason, keeps_newlines=False)}"


def note_for_model(paths: Sequence[str], *, is_redo: bool) -> str:
    """Return what the model is told with its next request."""
    head = (
        "Note: the developer put changes of this session back that had been taken back. They are "
        "in these files again:"
        if is_redo
        else "Note: the developer took changes of this session back. They are no longer in these "
        "files; read a file again before you rely on it:"
    )
    rows = [f"- {_shown(path)}" for path in paths[:_MAX_NAMED]]
    if len(paths) > _MAX_NAMED:
        rows.append(f"- and {len(paths) - _MAX_NAMED} more")
    return "\n".join([head, *rows])


def _counted(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


def _shown(path: str) -> str:
    return visible(path, keeps_newlines=False)
