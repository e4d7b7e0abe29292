"""Let the model say that its task is complete (profile ``core``).

Owns the schema of ``task_done`` and the text that the user reads. That the run ends with it is
the run loop's business. Proven by tests/unit/tools/delegation/test_task_done.py.
"""

from collections.abc import Mapping

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
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.output_limits import limit_result, make_inert
from caramelo_tui.tools.validation import text_argument

_SUMMARY_CHARACTERS = 120
"""A row shows the start of the first line."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string", "description": "Summary of what was accomplished."},
        "files_changed": {
            "type": "array",
            "items": {"type": "string"},
            "description": "List of files that were modified.",
        },
    },
    "required": ["summary"],
    "additionalProperties": False,
}


class TaskDone:
    """End the run with a summary."""

    effect = Effect.OTHER

    def __init__(self) -> None:
        self._spec = ToolSpec(
            name="task_done", description=description_of("task_done"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Word what the call does; never raises, and looks at no file."""
        del context
        summary = text_argument(arguments, "summary")
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self.effect,
            summary=_in_one_row(summary),
            action=Action(
                kind=ActionKind.FINISH,
                title="End the run",
                facts=_named_files(arguments),
                body=summary,
            ),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Return the summary; never raises."""
        del context
        text, is_cut = limit_result(
            text_argument(prepared.arguments, "summary"), "give a shorter summary"
        )
        return ToolOutput(text=text, is_truncated=is_cut)


def _in_one_row(summary: str) -> str:
    lines = [line.strip() for line in summary.splitlines() if line.strip()]
    return make_inert(lines[0])[:_SUMMARY_CHARACTERS] if lines else ""


def _named_files(arguments: Mapping[str, JsonValue]) -> tuple[ActionFact, ...]:
    """Return the files that the model says it changed; which it really changed is known."""
    named = arguments.get("files_changed")
    if not isinstance(named, list):
        return ()
    return tuple(ActionFact(label="file", value=str(name)) for name in named)
