"""Watch the workspace and report changes that this program did not make.

Owns the watching thread and its hand-over to the event loop. Reports are late by nature (some
hundredths of a second while a run is active, up to two seconds else) and prove nothing: the cache
looks at the disk itself. Proven by tests/unit/workspace/test_watcher.py.

The thread waits in ``watchfiles``' Rust part, which looks for news, and whether it shall stop,
in steps: steps of 1 ms cost 2.4 % of a core, of 5 ms 0.6 %, of 100 ms 0.05 % (measured,
watchfiles 1.3 on Linux). Nobody waits for a report, but the program's end waits for a step.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, Protocol, cast

from caramelo_tui.domain.files import FileChange
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.tree_state import TreeState

ChangesCallback = Callable[[tuple[FileChange, ...]], None]
"""Takes outside changes, never none, on the event loop."""

_RAW_ADDED = 1
"""``watchfiles.Change.added``."""
_ROOT_GONE = (
    "The workspace folder {root} was deleted, moved or replaced: put it back and start again with "
    "`caramelo -c`. Until then changes of files are not noticed."
)
_LARGE_BATCH = 8_000
"""Half of Linux' usual event queue (16,384): above, events may have been dropped unseen."""
_LOOK_AGAIN_S = (0.06, 0.6)
"""A new folder is watched only some time after its event; files made in between have none."""
_RELIST_AFTER_S = 0.3
"""New folders come in groups; they are taken up together."""
_MARGIN_NS = 2_000_000_000
"""Events of a batch can be older than the wait that returned it."""
_TICK_NS = 20_000_000
"""Stamps come from a clock that lags by up to one tick."""
_RESTARTS = 20
_RESTARTS_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pace:
    step_ms: int
    debounce_ms: int
    timeout_ms: int


_ACTIVE = _Pace(step_ms=5, debounce_ms=10, timeout_ms=250)
_RESTING = _Pace(step_ms=100, debounce_ms=1_600, timeout_ms=500)
_LOOKING_AGAIN = _Pace(step_ms=10, debounce_ms=50, timeout_ms=60)

RawEvents = set[tuple[int, str]]
RawAnswer = RawEvents | Literal["signal", "stop", "timeout"]


class StopFlag(Protocol):
    """What the notifier asks between its steps."""

    def is_set(self) -> bool:
        """Whether waiting shall end."""
        ...


class Notifier(Protocol):
    """The part of ``watchfiles`` that is used."""

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: StopFlag | None
    ) -> RawAnswer:
        """Wait for events; blocks."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class NotifierFactory(Protocol):
    """Starts to watch absolute folders."""

    def __call__(self, folders: list[str], *, is_recursive: bool) -> Notifier:
        """Watch ``folders``, with all below them if ``is_recursive``.

        Raises:
            OSError: If one of them cannot be watched.
        """
        ...


def rust_notifier(folders: list[str], *, is_recursive: bool) -> Notifier:
    """Return the real notifier; loads ``watchfiles`` on first use.

    Raises:
        OSError: If a folder is missing or unreadable, or the system has no more watches.
    """
    # With its `ignore_permission_denied` it gives up at the first folder that fails, for any
    # reason, and says nothing (watchfiles 1.3): so never that.
    ignores_failures = False
    # RustNotify is not exported at the top level; its version is pinned for that reason.
    module = import_module("watchfiles._rust_notify")
    make = cast("Callable[[list[str], bool, bool, int, bool, bool], Notifier]", module.RustNotify)
    return make(folders, False, False, 300, is_recursive, ignores_failures)  # noqa: FBT003 - its own


class Watcher:
    """Reports outside changes of one workspace."""

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        on_trouble: Callable[[str], None] | None = None,
        own_writes: OwnWrites | None = None,
        notifier: NotifierFactory = rust_notifier,
    ) -> None:
        """Prepare to watch; ``start`` begins.

        Args:
            sandbox: Names the root and reads folders.
            on_trouble: Called on the event loop, once, when watching ends by itself; with
                the reason, for the user.
            own_writes: Where the file layer announces own writes; give the same object to
                ``FileStore``.
            notifier: Starts the system's notification.
        """
        self._sandbox = sandbox
        self._on_trouble = on_trouble
        self.own_writes = own_writes or OwnWrites()
        """Where the file layer announces its writes."""
        self._make_notifier = notifier
        self._tree = TreeState(sandbox, self.own_writes)
        self._subscribers: list[ChangesCallback] = []
        self._is_active = False
        self._is_stopping = False
        self._is_alive = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._root_identity = (0, 0)
        self._look_again: list[tuple[float, str]] = []
        self._restarts: list[float] = []
        self._is_piecewise = False
        self._relist_at: float | None = None
        self._started_ns = 0
        self._last_good_ns = 0

    @property
    def is_alive(self) -> bool:
        """Whether changes are being seen; ``False`` before the start and after trouble."""
        return self._is_alive

    async def start(self) -> None:
        """Begin to watch; returns when changes are seen from now on.

        Never raises: what goes wrong is told to ``on_trouble`` and ``is_alive`` stays false.
        A cancelled start leaves a thread that ``stop`` ends.
        """
        if self._thread is not None:
            return
        self._loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        self._thread = threading.Thread(
            target=self._run, args=(ready,), name="workspace-watcher", daemon=True
        )
        self._thread.start()
        await ready.wait()

    async def stop(self) -> None:
        """Stop watching; the thread has ended when it returns. May be called twice."""
        self._is_stopping = True
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def subscribe(self, callback: ChangesCallback) -> Callable[[], None]:
        """Have outside changes reported to ``callback``; returns what ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def set_active(self, is_active: bool) -> None:  # noqa: FBT001 - a plain setter
        """Choose quick reports (a run is active) or low cost (nothing runs)."""
        # Taken up at the next wait, within 500 ms: a wait that is broken off loses its events.
        self._is_active = is_active

    def is_set(self) -> bool:
        """Whether the notifier shall stop waiting."""
        return self._is_stopping

    def _run(self, ready: asyncio.Event) -> None:
        trouble = ""
        try:
            notifier = self._open()
            self._is_alive = True
            self._call(ready.set)
            trouble = self._watch(notifier)
        except (ImportError, OSError, RuntimeError) as error:
            trouble = f"Changes of files are no longer noticed: {error}"
        finally:
            self._is_alive = False
            self._call(ready.set)
            if trouble and self._on_trouble is not None:
                self._call(self._on_trouble, trouble)

    def _open(self) -> Notifier:
        status = os.stat(self._sandbox.root)  # noqa: PTH116 - one call for both numbers
        self._root_identity = (status.st_dev, status.st_ino)
        notifier = self._new_notifier()
        # Watching first: what is made during the load is seen by one of the two.
        self._started_ns = self._last_good_ns = time.time_ns()
        self._tree.load()
        return notifier

    def _watch(self, notifier: Notifier) -> str:
        """Report until stopped; return what went wrong, or an empty text."""
        try:
            while not self._is_stopping:
                pace = self._pace()
                began_ns = time.time_ns()
                try:
                    answer = notifier.watch(pace.debounce_ms, pace.step_ms, pace.timeout_ms, self)
                except RuntimeError:
                    notifier = self._restarted(notifier)
                    self._report(self._looked_at_all())
                    continue
                if not self._is_root_there():
                    return _ROOT_GONE.format(root=self._sandbox.root)
                self._take(answer)
                self._last_good_ns = began_ns
                notifier = self._relisted(notifier)
        finally:
            notifier.close()
        return ""

    def _pace(self) -> _Pace:
        if self._is_active:
            return _ACTIVE
        return _LOOKING_AGAIN if self._look_again else _RESTING

    def _restarted(self, notifier: Notifier) -> Notifier:
        """Watch anew after an error that the notifier does not recover from.

        It stops for good at the first file name that is not UTF-8.

        Raises:
            RuntimeError: If that happens too often.
        """
        now = time.monotonic()
        self._restarts = [at for at in self._restarts if now - at < _RESTARTS_WITHIN_S]
        self._restarts.append(now)
        if len(self._restarts) > _RESTARTS:
            msg = "the system's notification fails again and again"
            raise RuntimeError(msg)
        notifier.close()
        return self._new_notifier()

    def _new_notifier(self) -> Notifier:
        """Watch the whole tree at once or, where that fails, folder by folder.

        The second leaves out what cannot be read and the skipped folders, which are often
        most of the tree; but it must be told of every new folder.
        """
        root = str(self._sandbox.root)
        if not self._is_piecewise:
            try:
                return self._make_notifier([root], is_recursive=True)
            except OSError:
                self._is_piecewise = True
        folders = [root, *(f"{root}/{folder}" for folder in self._tree.folders_to_watch())]
        return self._make_notifier(folders, is_recursive=False)

    def _relisted(self, notifier: Notifier) -> Notifier:
        """Watch new folders too, when watching folder by folder."""
        if self._relist_at is None or time.monotonic() < self._relist_at:
            return notifier
        self._relist_at = None
        notifier.close()
        fresh = self._new_notifier()
        self._report(self._looked_at_all())
        return fresh

    def _take(self, answer: RawAnswer) -> None:
        changes: list[FileChange] = []
        if not isinstance(answer, str):
            changes += self._judged(answer)
            if len(answer) >= _LARGE_BATCH:
                changes += self._looked_at_all()
        changes += self._found_late()
        self._report(changes)

    def _judged(self, events: RawEvents) -> list[FileChange]:
        is_new: dict[str, bool] = {}
        for kind, absolute in events:
            path = self._relative(absolute)
            if path is not None:
                is_new[path] = is_new.get(path, False) or kind == _RAW_ADDED
        changes: list[FileChange] = []
        for path in sorted(is_new):
            changes += self._tree.look_at(path, is_new=is_new[path])
        now = time.monotonic()
        for folder in self._tree.take_new_folders():
            self._look_again += [(now + delay, folder) for delay in _LOOK_AGAIN_S]
            if self._is_piecewise and self._relist_at is None:
                self._relist_at = now + _RELIST_AFTER_S
        return changes

    def _looked_at_all(self) -> list[FileChange]:
        """Find what happened while events were lost."""
        since_ns = max(self._started_ns, self._last_good_ns - _MARGIN_NS)
        return self._tree.look_at_all(since_ns=since_ns - _TICK_NS)

    def _found_late(self) -> list[FileChange]:
        now = time.monotonic()
        due = sorted({path for at, path in self._look_again if at <= now})
        self._look_again = [(at, path) for at, path in self._look_again if at > now]
        return [change for path in due for change in self._tree.look_for_new(path)]

    def _relative(self, absolute: str) -> str | None:
        prefix = f"{self._sandbox.root}/".replace("//", "/")
        return absolute[len(prefix) :] or None if absolute.startswith(prefix) else None

    def _is_root_there(self) -> bool:
        try:
            status = os.stat(self._sandbox.root)  # noqa: PTH116 - one call for both numbers
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._root_identity

    def _report(self, changes: Iterable[FileChange]) -> None:
        reported = tuple(changes)
        if reported:
            self._call(self._tell_subscribers, reported)

    def _tell_subscribers(self, changes: tuple[FileChange, ...]) -> None:
        for callback in tuple(self._subscribers):
            callback(changes)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        """Run ``function`` on the loop; nobody listens any more when that is closed."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)
