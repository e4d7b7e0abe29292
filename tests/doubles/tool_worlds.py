"""A workspace on the real disk with the real tools, without pipeline, policy or user.

Reads run as the pipeline runs them; a write is written whole, as if the user accepted all.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall
from caramelo_tui.tools.base import Tool, ToolContext, ToolOutput
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.files.file_edit import file_edit
from caramelo_tui.tools.files.file_read import FileRead
from caramelo_tui.tools.files.file_write import file_write
from caramelo_tui.tools.files.list_dir import ListDir
from caramelo_tui.tools.files.proposed_write import ProposedWrite
from caramelo_tui.tools.files.write_results import render_write_result
from caramelo_tui.tools.registry import ToolRegistry
from caramelo_tui.tools.search.glob import Glob
from caramelo_tui.tools.search.grep import Grep
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.shell.bash import Bash
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.tools.validation import parse_arguments
from caramelo_tui.workspace.file_io import FileStore, StepHook, no_hook
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolWorld:
    """A workspace and its tools."""

    root: Path
    registry: ToolRegistry
    context: ToolContext
    processes: RegexProcesses

    def write(self, path: str, content: str | bytes) -> Path:
        """Put a file there, as another program would."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    async def prepare(self, tool: str, **arguments: JsonValue) -> PreparedCall:
        """Validate and prepare a call."""
        return await self.prepare_text(tool, json.dumps(arguments))

    async def prepare_text(self, tool: str, arguments_json: str) -> PreparedCall:
        """Validate and prepare a call given as the model's text.

        Raises:
            ToolFailure: If the tool is unknown or the call cannot be prepared.
        """
        found = self.registry.get(tool)
        if found is None:
            raise ToolFailure(self.registry.unknown_tool_text(tool))
        call = ToolCall(id=CallId("call-1"), name=tool, arguments_json=arguments_json)
        values = parse_arguments(found.spec, arguments_json)
        return await found.prepare(call, values, self.context)

    async def run(self, tool: str, **arguments: JsonValue) -> ToolOutput:
        """Run a call to its end; a failure comes back as the error result it becomes."""
        return await self.run_text(tool, json.dumps(arguments))

    async def run_text(self, tool: str, arguments_json: str) -> ToolOutput:
        """Run a call given as the model's text."""
        try:
            return await self._finish(await self.prepare_text(tool, arguments_json))
        except ToolFailure as failure:
            return ToolOutput(text=str(failure), is_error=True)

    async def _finish(self, prepared: PreparedCall) -> ToolOutput:
        tool = self.registry.get(prepared.call.name)
        if prepared.effect is Effect.WRITE:
            assert isinstance(tool, ProposedWrite)
            return self._write_all(prepared, tool)
        assert tool is not None
        return await tool.execute(prepared, self.context)

    def _write_all(self, prepared: PreparedCall, tool: ProposedWrite) -> ToolOutput:
        proposal = prepared.proposal
        assert proposal is not None
        if proposal.hunks:
            self.context.files.write_atomic(
                proposal.path, proposal.after, expected_hash=proposal.base_hash
            )
        return render_write_result(
            proposal,
            applied=proposal.hunks,
            rejected=(),
            written=proposal.after,
            words=tool.words,
        )


def _seven_tools(processes: RegexProcesses) -> tuple[Tool, ...]:
    return (
        FileRead(),
        ListDir(),
        Grep(processes),
        Glob(),
        file_edit(),
        file_write(),
        Bash(),
    )


def ignore_output(_stream: OutputStream, _text: str) -> None:
    """Take live output and do nothing."""


@contextmanager
def open_tool_world(
    root: Path,
    artifacts: Path,
    *,
    step_hook: StepHook = no_hook,
    time_limit_s: float = 10.0,
    tools: Sequence[Tool] | None = None,
) -> Iterator[ToolWorld]:
    """Build a world over ``root``; its search processes end with the block.

    ``tools`` are offered in place of the seven of profile ``caramelo``.
    """
    sandbox = Sandbox(root)
    files = FileStore(sandbox, step_hook=step_hook)
    processes = RegexProcesses(time_limit_s=time_limit_s)
    context = ToolContext(
        sandbox=sandbox,
        files=files,
        overlay=Overlay(files),
        commands=CommandRunner(
            session_mark="tool-world",
            environment=ChildEnvironment({"PATH": "/usr/bin:/bin"}),
            artifacts_folder=artifacts,
        ),
        emit_output=ignore_output,
    )
    try:
        yield ToolWorld(
            root=root,
            registry=ToolRegistry(_seven_tools(processes) if tools is None else tools),
            context=context,
            processes=processes,
        )
    finally:
        processes.close()


@pytest.fixture
def tool_world(tmp_path: Path) -> Iterator[ToolWorld]:
    """Give an empty workspace with the seven tools; ``outside`` is a sibling folder of it."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside").mkdir()
    with open_tool_world(tmp_path / "workspace", tmp_path / "artifacts") as world:
        yield world
