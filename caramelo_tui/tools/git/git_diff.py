"""Show staged and unstaged changes.

Owns the ``git_diff`` tool: two headed parts, their shares of the limit, and the notes on what a
diff does not show. Proven by tests/unit/tools/git/test_git_diff.py.
"""

import os
from collections.abc import Mapping, Sequence

from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall, ToolSpec
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.git.changes import outside_note, read_changes, submodule_option
from caramelo_tui.tools.git.program import GitOutput, GitProgram, OpenRepository
from caramelo_tui.tools.git.reading import BODY_BYTES, cut_lines, prepared_read, with_notes
from caramelo_tui.tools.output_limits import counted, make_inert, rows_within
from caramelo_tui.tools.validation import flag_argument

_NAMES_SHOWN = 20
"""Names of new files in the note."""
_LIST_BYTES = 8_192
"""The list of changed files behind a cut diff."""

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "staged": {
            "type": "boolean",
            "default": False,
            "description": "Show only staged changes. Default: staged and unstaged ones.",
        },
    },
    "additionalProperties": False,
}

_OPTIONS = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
    "--inter-hunk-context=0",
    # Paths as the file tools take them, also where the repository begins above the workspace.
    "--relative",
    # No order file: git would open whatever path the repository's settings name for it.
    "-O/dev/null",
)


class GitDiff:
    """Return the differences between commit, index and working tree."""

    effect = Effect.READ

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._spec = ToolSpec(
            name="git_diff", description=description_of("git_diff"), input_schema=_SCHEMA
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
        summary = "staged" if flag_argument(arguments, "staged") else ""
        return await prepared_read(self._git, call, arguments, summary)

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Ask git and render.

        Raises:
            ToolFailure: If there is no repository or git fails.
        """
        is_staged_only = flag_argument(prepared.arguments, "staged")
        repository = await self._git.open(prepared.call, context)
        staged = await _diff(repository, "--cached")
        if is_staged_only:
            parts = [_Part("Staged changes (HEAD to index)", ("--cached",), staged)]
        else:
            parts = [
                _Part("Staged changes (HEAD to index)", ("--cached",), staged),
                _Part("Unstaged changes (index to working tree)", (), await _diff(repository)),
            ]
        body, notes = await _rendered(repository, parts)
        if not is_staged_only:
            notes.append(await _untracked_note(repository))
        notes.append(await outside_note(repository))
        is_truncated = any(part.is_cut for part in parts)
        return with_notes(body, notes, is_truncated=is_truncated)


class _Part:
    """One of the two differences."""

    def __init__(self, heading: str, options: Sequence[str], output: GitOutput) -> None:
        self.heading = heading
        self.options = options
        self.output = output
        self.is_cut = False

    def text(self, limit_bytes: int) -> str:
        """Return the part with its heading, the diff cut to ``limit_bytes``."""
        if not self.output.total_bytes:
            return f"{self.heading}: none\n"
        text, missing = cut_lines(self.output.stdout, self.output.total_bytes, limit_bytes)
        self.is_cut = missing > 0
        return f"{self.heading}:\n{text}" + ("" if text.endswith("\n") else "\n")


async def _diff(repository: OpenRepository, *options: str) -> GitOutput:
    return await repository.read(
        "diff",
        *_OPTIONS,
        submodule_option(repository),
        *options,
        "--",
        ".",
        keep_bytes=BODY_BYTES,
    )


async def _rendered(repository: OpenRepository, parts: Sequence[_Part]) -> tuple[str, list[str]]:
    room = BODY_BYTES - _LIST_BYTES - sum(len(part.heading) + 16 for part in parts)
    texts: list[str] = []
    notes: list[str] = []
    for number, part in enumerate(parts, start=1):
        # A later part may take what an earlier one leaves, and has half of all for itself.
        later = sum(min(other.output.total_bytes, room // 2) for other in parts[number:])
        texts.append(part.text(room - later))
        room -= min(part.output.total_bytes, room - later)
        if part.is_cut:
            notes.append(await _cut_note(repository, part))
    return "\n".join(texts), notes


async def _cut_note(repository: OpenRepository, part: _Part) -> str:
    """Return which files a cut part is about, since no argument gets the rest."""
    options = ("diff", *_OPTIONS, "--no-renames", "-z", submodule_option(repository))
    names = await repository.read(*options, "--name-status", *part.options, "--", ".")
    counts = await repository.read(*options, "--numstat", *part.options, "--", ".")
    rows = [change.row for change in read_changes(names.stdout, counts.stdout)]
    shown = rows[: rows_within(rows, _LIST_BYTES // 2)]
    rest = f"; and {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""
    hint = "" if "--cached" in part.options else "; staged: true shows the staged part alone"
    return (
        f"cut: of {part.output.total_bytes} bytes of {part.heading.split(' (')[0].lower()} only "
        f"the start is shown{hint}; read the files for the rest. Changed are "
        f"{counted(len(rows), 'file')}: " + "; ".join(shown) + rest
    )


async def _untracked_note(repository: OpenRepository) -> str:
    listing = await repository.read("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    names = [make_inert(name) for name in os.fsdecode(listing.stdout).split("\0") if name]
    if not names:
        return ""
    shown = names[:_NAMES_SHOWN]
    shown = shown[: max(rows_within(shown, _LIST_BYTES // 2), 1)]
    rest = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return f"{counted(len(names), 'new file')}, not tracked and so not in a diff: " + (
        ", ".join(shown) + rest
    )
