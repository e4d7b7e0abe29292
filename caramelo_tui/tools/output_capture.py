"""Take a command's output as it streams, in bounded memory.

Owns the pipe ends of the parent, the kept ends of each stream, the artifact file and the
pace of live output. Never blocks the event loop: each turn of the loop reads a bounded amount
from a non-blocking pipe. Proven by tests/unit/tools/test_output_capture.py.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.workspace.private_files import make_private_folder, open_private

READ_BYTES = 65_536
"""Read at most so much per turn of the loop: the size of a pipe on Linux."""
ARTIFACT_BYTES = 10_485_760
"""Whole output is kept up to 10 MB per call, both streams together."""
LIVE_PERIOD_S = 0.05
"""Live output is handed on at most 20 times a second."""
LIVE_BYTES = 8_192
"""Of what came in one period, only the last so many bytes of each stream are handed on."""
BACKGROUND_PAUSE_S = 0.02
"""Pause between two reads of a pipe that only background processes still hold."""

LiveOutput = Callable[[OutputStream, bytes], None]
"""Takes pieces of output while the command runs; must not block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputWish:
    """What becomes of a child's output."""

    head_bytes: int
    """First bytes of each stream kept in memory."""
    tail_bytes: int = 0
    """Last bytes of each stream kept in memory; in a short stream they are in the head, too."""
    has_artifact: bool = True
    """Whether the whole output is kept in a file."""
    live: LiveOutput | None = None
    """Gets output while it comes, at a bounded rate."""


class PipePump:
    """Read one pipe on the loop until its end."""

    def __init__(self, on_data: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        """Open a pipe; ``write_end`` goes to the child and is then closed here.

        Args:
            on_data: Takes each piece, at most ``READ_BYTES`` long.
            on_end: Called once, at the end of the stream or on ``close``.
        """
        self._read_end, self.write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        self._on_data = on_data
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._is_slow = False
        self.is_open = True

    def start(self) -> None:
        """Close the child's end here and read from now on."""
        self._close_write_end()
        self._loop.add_reader(self._read_end, self._read_some)

    def read_available(self, limit_bytes: int = READ_BYTES * 2) -> None:
        """Read what already lies in the pipe, at most ``limit_bytes``."""
        left = limit_bytes
        while self.is_open and left > 0:
            got = self._read_once()
            if got is None:
                return
            left -= got

    def slow_down(self) -> None:
        """Read on, but at a walking pace: enough for a server's log, harmless for a flood."""
        self._is_slow = True

    def close(self) -> None:
        """Give up the pipe; a process that still writes gets ``EPIPE``."""
        if not self.is_open:
            return
        self.is_open = False
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._read_end)
        os.close(self._read_end)
        self._close_write_end()
        self._on_end()

    def _read_some(self) -> None:
        self._read_once()
        if self._is_slow and self.is_open:
            self._loop.remove_reader(self._read_end)
            self._pause = self._loop.call_later(BACKGROUND_PAUSE_S, self._resume)

    def _resume(self) -> None:
        self._pause = None
        self._loop.add_reader(self._read_end, self._read_some)

    def _read_once(self) -> int | None:
        """Return the number of bytes read, ``None`` when nothing is there or at the end."""
        try:
            data = os.read(self._read_end, READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        if not data:
            self.close()
            return None
        self._on_data(data)
        return len(data)

    def _close_write_end(self) -> None:
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1


class Artifact:
    """The whole output of one call in a private file, up to a limit."""

    def __init__(self, folder: Path, name: str, limit_bytes: int = ARTIFACT_BYTES) -> None:
        """Name the file; it is made with the first bytes.

        Args:
            folder: Private folder; made on first use.
            name: Name of the file in it.
            limit_bytes: Bytes kept; with 0 no file is made.
        """
        self._path = folder / name
        self._limit_bytes = limit_bytes
        self._descriptor = -1
        self._is_closed = False
        self.name: str | None = None
        """Name of the file within the folder once there is something in it."""
        self.size = 0
        """Bytes kept."""
        self.problem = ""
        """Why output is missing in the file; empty while all is well."""

    def write(self, data: bytes) -> None:
        """Append, up to the limit. A full disk is noted in ``problem``, never raised."""
        data = data[: self._limit_bytes - self.size]
        if not data or self.problem or self._is_closed:
            return
        try:
            if self._descriptor < 0:
                self._open()
            while data:
                written = os.write(self._descriptor, data)
                self.size += written
                data = data[written:]
        except OSError as error:
            self.problem = reason_of(error)
            self.close()

    def close(self) -> None:
        """Keep what was written; later writes are ignored."""
        self._is_closed = True
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            with suppress(OSError):  # What was written stays; ``problem`` speaks of writes.
                os.close(descriptor)

    def _open(self) -> None:
        make_private_folder(self._path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        self._descriptor = open_private(self._path, flags)
        self.name = self._path.name


class LiveFeed:
    """Hand on output while it comes, never more than a steady trickle of bytes.

    In a flood the newest bytes win and the number of those left out is said.
    """

    def __init__(self, on_output: LiveOutput) -> None:
        self._on_output = on_output
        self._loop = asyncio.get_running_loop()
        self._waiting = {stream: bytearray() for stream in OutputStream}
        self._skipped = dict.fromkeys(OutputStream, 0)
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def add(self, stream: OutputStream, data: bytes) -> None:
        """Take a piece; it is handed on within ``LIVE_PERIOD_S``."""
        if self._is_closed:
            return
        waiting = self._waiting[stream]
        waiting += data
        if (excess := len(waiting) - LIVE_BYTES) > 0:
            del waiting[:excess]
            self._skipped[stream] += excess
        if self._timer is None:
            self._timer = self._loop.call_later(LIVE_PERIOD_S, self._flush)

    def close(self) -> None:
        """Hand on the rest; nothing comes after this."""
        if self._timer is not None:
            self._timer.cancel()
        self._flush()
        self._is_closed = True

    def _flush(self) -> None:
        self._timer = None
        for stream, waiting in self._waiting.items():
            if not waiting:
                continue
            skipped, self._skipped[stream] = self._skipped[stream], 0
            note = f"\n[… {skipped:,} bytes not shown live …]\n".encode() if skipped else b""
            data = note + bytes(waiting)
            waiting.clear()
            self._on_output(stream, data)


class StreamEnds:
    """The first and the last bytes of one stream and the count of all."""

    def __init__(self, keep_bytes: int, keep_tail_bytes: int = 0) -> None:
        self._keep_bytes = keep_bytes
        self._keep_tail_bytes = keep_tail_bytes
        self._head = bytearray()
        self._tail = bytearray()
        self.total_bytes = 0

    @property
    def head(self) -> bytes:
        """The first ``keep_bytes`` bytes."""
        return bytes(self._head)

    @property
    def tail(self) -> bytes:
        """The last ``keep_tail_bytes`` bytes; in a short stream they are in ``head``, too."""
        return bytes(self._tail)

    def add(self, data: bytes) -> None:
        """Count a piece and keep what still fits."""
        self.total_bytes += len(data)
        if (room := self._keep_bytes - len(self._head)) > 0:
            self._head += data[:room]
        if self._keep_tail_bytes:
            self._tail += data
            # The front of a bytearray is given up without moving the rest.
            del self._tail[: -self._keep_tail_bytes]


class OutputCapture:
    """Both streams of one command."""

    def __init__(
        self,
        *,
        keep_bytes: int,
        artifact: Artifact,
        live: LiveFeed | None,
        keep_tail_bytes: int = 0,
    ) -> None:
        """Open both pipes.

        Args:
            keep_bytes: First bytes of each stream kept in memory.
            artifact: Where everything goes, in the order in which it was read.
            live: Who is shown the output while it comes.
            keep_tail_bytes: Last bytes of each stream kept in memory.

        Raises:
            ToolFailure: If the system has no more descriptors; none is left open.
        """
        self._live = live
        self._open_pumps = len(OutputStream)
        self.ended = asyncio.Event()
        """Set when no process holds either pipe any more."""
        self.artifact = artifact
        self.kept = {stream: StreamEnds(keep_bytes, keep_tail_bytes) for stream in OutputStream}
        self.pumps: dict[OutputStream, PipePump] = {}
        try:
            for stream in OutputStream:
                self.pumps[stream] = PipePump(self._taker(stream), self._end)
        except OSError as error:
            self.close()
            msg = f"the command could not be started: {reason_of(error)}"
            raise ToolFailure(msg) from error

    def start(self) -> None:
        """Read from now on; the child has its ends."""
        for pump in self.pumps.values():
            pump.start()

    def read_available(self) -> None:
        """Take what lies in the pipes right now, a bounded amount."""
        for pump in self.pumps.values():
            pump.read_available()

    def finish_live(self) -> None:
        """Hand on the rest of the live output; later output goes to the artifact only."""
        if self._live is not None:
            self._live.close()
            self._live = None

    def go_on_in_background(self) -> None:
        """Keep reading slowly, so that what still runs does not die of a closed pipe."""
        for pump in self.pumps.values():
            pump.slow_down()

    def close(self) -> None:
        """Give up both pipes and close the artifact."""
        for pump in self.pumps.values():
            pump.close()

    def _taker(self, stream: OutputStream) -> Callable[[bytes], None]:
        def take(data: bytes) -> None:
            self.kept[stream].add(data)
            self.artifact.write(data)
            if self._live is not None:
                self._live.add(stream, data)

        return take

    def _end(self) -> None:
        self._open_pumps -= 1
        if self._open_pumps == 0:
            self.artifact.close()
            self.ended.set()
