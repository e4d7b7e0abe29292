"""Tell whether the wall clock can be believed before something is removed for its age.

Owns a file that remembers when was last looked: a clock that has gone back, or far ahead, since
then is believed only once it has stayed so for a day. Removes nothing. Proven by
tests/unit/workspace/test_believed_time.py.
"""

import json
import logging
from pathlib import Path

from caramelo_tui.workspace.private_files import write_private

NAME = "last-look.json"
"""File in the folder that is tidied."""
DAY_S = 86_400.0
LONGEST_PAUSE_S = 7 * DAY_S
"""A longer time between two looks may be a clock that jumped."""
_MOST_BYTES = 1024

_log = logging.getLogger(__name__)


def is_believed(folder: Path, now: float) -> bool:
    """Note that ``now`` is looked, and return whether ages may be counted from it. Blocks.

    The first look ever is not believed either: nothing is known of the clock. Who looks seldom is
    believed at every second look, since a clock that went ahead twice is right.

    Args:
        folder: Where the file lies; need not exist.
        now: Seconds since the Unix epoch.
    """
    last, doubted_since = _read(folder / NAME)
    pause = None if last is None else now - last
    is_steady = pause is not None and 0 <= pause <= LONGEST_PAUSE_S
    is_ahead_again = pause is not None and pause > LONGEST_PAUSE_S and doubted_since is not None
    if is_steady and (doubted_since is None or now - doubted_since >= DAY_S):
        return _noted(folder, now, None, is_answer=True)
    if is_ahead_again:
        return _noted(folder, now, None, is_answer=True)
    return _noted(folder, now, doubted_since if is_steady else now, is_answer=False)


def _noted(folder: Path, now: float, doubted_since: float | None, *, is_answer: bool) -> bool:
    """Keep the look and return the answer; where it cannot be kept, nothing is believed."""
    if not folder.is_dir():
        return False
    data = json.dumps({"at": now, "doubted_since": doubted_since})
    try:
        write_private(folder / NAME, data.encode("ascii"), is_synced=False)
    except OSError as error:
        _log.debug("the look at the clock is not kept: %s", error)
        return False
    return is_answer


def _read(path: Path) -> tuple[float | None, float | None]:
    try:
        with path.open("rb") as file:
            table: object = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None, None
    if not isinstance(table, dict):
        return None, None
    fields: dict[object, object] = {**table}
    return _moment(fields.get("at")), _moment(fields.get("doubted_since"))


def _moment(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
