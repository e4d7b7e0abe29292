"""Keep what commands change, the model's and the user's own, so that it can be undone like a write.

Owns when the tree is looked at: before a command and after it, however it ended. What a write of
the model's explains meanwhile is not a command's. Where the tree is above the limits it is given up
for the session and said once; a command never fails for it.
Proven by tests/unit/agent/test_command_captures.py.
"""

import asyncio
from typing import Protocol

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.workspace.checkpoints import (
    FILE_LIMIT_BYTES,
    CommandChange,
    TreePictures,
    TreeTooLarge,
)
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.journal import Journal, JournalDamaged
from caramelo_tui.workspace.journal_entries import EntryKind, RecordedChange

_MAX_NAMED = 3
_NEVER = ""
"""Stands for a file that was not written; no hash is empty."""


class Captures(Protocol):
    """Who keeps what commands change."""

    async def begin(self) -> None:
        """Look at the tree before a command."""
        ...

    async def end(self, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None) -> None:
        """Record what it changed, to the end; a cancellation meanwhile is raised afterwards."""
        ...


class NoCaptures:
    """For calls by hand, and for sessions without checkpoints."""

    async def begin(self) -> None:
        """Look at nothing."""

    async def end(self, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None) -> None:
        """Record nothing."""


NO_CAPTURES = NoCaptures()
"""Keeps nothing; it has no state."""


class CommandCaptures:
    """The changes of a session's commands.

    Of commands that run at the same time the one that ends first gets what has changed by then.
    """

    def __init__(self, pictures: TreePictures, journal: Journal, events: EventStream) -> None:
        """Wire it; nothing is looked at before the first command."""
        self._pictures = pictures
        self._journal = journal
        self._events = events
        self._is_on = True
        self._has_told_large = False
        self._looking = asyncio.Lock()
        self._running = 0
        self._explained = 0
        """Entries of the journal that the picture shows already."""

    async def begin(self) -> None:
        """Look at the tree before a command; the first time reads every file, later times few.

        While another command runs its picture stands: what it did until now is still to be told.

        Raises:
            asyncio.CancelledError: If the command is given up meanwhile.
        """
        async with self._looking:
            self._running += 1
            if not self._is_on or self._running > 1:
                return
            try:
                await asyncio.to_thread(self._take)
            except (TreeTooLarge, OSError) as problem:
                self._give_up(problem)
            except asyncio.CancelledError:
                # The command does not begin, and `end` will not be called for it.
                self._running -= 1
                raise

    async def end(self, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None) -> None:
        """Record what a command changed.

        Raises:
            asyncio.CancelledError: If the run was interrupted meanwhile, once all is recorded.
        """
        self._running -= 1
        if not self._is_on:
            return
        work = asyncio.create_task(
            self._look_and_record(call_id, turn_id, run_id), name="command capture"
        )
        is_interrupted = False
        while not work.done():
            try:
                await asyncio.wait({work})
            except asyncio.CancelledError:
                is_interrupted = True
        try:
            self._tell_left_out(work.result())
        except (TreeTooLarge, JournalDamaged, OSError) as problem:
            self._give_up(problem)
        if is_interrupted:
            raise asyncio.CancelledError

    async def _look_and_record(
        self, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None
    ) -> tuple[str, ...]:
        async with self._looking:
            return await asyncio.to_thread(self._record, call_id, turn_id, run_id)

    def _take(self) -> None:
        # Counted first: a write meanwhile may be in the picture or not.
        self._explained = self._journal.count
        self._pictures.take()

    def _record(
        self, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None
    ) -> tuple[str, ...]:
        began, self._explained = self._explained, self._journal.count
        changes, left_out = self._pictures.changes()
        written = self._written_since(began)
        for change in changes:
            recorded = self._recorded(change, call_id, turn_id, run_id)
            if written.get(change.path, _NEVER) != _hash_of(recorded.after):
                self._journal.record_change(recorded)
        return left_out

    def _written_since(self, began: int) -> dict[str, str | None]:
        """Return by path what the journal knows that was written last since the picture."""
        return {
            entry.path: entry.after_hash
            for entry in self._journal.entries()
            if entry.number >= began
        }

    def _recorded(
        self, change: CommandChange, call_id: CallId, turn_id: TurnId | None, run_id: RunId | None
    ) -> RecordedChange:
        return RecordedChange(
            call_id=call_id,
            turn_id=turn_id,
            run_id=run_id,
            path=change.path,
            before=None if change.before is None else self._journal.blob(change.before),
            after=change.after,
            kind=EntryKind.COMMAND,
            mode=change.mode,
        )

    def _tell_left_out(self, paths: tuple[str, ...]) -> None:
        if not paths or self._has_told_large:
            return
        self._has_told_large = True
        named = ", ".join(visible(path, keeps_newlines=False) for path in paths[:_MAX_NAMED])
        more = f" and {len(paths) - _MAX_NAMED} more" if len(paths) > _MAX_NAMED else ""
        limit = FILE_LIMIT_BYTES // 1_048_576
        self._events.raise_notice(
            NoticeLevel.WARNING,
            f"What a command changed in files above {limit} MB cannot be undone: {named}{more}. "
            "This is said once.",
        )

    def _give_up(self, problem: Exception) -> None:
        self._is_on = False
        reason = reason_of(problem) if isinstance(problem, OSError) else str(problem)
        self._events.raise_notice(
            NoticeLevel.WARNING,
            "What commands change in this workspace cannot be undone in this session: "
            f"{visible(reason, keeps_newlines=False)}. Writes of files still can.",
        )


def _hash_of(data: bytes | None) -> str | None:
    return None if data is None else content_hash(data)
