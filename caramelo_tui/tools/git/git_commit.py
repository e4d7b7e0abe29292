"""Stage files and make a commit.

Owns the ``git_commit`` tool: what is shown for approval, and that what is committed is what was
shown. The repository's hooks and signing run, so a workspace must be trusted. Proven by
tests/unit/tools/git/test_git_commit.py.
"""

from collections.abc import Mapping, Sequence

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
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.git.changes import ChangedFile
from caramelo_tui.tools.git.private_text import private_text
from caramelo_tui.tools.git.program import GitProgram, OpenRepository
from caramelo_tui.tools.git.staging import ALL, CommitPlan, plan_commit, staged_path
from caramelo_tui.tools.git.values import checked_text
from caramelo_tui.tools.output_limits import counted, limit_result, make_inert
from caramelo_tui.tools.shell.shell_run import as_text
from caramelo_tui.tools.validation import text_argument
from caramelo_tui.workspace.sandbox import Sandbox

ROWS_SHOWN = 50
"""Files named one by one before approval; the tree's hash binds the rest."""
_KINDS = {"A": "new", "D": "deleted"}

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "message": {
            "type": "string",
            "minLength": 1,
            "description": "Commit message; the first line is the subject.",
        },
        "files": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "description": "Paths of the files to commit. Default: all changes.",
        },
    },
    "required": ["message"],
    "additionalProperties": False,
}


class GitCommit:
    """Commit all changes of the workspace, or the named files."""

    effect = Effect.OTHER

    def __init__(self, git: GitProgram, *, allows_absolute: bool = False) -> None:
        """Wire.

        Args:
            git: The workspace's git.
            allows_absolute: Whether ``files`` may be absolute paths inside the workspace.
        """
        self._git = git
        self._allows_absolute = allows_absolute
        self._spec = ToolSpec(
            name="git_commit", description=description_of("git_commit"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Work out what the commit would hold; the repository stays as it is.

        Raises:
            ToolFailure: If the workspace is not trusted, a value is refused, or the commit
                cannot be made.
        """
        self._git.require_trust("git_commit")
        message = _message(arguments)
        paths = self._paths(arguments, context.sandbox)
        repository = await self._git.open(call, context)
        author = await _author(repository)
        plan = await plan_commit(repository, paths)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.OTHER,
            summary=make_inert(message.split("\n", 1)[0]),
            action=_action(plan, author, message),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Stage, look once more whether this is what was shown, and commit.

        Raises:
            ToolFailure: If the files changed since, or git or a hook refuses; what is staged
                then stays staged.
            asyncio.CancelledError: When interrupted; git and its hooks are dead then.
        """
        self._git.require_trust("git_commit")
        message = _message(prepared.arguments)
        paths = self._paths(prepared.arguments, context.sandbox)
        repository = await self._git.open(prepared.call, context)
        # Magic of their own instead of the variable, which hooks would inherit.
        literal = [f":(literal){path}" for path in paths]
        await repository.write("add", "--all", "--", *literal)
        plan = await plan_commit(repository, paths)
        if _action(plan, await _author(repository), message) != prepared.action:
            raise ToolFailure(
                "The files or the branch changed since the commit was shown, so nothing was "
                "committed. The files are staged. Make the call again."
            )
        with private_text(message) as file:
            options = [f"--file={file}", "--cleanup=whitespace"]
            if not plan.is_whole:
                options += ["--only", "--", *literal]
            try:
                done = await repository.write(
                    "commit", *options, on_output=as_text(context.emit_output)
                )
            except ToolFailure as failure:
                msg = f"{failure}\nNothing was committed. The files are staged."
                raise ToolFailure(msg) from failure
        return await _report(repository, plan, done.stderr)

    def _paths(self, arguments: Mapping[str, JsonValue], sandbox: Sandbox) -> tuple[str, ...]:
        files = arguments.get("files")
        if files is None:
            return ALL
        if not isinstance(files, list) or not files:
            raise ToolFailure("files: is empty; leave it out to commit all changes")
        paths = [
            staged_path(sandbox, str(file), allows_absolute=self._allows_absolute) for file in files
        ]
        return tuple(dict.fromkeys(paths))


def _message(arguments: Mapping[str, JsonValue]) -> str:
    message = checked_text("message", text_argument(arguments, "message"))
    if not message.strip():
        raise ToolFailure("message: is empty")
    return message


async def _author(repository: OpenRepository) -> str:
    """Return who commits, as ``Name <address>``.

    Raises:
        ToolFailure: If git does not know.
    """
    try:
        identity = await repository.read("var", "GIT_AUTHOR_IDENT")
        await repository.read("var", "GIT_COMMITTER_IDENT")
    except ToolFailure as failure:
        raise ToolFailure(
            "git does not know who commits. The user can set it with: git config --global "
            "user.name NAME, and the same for user.email"
        ) from failure
    return identity.text.strip().rsplit(" ", 2)[0]


def _action(plan: CommitPlan, author: str, message: str) -> Action:
    branch = plan.head.branch
    facts = [
        ActionFact(
            label="branch", value=branch if plan.head.commit else f"{branch} (first commit)"
        ),
        ActionFact(label="author", value=author),
        ActionFact(label="files", value=_counts(plan.changes)),
        *(ActionFact(label="file", value=row.row) for row in plan.changes[:ROWS_SHOWN]),
    ]
    if (rest := len(plan.changes) - ROWS_SHOWN) > 0:
        facts.append(ActionFact(label="file", value=f"and {rest} more"))
    if plan.concludes:
        facts.append(ActionFact(label="concludes", value=f"the {plan.concludes} in progress"))
    if plan.head.commit:
        facts.append(ActionFact(label="parent", value=plan.head.commit))
    facts.append(ActionFact(label="tree", value=plan.tree))
    return Action(
        kind=ActionKind.COMMIT,
        title=f"Commit {counted(len(plan.changes), 'file')} on branch {branch}",
        facts=tuple(facts),
        body=message,
    )


def _counts(changes: Sequence[ChangedFile]) -> str:
    kinds = [_KINDS.get(change.kind, "changed") for change in changes]
    parts = [
        f"{kinds.count(kind)} {kind}" for kind in ("new", "changed", "deleted") if kind in kinds
    ]
    return ", ".join(parts) or "none"


async def _report(repository: OpenRepository, plan: CommitPlan, said: str) -> ToolOutput:
    commit = (await repository.read("rev-parse", "--verify", "HEAD")).text.strip()
    tree = (await repository.read("rev-parse", "--verify", "HEAD^{tree}")).text.strip()
    lines = [
        f"commit: {commit}",
        f"branch: {make_inert(plan.head.branch)}",
        f"files: {_counts(plan.changes)}",
        "",
        *(change.row for change in plan.changes),
    ]
    if tree != plan.tree:
        lines += ["", "[a hook changed what was committed; see git_log and git_diff]"]
    if said:
        lines += ["", "git and hooks said:", said]
    text, is_truncated = limit_result("\n".join(lines) + "\n", "commit fewer files at once")
    return ToolOutput(text=text, is_truncated=is_truncated)
