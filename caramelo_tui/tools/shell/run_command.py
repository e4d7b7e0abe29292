"""Run a shell command that the policy lets pass (profile ``core``).

Owns the ``run_command`` tool: its schema in seconds, its limits, and the run itself. It never
asks and never judges: the pipeline does, before ``execute``. Proven by
tests/unit/tools/shell/test_run_command.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass

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
from caramelo_tui.tools.shell.run_report import run_report
from caramelo_tui.tools.shell.shell_run import Keeping, check_command, first_line, run_in_shell
from caramelo_tui.tools.validation import integer_argument, text_argument

DEFAULT_TIMEOUT_S = 120
"""As the tool reference says; a lower limit lowers it."""
GRACE_S = 5.0
"""Between SIGTERM and SIGKILL at the time limit, as the tool reference says."""
_FACTS_ROOM_BYTES = 32_768
"""For what stands around the output: facts, headings, a command of 16 KB that the user edited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCommandLimits:
    """What the configuration says about ``run_command``."""

    max_timeout_s: int = 600
    """Longest time limit that a call may ask for (``tools.run_command.max_timeout_s``)."""
    model_output_kb: int = 64
    """Output that the model sees whole (``tools.run_command.model_output_kb``), at most 10 MB."""


class RunCommand:
    """The shell tool of profile ``core``."""

    def __init__(self, limits: RunCommandLimits | None = None) -> None:
        """Take the configured limits; those of ``RunCommandLimits`` by default."""
        self._limits = limits or RunCommandLimits()
        self._default_timeout_s = min(DEFAULT_TIMEOUT_S, self._limits.max_timeout_s)
        self._spec = ToolSpec(
            name="run_command", description=description_of("run_command"), input_schema=self._schema
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema as the model sees them."""
        return self._spec

    @property
    def effect(self) -> Effect:
        """A command: the policy decides."""
        return Effect.COMMAND

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Check the command's size and time limit; runs nothing.

        Raises:
            ToolFailure: If the command is too long or no text that a program can get, or if the
                time limit is above the configured one.
        """
        del context
        command = text_argument(arguments, "command")
        check_command(command, write_tool="write_file")
        timeout_s = integer_argument(arguments, "timeout", self._default_timeout_s)
        if timeout_s > self._limits.max_timeout_s:
            msg = (
                f"timeout: {timeout_s} s is above the limit of {self._limits.max_timeout_s} s "
                "(tools.run_command.max_timeout_s in the user's configuration); nothing was run."
            )
            raise ToolFailure(msg)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.COMMAND,
            summary=first_line(command),
            command=CommandLine(command=command, cwd=".", timeout_ms=timeout_s * 1000),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Run the prepared command, nothing else.

        Raises:
            ToolFailure: If the shell could not be started.
            asyncio.CancelledError: When interrupted; all that it started is dead then.
        """
        line = prepared.command
        if line is None:
            raise ToolFailure("run_command was given no command")
        limit_bytes = self._limits.model_output_kb * 1024
        keeping = Keeping(head_bytes=limit_bytes, tail_bytes=limit_bytes // 2, grace_s=GRACE_S)
        result = await run_in_shell(line, context, prepared.call.id, keeping)
        text, is_cut = run_report(
            result,
            timeout_s=line.timeout_ms // 1000,
            grace_s=GRACE_S,
            limit_bytes=limit_bytes,
        )
        return ToolOutput(
            text=text,
            # Another exit code than 0 is an answer, not a failure.
            is_error=result.is_timed_out,
            is_truncated=is_cut,
            artifact=result.stdout.artifact,
            own_limit_bytes=limit_bytes + _FACTS_ROOM_BYTES,
            exit_code=result.exit_code,
        )

    @property
    def _schema(self) -> Mapping[str, JsonValue]:
        return {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "minLength": 1,
                    "description": "Shell command to execute. At most 16 KB.",
                },
                "timeout": {
                    "type": "integer",
                    "minimum": 1,
                    "default": self._default_timeout_s,
                    "description": (
                        f"Timeout in seconds (default: {self._default_timeout_s}, "
                        f"at most {self._limits.max_timeout_s})."
                    ),
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        }
