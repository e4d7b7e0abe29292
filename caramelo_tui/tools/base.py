"""The contract of a tool.

Owns what every tool implements and what it is given. A tool never asks the user, never
consults the policy and never caches: that is the pipeline's work. Proven by
tests/contract/test_tools.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.command_box import CommandBox, NoBox
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.sandbox import Sandbox

OutputSink = Callable[[OutputStream, str], None]
"""Takes live output of a running command; must not block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """All that a tool can reach."""

    sandbox: Sandbox
    """Resolves every path argument."""
    files: FileStore
    """Reads and writes files of the workspace."""
    overlay: Overlay
    """Content of files as this turn's earlier proposals leave them; prepare uses it."""
    commands: CommandRunner
    """Starts and ends child processes."""
    emit_output: OutputSink
    """Where live output goes."""
    box: CommandBox = field(default_factory=NoBox)
    """Where the commands of the model, and programs of skills, run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a tool returns."""

    text: str
    """For the model; already within the tool's own limits."""
    is_error: bool = False
    is_truncated: bool = False
    artifact: str | None = None
    """Name of the whole output, kept beside the session."""
    exit_code: int | None = None
    own_limit_bytes: int = 0
    """The tool's own limit of ``text`` where it is above that of all results; else 0."""
    stops_run: bool = False
    """Whether the user chose to stop everything while it ran (in a sub-agent's question)."""
    refused_calls: int = 0
    """Calls of a sub-agent that nobody could approve."""


class Tool(Protocol):
    """One tool."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema as the model sees them."""
        ...

    @property
    def effect(self) -> Effect:
        """What kind of effect the tool has."""
        ...

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Resolve paths and work out the exact effect; changes nothing.

        Raises:
            ToolFailure: If the call cannot be made; the text is its error result.
        """
        ...

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Do what was prepared, nothing else.

        For ``Effect.WRITE`` the pipeline writes ``prepared.proposal`` itself (accepted hunks
        only) and never calls this.

        Raises:
            ToolFailure: If it failed; the text is the error result.
            asyncio.CancelledError: When interrupted; nothing is left running.
        """
        ...
