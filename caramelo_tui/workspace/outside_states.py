"""Prove that what an answer needs beside the watched folders is as it was.

Owns the state of a path that no event tells of: a file outside the workspace, the target of a
link, a file that somebody can write by another name. Proven by
tests/unit/workspace/test_outside_states.py.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from caramelo_tui.domain.files import FileStamp
from caramelo_tui.workspace.stamps import is_settled, stamp_of

MOST_STATES = 200
"""States that one answer may depend on. A look at each costs some microseconds, so that far above
it running would be quicker than proving."""


class Unprovable(Exception):
    """What an answer depends on cannot be told, or not be looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideState:
    """What an absolute path led to."""

    path: str
    leads_to: str | None
    """Of a link, the path with all links resolved; ``None`` where only the content counts."""
    kind: int
    """Type bits of the mode; 0 where nothing is."""
    stamp: FileStamp | None
    """Of a regular file; a folder stands for itself, whatever is in it."""
    identity: tuple[int, int]
    """Device and inode."""


def state_of(path: str, *, is_link: bool = False) -> OutsideState:
    """Return what an absolute path leads to now; never raises.

    What cannot be looked at counts as nothing, as it does for the programs that read it.

    Args:
        path: Absolute.
        is_link: Whether it counts by which way the path leads there.
    """
    leads_to = os.path.realpath(path) if is_link else None
    try:
        status = os.stat(path)  # noqa: PTH116 - a text, and quicker
    except OSError:
        return OutsideState(path=path, leads_to=leads_to, kind=0, stamp=None, identity=(0, 0))
    return OutsideState(
        path=path,
        leads_to=leads_to,
        kind=stat.S_IFMT(status.st_mode),
        stamp=stamp_of(status) if stat.S_ISREG(status.st_mode) else None,
        identity=(status.st_dev, status.st_ino),
    )


def states_of(
    paths: Iterable[str], *, links: Iterable[str], now_ns: int
) -> tuple[OutsideState, ...]:
    """Return the states of absolute paths, so that a later look can prove them.

    Args:
        paths: Files of which the content counts.
        links: Links of which also counts where they lead.
        now_ns: Nanoseconds since the epoch, from before the call.

    Raises:
        Unprovable: If there are too many, or one changed so lately that its stamp proves nothing.
    """
    wanted = [(path, False) for path in dict.fromkeys(paths)] + [(path, True) for path in links]
    if len(wanted) > MOST_STATES:
        msg = f"{len(wanted)} states"
        raise Unprovable(msg)
    states = tuple(state_of(path, is_link=is_link) for path, is_link in wanted)
    for state in states:
        if state.stamp is not None and not is_settled(state.stamp, now_ns):
            raise Unprovable(state.path)
    return states


def are_as_they_were(states: Iterable[OutsideState]) -> bool:
    """Whether each path still leads to the same thing in the same state."""
    return all(_is_as_it_was(state) for state in states)


def _is_as_it_was(state: OutsideState) -> bool:
    if state.leads_to is None and not state.kind:
        # Most are missing files, and this look is several times quicker than a failing one.
        return not os.access(state.path, os.F_OK)
    return state_of(state.path, is_link=state.leads_to is not None) == state
