"""Run a command line in the system's shell.

Owns what both profiles' shell tools share: the checks that need no approval, the start in a
folder that still is the one meant, and live output as text. Judges nothing. Proven by
tests/unit/tools/shell/test_bash.py and tests/unit/tools/shell/test_run_command.py.
"""

import codecs
import os
from collections.abc import Callable
from dataclasses import dataclass

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.tools.base import OutputSink, ToolContext
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.subprocesses import CommandResult

COMMAND_BYTES = 16_384
"""A command above 16 KB is an error: nobody can read it before approving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How much of each stream is kept in memory, and how a run is ended at its limit."""

    head_bytes: int
    """The first bytes."""
    tail_bytes: int = 0
    """The last bytes."""
    grace_s: float = 0.0
    """Seconds between SIGTERM and SIGKILL at the time limit; 0: killed at once."""


def first_line(command: str) -> str:
    """Return the first line that holds anything; ``…`` says that more follow."""
    lines = [line.strip() for line in command.splitlines() if line.strip()]
    if not lines:
        return ""
    return lines[0] + (" …" if len(lines) > 1 else "")


def check_command(command: str, *, write_tool: str) -> None:
    """Refuse what no shell can be given.

    Args:
        command: The literal command.
        write_tool: Name of the tool that makes files, for messages.

    Raises:
        ToolFailure: If so.
    """
    try:
        size = len(command.encode())
    except UnicodeEncodeError as error:
        raise ToolFailure("command: holds a lone surrogate, which no program can get") from error
    if size > COMMAND_BYTES:
        msg = (
            f"command: {size:,} bytes is more than the limit of {COMMAND_BYTES:,}. "
            f"Put it into a file with {write_tool} and run that."
        )
        raise ToolFailure(msg)
    if "\0" in command:
        raise ToolFailure("command: holds a NUL character, which no program can get")
    if not command.strip():
        raise ToolFailure("command: is empty")


async def run_in_shell(
    line: CommandLine, context: ToolContext, call_id: CallId, keeping: Keeping
) -> CommandResult:
    """Run a command line to its end or its time limit, in a folder that still is inside.

    Args:
        line: What was prepared.
        context: The workspace and its processes.
        call_id: Whose command it is.
        keeping: How much of its output is kept, and how it is ended at the time limit.

    Raises:
        ToolFailure: If the start folder is gone or leads out by now, or if the shell could not
            be started.
        asyncio.CancelledError: When interrupted; all that it started is dead then.
    """
    # Opened anew and without following links: what was put in the folder's place since
    # the approval must not become the start folder.
    descriptor = context.sandbox.open_folder(line.cwd)
    try:
        folder = context.sandbox.root / line.cwd
        # The two dashes keep a command that starts with a dash from being an option.
        command = await context.box.wrapped(("/bin/sh", "-c", "--", line.command), folder)
        return await context.commands.run(
            ChildStart(command=command, place=StartPlace(folder, descriptor)),
            OutputWish(
                head_bytes=keeping.head_bytes,
                tail_bytes=keeping.tail_bytes,
                live=as_text(context.emit_output),
            ),
            call_id=call_id,
            timeout_ms=line.timeout_ms,
            grace_s=keeping.grace_s,
        )
    finally:
        os.close(descriptor)


def as_text(sink: OutputSink) -> Callable[[OutputStream, bytes], None]:
    """Return what takes live output as bytes and hands it on as text, whole characters only."""
    # One decoder for each stream: a character may be split over two pieces.
    decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in OutputStream}

    def take(stream: OutputStream, data: bytes) -> None:
        if text := decoders[stream].decode(data):
            sink(stream, text)

    return take
