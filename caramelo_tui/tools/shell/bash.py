"""Run a shell command that the user approved literally.

Owns the ``bash`` tool: its schema, the checks that need no approval, and the run itself. It
never asks and never judges: the pipeline does, before ``execute``. Proven by
tests/unit/tools/shell/test_bash.py.
"""

import codecs
import os
from collections.abc import Callable, Mapping

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import (
    CommandLine,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolSpec,
)
from caramelo_tui.tools.base import OutputSink, ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.shell.command_report import STREAM_BYTES, command_report, is_cut
from caramelo_tui.tools.validation import integer_argument, text_argument

COMMAND_BYTES = 16_384
"""A command above 16 KB is an error: nobody can read it before approving."""
DEFAULT_TIMEOUT_MS = 30_000
"""As the tool reference says."""

BASH_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "command": {
            "type": "string",
            "minLength": 1,
            "description": "Passed to /bin/sh -c. At most 16 KB.",
        },
        "cwd": {
            "type": "string",
            "description": "Workspace-relative start folder. Default: the workspace root.",
        },
        "timeout_ms": {
            "type": "integer",
            "minimum": 100,
            "maximum": 120_000,
            "default": DEFAULT_TIMEOUT_MS,
            "description": "Milliseconds until everything is killed. Default 30000.",
        },
    },
    "required": ["command"],
    "additionalProperties": False,
}
"""What the model may ask for."""


class Bash:
    """The shell tool of profile ``caramelo``."""

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="bash", description=description_of("bash"), input_schema=BASH_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema as the model sees them."""
        return self._spec

    @property
    def effect(self) -> Effect:
        """A command: always asked."""
        return Effect.COMMAND

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Check the command's size and start folder; runs nothing.

        Raises:
            ToolFailure: If the command is too long or no text that a program can get, or if
                ``cwd`` is no folder of the workspace.
        """
        command = text_argument(arguments, "command")
        _check_command(command)
        cwd = context.sandbox.resolve(text_argument(arguments, "cwd", "."))
        os.close(context.sandbox.open_folder(cwd))
        timeout_ms = integer_argument(arguments, "timeout_ms", DEFAULT_TIMEOUT_MS)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.COMMAND,
            summary=first_line(command),
            command=CommandLine(command=command, cwd=cwd.relative, timeout_ms=timeout_ms),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Run the prepared command, nothing else.

        Raises:
            ToolFailure: If the start folder is gone or leads out by now, or if the shell could
                not be started.
            asyncio.CancelledError: When interrupted; all that it started is dead then.
        """
        line = prepared.command
        if line is None:
            raise ToolFailure("bash was given no command")
        # Opened anew and without following links: what was put in the folder's place since
        # the approval must not become the start folder.
        descriptor = context.sandbox.open_folder(line.cwd)
        try:
            # The two dashes keep a command that starts with a dash from being an option.
            result = await context.commands.run(
                ["/bin/sh", "-c", "--", line.command],
                cwd=context.sandbox.root / line.cwd,
                cwd_descriptor=descriptor,
                timeout_ms=line.timeout_ms,
                keep_bytes=STREAM_BYTES,
                on_output=_decoded(context.emit_output),
                call_id=prepared.call.id,
            )
        finally:
            os.close(descriptor)
        return ToolOutput(
            text=command_report(result, timeout_ms=line.timeout_ms),
            is_error=result.is_timed_out or result.exit_code != 0,
            is_truncated=is_cut(result.stdout) or is_cut(result.stderr),
            artifact=result.stdout.artifact,
            exit_code=result.exit_code,
        )


def first_line(command: str) -> str:
    """Return the first line that holds anything; ``…`` says that more follow."""
    lines = [line.strip() for line in command.splitlines() if line.strip()]
    if not lines:
        return ""
    return lines[0] + (" …" if len(lines) > 1 else "")


def _check_command(command: str) -> None:
    """Refuse what no shell can be given.

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
            "Put it into a file with file_write and run that."
        )
        raise ToolFailure(msg)
    if "\0" in command:
        raise ToolFailure("command: holds a NUL character, which no program can get")
    if not command.strip():
        raise ToolFailure("command: is empty")


def _decoded(sink: OutputSink) -> Callable[[OutputStream, bytes], None]:
    # One decoder for each stream: a character may be split over two pieces.
    decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in OutputStream}

    def take(stream: OutputStream, data: bytes) -> None:
        if text := decoders[stream].decode(data):
            sink(stream, text)

    return take
