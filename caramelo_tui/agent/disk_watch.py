"""Pass on what happens to the workspace's files.

Owns who is told of a change that the watcher saw: the cache, waiting reviews, the model's next
request, and the event stream. Decides nothing about freshness: the cache proves that itself.
Proven by tests/unit/agent/test_disk_watch.py.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import FilesChanged, NoticeLevel
from caramelo_tui.domain.files import ChangeOrigin, FileChange


class FileWatcher(Protocol):
    """Who sees changes on disk; the workspace's watcher."""

    async def start(self) -> None:
        """Begin to watch."""
        ...

    async def stop(self) -> None:
        """End; idempotent."""
        ...

    def subscribe(self, callback: Callable[[tuple[FileChange, ...]], None]) -> object:
        """Call back on the event loop with changes by others than the agent's own writes."""
        ...

    def set_active(self, is_active: bool, /) -> None:  # noqa: FBT001 - the agreed signature
        """Look more often while a run is under way."""
        ...


class CacheDrops(Protocol):
    """Who forgets cached answers."""

    def on_changes(self, changes: Iterable[FileChange]) -> None:
        """Forget what stands on changed files."""
        ...

    def on_watcher_trouble(self) -> None:
        """Forget everything: changes may have gone unseen."""
        ...


class StaleQuestions(Protocol):
    """Who holds waiting reviews; the call pipeline."""

    def mark_stale(self, paths: Collection[str]) -> object:
        """Have reviews of changed files made again."""
        ...


class KnownFiles(Protocol):
    """Who tells a model of files that changed since it saw them."""

    def add(self, changes: Iterable[FileChange], /) -> None:
        """Take changes on disk."""
        ...


class DiskWatch:
    """Changes of one workspace on their way to everybody who must know."""

    def __init__(
        self,
        *,
        watcher: FileWatcher,
        cache: CacheDrops,
        questions: StaleQuestions,
        outside: Iterable[KnownFiles],
        commands: CommandActivity,
        events: EventStream,
    ) -> None:
        """Wire it; nothing is watched before ``start``."""
        self._watcher = watcher
        self._cache = cache
        self._questions = questions
        self._outside = tuple(outside)
        self._commands = commands
        self._events = events
        self._is_watching = True
        self._is_active = False
        self._is_waiting = False

    @property
    def is_watching(self) -> bool:
        """Whether changes on disk are seen; ``False`` once the watcher had trouble."""
        return self._is_watching

    async def start(self) -> None:
        """Begin to watch."""
        self._watcher.subscribe(self.take)
        await self._watcher.start()

    async def stop(self) -> None:
        """End watching; idempotent."""
        await self._watcher.stop()

    def set_active(self, *, is_active: bool) -> None:
        """Look more often while a run is under way."""
        self._is_active = is_active
        self._set_pace()

    def set_waiting(self, is_waiting: bool) -> None:  # noqa: FBT001 - as the broker calls it
        """Look no more often than at rest while a person is waited for: that can take hours."""
        self._is_waiting = is_waiting
        self._set_pace()

    def _set_pace(self) -> None:
        self._watcher.set_active(self._is_active and not self._is_waiting)

    def take(self, changes: tuple[FileChange, ...]) -> None:
        """Tell everybody of changes, the cache first."""
        self._cache.on_changes(changes)
        if not changes or self._events.is_closed:
            return
        by_command = self._commands.may_have_changed_files
        origin = ChangeOrigin.COMMAND if by_command else ChangeOrigin.EXTERNAL
        self._events.emit(lambda head: FilesChanged(head=head, origin=origin, changes=changes))
        for known in self._outside:
            known.add(changes)
        self._questions.mark_stale({change.path for change in changes})

    def take_trouble(self, problem: str) -> None:
        """Say that changes go unseen from now on; fit for the watcher's ``on_trouble``.

        Args:
            problem: What happened, in a sentence for the user.
        """
        self._is_watching = False
        self._cache.on_watcher_trouble()
        self._events.raise_notice(NoticeLevel.WARNING, problem)
