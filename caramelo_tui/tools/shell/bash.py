"""Run a shell command that the user approved literally.

Owns the ``bash`` tool: its schema, the checks that need no approval, and the run itself. It
never asks and never judges: the pipeline does, before ``execute``. Proven by
tests/unit/tools/shell/test_bash.py.
"""

import os
from collections.abc import Mapping

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import (
    CommandLine,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolSpec,
)
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.shell.command_report import STREAM_BYTES, command_report, is_cut
from caramelo_tui.tools.shell.shell_run import Keeping, check_command, first_line, run_in_shell
from caramelo_tui.tools.validation import integer_argument, text_argument

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
        check_command(command, write_tool="file_write")
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
        result = await run_in_shell(
            line, context, prepared.call.id, Keeping(head_bytes=STREAM_BYTES)
        )
        return ToolOutput(
            text=command_report(result, timeout_ms=line.timeout_ms),
            is_error=result.is_timed_out or result.exit_code != 0,
            is_truncated=is_cut(result.stdout) or is_cut(result.stderr),
            artifact=result.stdout.artifact,
            exit_code=result.exit_code,
        )
