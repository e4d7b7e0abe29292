"""Show what has changed in the working tree.

Owns the ``git_status`` tool. Proven by tests/unit/tools/git/test_git_status.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.git.changes import outside_note, submodule_option
from caramelo_tui.tools.git.program import GitProgram, OpenRepository
from caramelo_tui.tools.git.reading import BODY_BYTES, prepared_read, with_notes
from caramelo_tui.tools.output_limits import LISTING_LIMIT, counted, rows_within

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {},
    "additionalProperties": False,
}


class GitStatus:
    """Return ``git status --short`` of the workspace."""

    effect = Effect.READ

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._spec = ToolSpec(
            name="git_status", description=description_of("git_status"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Prepare; the repository is looked at when the call runs."""
        del context
        return await prepared_read(self._git, call, arguments, "")

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Ask git and render.

        Raises:
            ToolFailure: If there is no repository or git fails.
        """
        repository = await self._git.open(prepared.call, context)
        output = await repository.read(
            "status",
            "--short",
            "--no-branch",
            "--no-show-stash",
            "--untracked-files=normal",
            submodule_option(repository),
            "--",
            ".",
        )
        rows = output.text.splitlines()
        shown = rows[:LISTING_LIMIT]
        shown = shown[: rows_within(shown, BODY_BYTES)]
        missing = len(rows) - len(shown)
        is_counted = output.total_bytes == len(output.stdout)
        notes = (
            _missing_note(missing, is_counted=is_counted),
            "" if rows else "nothing has changed: the working tree is clean",
            _operation_note(repository),
            _submodule_note(repository),
            await outside_note(repository),
        )
        return with_notes("".join(f"{row}\n" for row in shown), notes, is_truncated=missing > 0)


def _missing_note(missing: int, *, is_counted: bool) -> str:
    if not missing:
        return ""
    more = "" if is_counted else "at least "
    return f"not shown: {more}{counted(missing, 'further change')}"


def _operation_note(repository: OpenRepository) -> str:
    operation = repository.place.operation
    return f"a {operation} is in progress" if operation else ""


def _submodule_note(repository: OpenRepository) -> str:
    if repository.is_trusted or not (repository.place.top / ".gitmodules").exists():
        return ""
    return "changes inside submodules are not looked for: the workspace is not trusted"
