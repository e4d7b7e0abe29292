"""Keep the events of a session on disk as they happen, whatever the disk does.

Owns when the session file is written, and what becomes of events while it cannot be: they wait,
are tried again with each event and every few seconds, and go into a file of their own when the
session ends before there is room. Never in the way of the run. Proven by
tests/unit/sessions/test_store.py, tests/unit/sessions/test_recorder.py and tests/faults/.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterable, Callable, Coroutine, Sequence
from pathlib import Path

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    RunEnded,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    ToolOutputStreamed,
)
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.sessions.codec import encode_line
from caramelo_tui.sessions.store import SessionFile

BATCH_S = 1 / 60
"""Streamed pieces that follow others at once wait so long for company; nothing else waits.

Half the time for which the screen gathers them: nothing is shown before it is kept."""
RETRY_S = 2.0
"""Pause before a write that failed is tried again though nothing new happened."""
MOST_AT_ONCE = 512
"""Events of one write: what is tried again and again on a full disk stays small."""

_log = logging.getLogger(__name__)

_PIECES = (TextStreamed, ThinkingStreamed, ToolCallStreamed, ToolOutputStreamed)

Rescue = Callable[[Sequence[str]], Path]
"""Writes lines to a place beside the session's, returns where they are; raises ``OSError``."""


class SessionRecorder:
    """Reader of the event stream that keeps every event on disk.

    What could not be written is kept and tried again, so that a disk that was full for a while
    leaves no gap.
    """

    def __init__(
        self,
        file: SessionFile,
        *,
        on_trouble: Callable[[str], None],
        batch_s: float = BATCH_S,
        retry_s: float = RETRY_S,
        saved_seq: int = 0,
        rescue: Rescue | None = None,
    ) -> None:
        """Create a recorder; nothing is opened before the first event.

        Args:
            file: Where to.
            on_trouble: Told, in a sentence for the user, once when the file cannot be written
                and once when it can again; called on the event loop.
            batch_s: Seconds that streamed pieces may wait for company.
            retry_s: Seconds until a write that failed is tried again by itself.
            saved_seq: Number of the last event that the file has already.
            rescue: Takes what could not be written up to the end; ``None``: nobody does.
        """
        self._file = file
        self.saved_seq = saved_seq
        """Number of the last event that is in the file."""
        self.unkept = ""
        """What the user must know after the end, in sentences; empty: all of it is kept."""
        self._on_trouble = on_trouble
        self._batch_s = batch_s
        self._retry_s = retry_s
        self._rescue = rescue
        self._unsaved: list[AgentEvent] = []
        self._trouble = ""
        self._has_told_sync = False
        self._is_ending = False
        self._is_keeping = False
        self._has_news = asyncio.Event()
        self._must_hurry = asyncio.Event()
        self._has_moved = asyncio.Event()
        self._next_at = 0.0
        """When streamed pieces are written again, on the loop's clock."""

    async def kept(self, seq: int) -> None:
        """Return once the event with this number is in the file, or nobody can put it there.

        So who shows events after this shows nothing that the end of the program could cost. A file
        that cannot be written holds nobody up, nor does a recorder that has not begun or has ended.
        """
        while self._is_keeping and not self._trouble and self.saved_seq < seq:
            await self._has_moved.wait()

    def record(self, events: AsyncIterable[AgentEvent]) -> Coroutine[object, object, None]:
        """Write events until they end; then sync and close the file.

        From this call on ``kept`` waits, before the coroutine has had its first turn.
        Cancelled, it first writes what it has taken.
        """
        self._is_keeping = True
        return self._record(events)

    async def _record(self, events: AsyncIterable[AgentEvent]) -> None:
        writer = asyncio.create_task(self._write_batches(), name="session writer")
        try:
            async for event in events:
                self._unsaved.append(event)
                self._has_news.set()
                if not isinstance(event, _PIECES):
                    self._must_hurry.set()
        finally:
            self._is_ending = True
            self._has_news.set()
            self._must_hurry.set()
            await asyncio.shield(writer)

    async def _write_batches(self) -> None:
        try:
            while not self._is_ending:
                await self._wait_for_news()
                await self._gather()
                self._has_news.clear()
                self._must_hurry.clear()
                await self._flush()
            await self._flush()
            if self._unsaved:
                self.unkept = await asyncio.to_thread(self._save_elsewhere)
        finally:
            self._is_keeping = False
            self._move()
            await asyncio.to_thread(self._file.close)

    async def _wait_for_news(self) -> None:
        """Wait for an event; while the disk refuses, not longer than until the next try."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._retry_s if self._trouble else None):
                await self._has_news.wait()

    async def _gather(self) -> None:
        """Let pieces that follow others wait for company; a first one goes at once."""
        now = asyncio.get_running_loop().time()
        if now < self._next_at:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._must_hurry.wait(), self._next_at - now)
        self._next_at = asyncio.get_running_loop().time() + self._batch_s

    def _move(self) -> None:
        """Let those look again who wait for an event to be kept."""
        self._has_moved.set()
        self._has_moved = asyncio.Event()

    async def _flush(self) -> None:
        while self._unsaved:
            batch = self._unsaved[:MOST_AT_ONCE]
            try:
                await asyncio.to_thread(self._save, batch)
            except OSError as error:
                self._begin_trouble(reason_of(error))
                return
            del self._unsaved[: len(batch)]
            self.saved_seq = batch[-1].head.seq
            self._move()
            if any(isinstance(event, RunEnded) for event in batch):
                await self._sync()
        self._end_trouble()

    async def _sync(self) -> None:
        try:
            await asyncio.to_thread(self._file.sync)
        except OSError as error:
            if self._has_told_sync:
                return
            self._has_told_sync = True
            self._on_trouble(
                f"The session file {self._file.path} cannot be forced to the disk: "
                f"{reason_of(error)}. A power cut may cost what happened last."
            )

    def _begin_trouble(self, reason: str) -> None:
        is_new = not self._trouble
        self._trouble = reason
        self._move()
        if is_new:
            self._on_trouble(
                f"The session file {self._file.path} cannot be written: {reason}. The run goes "
                "on; what happens now is kept in memory and written when there is room again."
            )

    def _end_trouble(self) -> None:
        if self._trouble:
            self._trouble = ""
            self._on_trouble("The session file can be written again; nothing is missing in it.")

    def _save(self, batch: Sequence[AgentEvent]) -> None:
        """Write a batch; runs in a thread, since encoding a large diff takes its time."""
        self._file.append([encode_line(event) for event in batch])

    def _save_elsewhere(self) -> str:
        """Put what is left where there is room, and return what the user must know. In a thread."""
        count = len(self._unsaved)
        what = f"The last {count} events of the session" if count > 1 else "The session's end"
        said = f"{what} could not be written to {self._file.path}: {self._trouble}."
        if self._rescue is None:
            return f"{said} They are lost."
        try:
            place = self._rescue([encode_line(event) for event in self._unsaved])
        except OSError as error:
            _log.warning("the end of the session is lost: %s", error)
            return f"{said} They are lost: they could be kept nowhere else either."
        return (
            f"{said} They are kept in {place}; once there is room, "
            f"`cat {place} >> {self._file.path}` puts them where they belong."
        )
