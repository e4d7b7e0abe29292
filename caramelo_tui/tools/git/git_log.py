"""Show recent commits.

Owns the ``git_log`` tool. Proven by tests/unit/tools/git/test_git_log.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.git.head import read_head
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.git.reading import BODY_BYTES, cut_lines, prepared_read, with_notes
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.tools.validation import flag_argument, integer_argument

DEFAULT_COUNT = 10
_COUNT_LIMIT = 100_000
"""More rows than any answer can hold; git's own numbers end somewhere above."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "count": {
            "type": "integer",
            "minimum": 1,
            "default": DEFAULT_COUNT,
            "description": "Number of commits. Default 10.",
        },
        "oneline": {
            "type": "boolean",
            "default": True,
            "description": "One line for each commit. Default true.",
        },
    },
    "additionalProperties": False,
}


class GitLog:
    """Return the newest commits of the current branch."""

    effect = Effect.READ

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._spec = ToolSpec(
            name="git_log", description=description_of("git_log"), input_schema=_SCHEMA
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
        count = integer_argument(arguments, "count", DEFAULT_COUNT)
        return await prepared_read(self._git, call, arguments, str(count))

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Ask git and render.

        Raises:
            ToolFailure: If there is no repository or git fails.
        """
        count = integer_argument(prepared.arguments, "count", DEFAULT_COUNT)
        repository = await self._git.open(prepared.call, context)
        head = await read_head(repository)
        if not head.commit:
            return with_notes("", [f"no commits yet on {make_inert(head.name)}"])
        # The form is always given: a form of the repository's own could ask for signatures,
        # and so run the program that its settings name for them.
        is_short = flag_argument(prepared.arguments, "oneline", default=True)
        form = ("--pretty=oneline", "--abbrev-commit") if is_short else ("--pretty=medium",)
        prefix = repository.place.prefix
        output = await repository.read(
            "log",
            *form,
            f"--max-count={min(count, _COUNT_LIMIT)}",
            "--no-color",
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-patch",
            "--decorate=short",
            "--date=iso",
            # Without a path at the top: commits that change no file are commits too.
            *(("--", ".") if prefix else ("--",)),
            keep_bytes=BODY_BYTES,
        )
        body, missing = cut_lines(output.stdout, output.total_bytes, BODY_BYTES)
        notes = (
            f"cut: {missing} bytes are not shown; use a lower count" if missing else "",
            "no commit of this branch changes a file of the workspace" if not body else "",
            f"only commits that change files below {make_inert(prefix)}" if prefix else "",
        )
        return with_notes(body, notes, is_truncated=missing > 0)
