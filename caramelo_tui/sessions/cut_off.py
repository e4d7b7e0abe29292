"""Say whether the last session of a workspace was cut off.

Owns the one line that offers to take it up. Proven by tests/unit/sessions/test_cut_off.py.
"""

import logging
from pathlib import Path

from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.sessions.catalogue import CUT_LINE, newest_session

_log = logging.getLogger(__name__)


def cut_off_notes(folder: Path) -> tuple[str, ...]:
    """Return a line for the user when the last session has a run without an end. Blocks.

    Never raises: a list of sessions that cannot be read is met again by who asks for it.

    Args:
        folder: Of the workspace's sessions.
    """
    try:
        last = newest_session(folder)
    except SessionTrouble as error:
        _log.debug("whether the last session was cut off is not known: %s", error)
        return ()
    # A line that the end of the program cut is no reason not to go on; others are.
    is_sound = last is not None and last.problem in {"", CUT_LINE}
    if last is None or not is_sound or last.is_open or not last.is_unended:
        return ()
    return ("The last session here was cut off in mid-run: /resume takes it up.",)
