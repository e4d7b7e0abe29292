"""Wire the removal of what a killed program left.

Owns when it is done and what is said of it. Proven by tests/unit/composition/test_leftovers.py.
"""

import asyncio
from collections.abc import Callable, Coroutine

from caramelo_tui.composition.core import Core
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import Clock, SystemClock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.workspace.journal import JOURNAL_NAME
from caramelo_tui.workspace.leftovers import remove_leftovers, written_folders

AFTER_S = 1.0
"""Seconds after the start: the first screen comes before."""
_MOST_NAMED = 5
"""Files that the notice names."""


def leftovers_chore(
    core: Core, *, clock: Clock | None = None, after_s: float = AFTER_S
) -> Callable[[], Coroutine[object, object, None]]:
    """Return the work that removes temporary files beside the user's, and tells of them.

    Args:
        core: Its journal lies beside those of the workspace's other sessions.
        clock: Says how old a file is; ``None``: the system's.
        after_s: Seconds to wait before it is done.
    """

    def tidy() -> tuple[str, ...]:
        sessions = core.journal.folder.parent
        folders = written_folders(sessions.glob(f"*/{JOURNAL_NAME}"))
        return remove_leftovers(core.sandbox, folders, now=(clock or SystemClock()).now())

    async def tidy_and_tell() -> None:
        await asyncio.sleep(after_s)
        removed = await asyncio.to_thread(tidy)
        if removed:
            core.events.raise_notice(NoticeLevel.INFO, _told(removed))

    return tidy_and_tell


def _told(removed: tuple[str, ...]) -> str:
    named = ", ".join(visible(path, keeps_newlines=False) for path in removed[:_MOST_NAMED])
    more = f" and {len(removed) - _MOST_NAMED} more" if len(removed) > _MOST_NAMED else ""
    return (
        "Caramelo was ended in the middle of a write. The files are whole; what was left beside "
        f"them was removed: {named}{more}."
    )
