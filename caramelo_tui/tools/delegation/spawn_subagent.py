"""Hand a subtask to a sub-agent (both profiles).

Owns the schema, the question for the policy and the text of the report. Who the sub-agent is
and what it may do is the agent's business, behind ``Delegate``. Proven by
tests/unit/tools/delegation/test_spawn_subagent.py and tests/unit/agent/test_subagents.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.roles import BUILT_IN_ROLES, DEFAULT_ROLE
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
from caramelo_tui.domain.usage import Usage
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.output_limits import counted, make_inert
from caramelo_tui.tools.validation import text_argument

NAME = "spawn_subagent"
TITLE_CHARACTERS = 100
"""Longest title: it stands on every question and every event of the sub-agent."""
_MOST_FILES = 100
"""Changed files named in a report; the rest is counted."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "description": "Subtask title."},
        "description": {
            "type": "string",
            "minLength": 1,
            "description": "All that the sub-agent has to know.",
        },
        "modelRole": {
            "type": "string",
            "description": f'Such as {", ".join(BUILT_IN_ROLES)}. Default: "{DEFAULT_ROLE}".',
        },
    },
    "required": ["title", "description"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegatedTask:
    """What a sub-agent is to do."""

    call_id: CallId
    """The call that asks for it."""
    title: str
    description: str
    role: str
    """A known role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedLines:
    """One file that a sub-agent really changed."""

    path: str
    added: int
    removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationReport:
    """What came of a sub-agent."""

    summary: str
    """Its last words."""
    ending: str
    """One of the endings of a run, such as ``completed``."""
    problem: str
    """What went wrong; empty when nothing did."""
    files: tuple[ChangedLines, ...]
    """By path; what commands changed is not among them."""
    ran_commands: bool
    usage: Usage
    turns: int
    model: str
    model_note: str
    """Why it is this model, when the role names none."""
    refused_calls: int
    """Calls that nobody could approve."""
    is_error: bool
    stops_run: bool
    """Whether the user chose to stop everything."""


class Delegate(Protocol):
    """Who starts sub-agents."""

    def role_of(self, asked: str | None) -> str:
        """Return the role that is meant; the default one for ``None``.

        Raises:
            ToolFailure: If there is no such role; the text lists those that there are.
        """
        ...

    async def delegate(self, task: DelegatedTask) -> DelegationReport:
        """Run a sub-agent to its end.

        Raises:
            ToolFailure: If it cannot be started.
            asyncio.CancelledError: When interrupted; its record is whole and nothing of it
                is left running.
        """
        ...


class SpawnSubagent:
    """Delegate a subtask to an independent sub-agent."""

    effect = Effect.OTHER

    def __init__(self, delegate: Delegate) -> None:
        self._delegate = delegate
        self._spec = ToolSpec(name=NAME, description=description_of(NAME), input_schema=_SCHEMA)

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Find the role.

        Raises:
            ToolFailure: If there is no such role, or the title is no name for an agent.
        """
        del context
        title = _title(arguments)
        role = self._delegate.role_of(_role(arguments))
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=title,
            action=Action(
                kind=ActionKind.DELEGATE,
                title=f"Start the sub-agent {title}",
                facts=(ActionFact(label="role", value=role),),
                body=text_argument(arguments, "description"),
            ),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Run the sub-agent and render its report.

        Raises:
            ToolFailure: If it cannot be started.
        """
        del context
        report = await self._delegate.delegate(
            DelegatedTask(
                call_id=prepared.call.id,
                title=prepared.summary,
                description=text_argument(prepared.arguments, "description"),
                role=self._delegate.role_of(_role(prepared.arguments)),
            )
        )
        return ToolOutput(
            text=report_text(report),
            is_error=report.is_error,
            stops_run=report.stops_run,
            refused_calls=report.refused_calls,
        )


def report_text(report: DelegationReport) -> str:
    """Return the report as the parent's model reads it: facts first, then the summary."""
    usage = report.usage
    read = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    note = f" ({report.model_note})" if report.model_note else ""
    rows = [f"ending: {report.ending}"]
    if report.problem:
        # It may quote a server: a line of its own would pass for a fact of ours.
        rows.append(f"problem: {make_inert(report.problem)}")
    rows += [
        f"files changed: {_files(report)}",
        f"tokens: {read:,} in, {usage.output_tokens:,} out, over {counted(report.turns, 'turn')}",
        f"model: {make_inert(report.model + note)}",
    ]
    return "\n".join([*rows, "", report.summary or "(it said nothing)"])


def _title(arguments: Mapping[str, JsonValue]) -> str:
    """Return the title as one line in which nothing hides.

    Raises:
        ToolFailure: If nobody could tell by it who asks.
    """
    title = make_inert(" ".join(text_argument(arguments, "title").split()))
    if not title:
        raise ToolFailure("title: holds nothing but blanks")
    if len(title) > TITLE_CHARACTERS:
        msg = (
            f"title: has {len(title):,} characters, and at most {TITLE_CHARACTERS} are shown; put "
            "the rest into description"
        )
        raise ToolFailure(msg)
    return title


def _files(report: DelegationReport) -> str:
    named = [
        f"{make_inert(file.path)} (+{file.added} -{file.removed})"
        for file in report.files[:_MOST_FILES]
    ]
    if len(report.files) > _MOST_FILES:
        named.append(f"and {len(report.files) - _MOST_FILES} more")
    listed = ", ".join(named) or "none"
    return (
        f"{listed}; it ran commands, which may have changed more" if report.ran_commands else listed
    )


def _role(arguments: Mapping[str, JsonValue]) -> str | None:
    asked = arguments.get("modelRole")
    return asked if isinstance(asked, str) else None
