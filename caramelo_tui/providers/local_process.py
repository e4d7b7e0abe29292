"""Hold the process that runs a model's file.

Owns its start, its address and its end. It is a child of ours: started when it is first needed,
bound to loopback with a key that only we know, and gone with the session, or with this program
whatever happens to it. It gets no variable that could hold a secret. Proven by
tests/unit/providers/test_local_process.py and, with a real model, by tests/model/.
"""

import asyncio
import json
import os
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.providers import local_child
from caramelo_tui.providers.vendor_json import parse_object, text_at

START_LIMIT_S = 600.0
"""Seconds until the model is loaded; large ones on slow disks take minutes."""
END_LIMIT_S = 5.0
"""Seconds that the server has to end by itself."""
CONTEXT_TOKENS = 32_768
"""Tokens of question and answer together; a model made for fewer gets fewer."""

_KEPT_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT"),
    *("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GGML_VK_VISIBLE_DEVICES"),
)
"""Variables that the process gets: what it needs to find its libraries and its devices."""
_LOG_LINES = 40
"""Lines of its log that are kept for a message."""
_LINE_LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOrder:
    """What to run."""

    model: Path
    """Absolute path of the file."""
    key: str = field(repr=False)
    """What requests must carry."""
    template: str = ""
    """Chat template in place of the file's own; empty: the file's own."""
    context_tokens: int = CONTEXT_TOKENS

    def line(self) -> bytes:
        """Return it as the child reads it."""
        words = {
            "model": str(self.model),
            "key": self.key,
            "template": self.template,
            "context_tokens": self.context_tokens,
        }
        return json.dumps(words).encode() + b"\n"


class LocalProcess:
    """The server of one model; none runs until ``ready``."""

    def __init__(
        self,
        order: ModelOrder,
        *,
        command: Sequence[str] = (),
        start_limit_s: float = START_LIMIT_S,
    ) -> None:
        """Set it up; nothing is started yet.

        Args:
            order: What to run.
            command: Program and arguments; empty: the child of this package.
            start_limit_s: Seconds until the model must be loaded.
        """
        # -P: no module of the folder that the program was started in is ever loaded.
        self._command = (*command,) or (sys.executable, "-P", str(local_child.__file__))
        self._order = order
        self._start_limit_s = start_limit_s
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._url = ""
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._reading: asyncio.Task[None] | None = None

    @property
    def process_id(self) -> int | None:
        """The process that runs, ``None`` when none does."""
        is_running = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and is_running else None

    async def ready(self) -> str:
        """Return the address of the running server, started where none runs (any more).

        Cancelled while the model is loaded, the process is ended.

        Raises:
            BadRequest: If it cannot be started or the model cannot be loaded; says why.
        """
        async with self._starting:
            if self.process_id is None:
                await self._end()
                try:
                    self._url = await self._start()
                except BaseException:
                    await self._end()
                    raise
            return self._url

    async def close(self) -> None:
        """End the process; idempotent, and it can be started again."""
        async with self._starting:
            await self._end()

    async def _start(self) -> str:
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_variables(os.environ),
                # A key that interrupts the program must not end the server before its answer.
                start_new_session=True,
                limit=_LINE_LIMIT,
            )
        except OSError as error:
            msg = f"The local model's server cannot be started: {error.strerror}."
            raise BadRequest(msg) from error
        self._reading = asyncio.create_task(self._keep_log(process))
        try:
            async with asyncio.timeout(self._start_limit_s):
                answer = parse_object(await self._ask(process))
        except TimeoutError as error:
            msg = f"The model was not loaded within {self._start_limit_s:g} s."
            raise BadRequest(msg) from error
        url = text_at(answer or {}, "url")
        if not url:
            raise BadRequest(await self._failure(text_at(answer or {}, "error")))
        return url

    async def _ask(self, process: asyncio.subprocess.Process) -> str:
        """Give the order and return what the child answers; empty when it ended instead."""
        if process.stdin is None or process.stdout is None:
            return ""
        try:
            process.stdin.write(self._order.line())
            await process.stdin.drain()
            return (await process.stdout.readline()).decode("utf-8", "replace")
        except (ConnectionError, ValueError):
            return ""

    async def _failure(self, told: str) -> str:
        """Return why the server did not start, with the last error of its log."""
        if self._reading is not None:
            # The log is whole once the process has ended.
            await asyncio.wait([self._reading], timeout=END_LIMIT_S)
        errors = [line for line in self._log if " E " in line or "Error" in line]
        reasons = (told, errors[-1].split(" E ", 1)[-1] if errors else "")
        why = "; ".join(
            visible(" ".join(each.split()), keeps_newlines=False) for each in reasons if each
        )
        return f"The model could not be loaded: {why or 'its server ended'}."

    async def _keep_log(self, process: asyncio.subprocess.Process) -> None:
        if process.stderr is None:
            return
        while True:
            try:
                line = await process.stderr.readline()
            except ValueError:
                # A line without an end: the rest of it is read as further lines.
                continue
            if not line:
                return
            self._log.append(line.decode("utf-8", "replace").rstrip())

    async def _end(self) -> None:
        process, self._process = self._process, None
        # While it loads a model it does not look at its input.
        is_serving, self._url = bool(self._url), ""
        if process is not None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(END_LIMIT_S if is_serving else 0):
                        await process.wait()
            finally:
                # Also where the wait was cancelled: nothing may stay behind.
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[name] for name in _KEPT_VARIABLES if name in environment}
