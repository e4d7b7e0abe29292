"""Run the program of a skill's tool.

Owns what the user is shown before it runs, where the program is looked for, and how the
arguments reach it: as JSON on standard input, exactly as shown. It never asks and never judges:
the pipeline does, before ``execute``. Proven by tests/unit/tools/skills/test_skill_tool.py.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import (
    Action,
    ActionFact,
    ActionKind,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolSpec,
)
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.shell.command_report import STREAM_BYTES, command_report, is_cut
from caramelo_tui.tools.shell.shell_run import as_text
from caramelo_tui.tools.skills.skill import SkillOrigin, SkillToolDefinition
from caramelo_tui.tools.skills.skill_files import SkillFolder

TIMEOUT_MS = 120_000
"""Longest run of a skill's program, as for a command; then all that it started is killed."""

ARGUMENTS_CHARACTERS = 65_536
"""Longest arguments as JSON; nobody reads more before approving."""
SUMMARY_CHARACTERS = 200
"""Of the arguments in one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSource:
    """The skill that a tool belongs to."""

    skill: str
    """Its name."""
    place: str
    """Its file, for people."""
    folder: SkillFolder
    """The folder of skills that it lies in."""
    own_folder: str
    """Its own folder within ``folder``; ``.`` is that folder itself."""
    is_trusted: bool
    """Whether the user's own configuration lets its tools run unasked."""


class SkillTool:
    """One tool of one skill."""

    def __init__(self, definition: SkillToolDefinition, source: SkillSource) -> None:
        self._definition = definition
        self._source = source

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema as the model sees them."""
        return self._definition.spec

    @property
    def effect(self) -> Effect:
        """Another effect: nobody knows what the program does."""
        return Effect.OTHER

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Work out the argument list; runs nothing.

        Raises:
            ToolFailure: If the program leads out of the folder of skills, or the arguments are
                more than anybody can read before approving.
        """
        if len(json.dumps(dict(arguments))) > ARGUMENTS_CHARACTERS:
            msg = f"the arguments have more than {ARGUMENTS_CHARACTERS:,} characters as JSON"
            raise ToolFailure(msg)
        action = self._action(arguments, context)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.OTHER,
            summary=self._summary(arguments),
            action=action,
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Run the program with the prepared arguments, nothing else.

        Raises:
            ToolFailure: If it is another program by now, or could not be started.
            asyncio.CancelledError: When interrupted; all that it started is dead then.
        """
        action = prepared.action
        if action is None or action != self._action(prepared.arguments, context):
            raise ToolFailure("the program of this skill changed meanwhile; nothing was run")
        descriptor = context.sandbox.open_folder(".")
        try:
            result = await context.commands.run(
                ChildStart(
                    command=await context.box.wrapped(self._command(), context.sandbox.root),
                    place=StartPlace(context.sandbox.root, descriptor),
                    standard_input=f"{action.body}\n".encode(),
                ),
                OutputWish(head_bytes=STREAM_BYTES, live=as_text(context.emit_output)),
                call_id=prepared.call.id,
                timeout_ms=TIMEOUT_MS,
            )
        finally:
            os.close(descriptor)
        return ToolOutput(
            text=command_report(result, timeout_ms=TIMEOUT_MS),
            is_error=result.is_timed_out or result.exit_code != 0,
            is_truncated=is_cut(result.stdout) or is_cut(result.stderr),
            artifact=result.stdout.artifact,
            exit_code=result.exit_code,
        )

    def _command(self) -> tuple[str, ...]:
        """Return the argument list with the program's path worked out.

        Raises:
            ToolFailure: If it leads out of the folder of skills.
        """
        program, *arguments = self._definition.command
        if "/" not in program or program.startswith("/"):
            return self._definition.command
        resolved = self._source.folder.resolve(f"{self._source.own_folder}/{program}")
        return (str(resolved.absolute), *arguments)

    def _summary(self, arguments: Mapping[str, JsonValue]) -> str:
        shown = json.dumps(dict(arguments), ensure_ascii=False)
        cut = f"{shown[:SUMMARY_CHARACTERS]}…" if len(shown) > SUMMARY_CHARACTERS else shown
        return f"skill {self._source.skill}: {cut}"

    def _action(self, arguments: Mapping[str, JsonValue], context: ToolContext) -> Action:
        source = self._source
        command = [
            # As JSON: where an argument begins and ends can be seen.
            ActionFact(label="command", value=json.dumps(word, ensure_ascii=False))
            for word in self._command()
        ]
        return Action(
            kind=ActionKind.SKILL,
            title=f"Run {self.spec.name} of the skill {source.skill}",
            facts=(
                ActionFact(label="skill", value=source.skill),
                ActionFact(label="from", value=f"{source.folder.origin.value}, {source.place}"),
                *command,
                ActionFact(label="start folder", value=str(context.sandbox.root)),
                ActionFact(label="time limit", value=f"{TIMEOUT_MS // 1000} s"),
                ActionFact(label="input", value="the arguments below, as JSON on standard input"),
            ),
            body=json.dumps(dict(arguments), ensure_ascii=False, indent=2),
            asks_because=self._asks_because(),
        )

    def _asks_because(self) -> str:
        source = self._source
        if source.folder.origin is not SkillOrigin.USER:
            return "The skill comes with the workspace, so its tools ask, each time."
        if source.is_trusted:
            return ""
        return (
            "The tools of a skill ask, each time, unless skills.trust in your own configuration "
            "names the skill."
        )
