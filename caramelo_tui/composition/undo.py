"""Wire undo and redo.

Owns where a session's checkpoints lie, and what its undo is built from. Proven by
tests/unit/composition/test_undo.py and tests/e2e/test_undo.py.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING

from caramelo_tui.agent.command_captures import CommandCaptures
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo import Undo, UndoRoom
from caramelo_tui.agent.undo_news import UndoNews
from caramelo_tui.domain.agent_events import AgentEvent, RunStarted
from caramelo_tui.domain.ids import Clock, SessionId, SystemClock
from caramelo_tui.sessions.folders import workspace_folder
from caramelo_tui.sessions.opening import OpenedSession
from caramelo_tui.workspace.believed_time import is_believed
from caramelo_tui.workspace.checkpoint_cleanup import KeepRule, clean_up
from caramelo_tui.workspace.checkpoints import TreePictures
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import BLOBS_NAME, Journal
from caramelo_tui.workspace.journal_forks import take_along
from caramelo_tui.workspace.sandbox import Sandbox

if TYPE_CHECKING:
    from caramelo_tui.composition.core import Core, CoreOptions

_TIDY_AFTER_S = 20.0
"""Seconds after the start: the first screen and the first prompt come before."""


def session_journal(
    checkpoints: Path,
    root: Path,
    session_id: SessionId,
    clock: Clock,
    *,
    opened: OpenedSession | None = None,
) -> Journal:
    """Open the journal of a session, new or taken up again; contents are the workspace's.

    Args:
        checkpoints: The program's folder of checkpoints.
        root: Resolved root of the workspace.
        session_id: Whose journal it is.
        clock: Gives the time of entries.
        opened: The session, where it is taken up again; a fork takes its changes along.
    """
    folder = workspace_folder(checkpoints, root)
    forked_from = None if opened is None else opened.header.forked_from
    # A stored name is read from a file: it must not lead anywhere else.
    if opened is not None and forked_from and Path(forked_from).name == forked_from:
        began = (e.head.run_id for e in opened.events if isinstance(e, RunStarted))
        runs = {run_id for run_id in began if run_id is not None}
        take_along(folder / forked_from, folder / session_id, runs=runs)
    return Journal(folder / session_id, clock, blobs=folder / BLOBS_NAME)


def command_captures(
    sandbox: Sandbox, files: FileStore, journal: Journal, events: EventStream
) -> CommandCaptures:
    """Return who keeps what the commands of a session change."""
    return CommandCaptures(TreePictures(sandbox, files, journal), journal, events)


def checkpoint_chore(
    options: "CoreOptions", core: "Core"
) -> Callable[[], Coroutine[object, object, None]]:
    """Return the work that removes old checkpoints, some time after the start."""
    rule = KeepRule(
        days=options.settings.checkpoint_days,
        size_bytes=options.settings.checkpoint_mb * 1_048_576,
    )

    async def tidy() -> None:
        await asyncio.sleep(_TIDY_AFTER_S)
        await asyncio.to_thread(tidy_up, options.locations.checkpoints, rule, core.journal.folder)

    return tidy


def tidy_up(
    checkpoints: Path, rule: KeepRule, current: Path, *, clock: Clock | None = None
) -> None:
    """Remove checkpoints that are too old or too many, unless the clock may have jumped. Blocks.

    Args:
        checkpoints: The program's folder of checkpoints; need not exist.
        rule: How much is kept.
        current: Folder of the session that runs, which is spared.
        clock: Tells the age; ``None``: the system's.
    """
    now = (clock or SystemClock()).now()
    if is_believed(checkpoints, now):
        clean_up(checkpoints, rule, now=now, current=current)


def session_undo(core: "Core") -> Undo:
    """Return the undo of a session."""
    return Undo(
        UndoRoom(
            journal=core.journal,
            files=core.files,
            events=core.events,
            cache=core.cache,
            remember=core.outside.remember,
            ids=core.ids,
            earlier=_earlier(core),
        )
    )


def news_of(core: "Core", skills: Callable[[], tuple[str, ...]]) -> Callable[[], tuple[str, ...]]:
    """Return what the model is told of skills and of undos, each once."""
    undos = UndoNews(core.events, _earlier(core))
    return lambda: (*skills(), *undos.take())


def _earlier(core: "Core") -> tuple[AgentEvent, ...]:
    """Return what happened before the session was taken up; no event reader gets it again."""
    return () if core.opened is None else core.opened.events
