"""Push the current branch and open a pull request.

Owns the ``create_pull_request`` tool: what is shown for approval and the order of its steps. What
is pushed is the commit that was shown. Always asked; needs a trusted workspace. Proven by
tests/unit/tools/git/test_create_pull_request.py and tests/contract/test_git_gh.py.
"""

import re
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
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.git.head import read_head
from caramelo_tui.tools.git.private_text import private_text
from caramelo_tui.tools.git.program import GitOutput, GitProgram, OpenRepository
from caramelo_tui.tools.git.remotes import Remote, push_remote
from caramelo_tui.tools.git.values import checked_text, checked_title, require_branch_name
from caramelo_tui.tools.output_limits import counted, make_inert
from caramelo_tui.tools.shell.shell_run import as_text
from caramelo_tui.tools.validation import flag_argument, text_argument

DEFAULT_BASE = "main"
SUBJECTS_SHOWN = 20
"""Commits named one by one before approval; the head's hash binds the rest."""
_PULL_REQUEST = re.compile(r"https?://[^\s]+/pull/(?P<number>\d+)")

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "description": "Title; one line."},
        "body": {"type": "string", "default": "", "description": "Description, Markdown."},
        "base": {
            "type": "string",
            "minLength": 1,
            "default": DEFAULT_BASE,
            "description": "Branch to merge into. Default main.",
        },
        "draft": {
            "type": "boolean",
            "default": False,
            "description": "Open as a draft. Default false.",
        },
    },
    "required": ["title"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """One pull request to be made."""

    title: str
    body: str
    base: str
    is_draft: bool
    branch: str
    commit: str
    remote: Remote
    subjects: tuple[str, ...]
    """Commits that the remote's base is not known to have, newest first."""


class CreatePullRequest:
    """Open a pull request for the current branch."""

    effect = Effect.OTHER

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._spec = ToolSpec(
            name="create_pull_request",
            description=description_of("create_pull_request"),
            input_schema=_SCHEMA,
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Work out what would be pushed and opened; speaks to nobody.

        Raises:
            ToolFailure: If the workspace is not trusted, a value is refused, gh is missing, or
                the branch cannot be one of a pull request.
        """
        repository = await self._open(call, context)
        plan = await _plan(repository, arguments)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.OTHER,
            summary=make_inert(plan.title),
            action=_action(plan),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """Look at the remote's base, push, and open the pull request.

        Raises:
            ToolFailure: If a step fails; the text says what was done before it.
            asyncio.CancelledError: When interrupted; what was pushed by then stays pushed.
        """
        repository = await self._open(prepared.call, context)
        plan = await _plan(repository, prepared.arguments)
        if _action(plan) != prepared.action:
            raise ToolFailure(
                "The branch changed since the call was shown, so nothing was pushed. Make it again."
            )
        await _require_base(repository, plan)
        pushed = await repository.speak(
            "push",
            "--no-follow-tags",
            "--recurse-submodules=no",
            "--",
            plan.remote.name,
            f"{plan.commit}:refs/heads/{plan.branch}",
            on_output=as_text(context.emit_output),
        )
        note = await _follow(repository, plan)
        opened = await _open_pull_request(repository, plan)
        return ToolOutput(text=_report(plan, pushed, opened, note))

    async def _open(self, call: ToolCall, context: ToolContext) -> OpenRepository:
        self._git.require_trust("create_pull_request")
        repository = await self._git.open(call, context)
        self._git.require_gh()
        return repository


async def _plan(repository: OpenRepository, arguments: Mapping[str, JsonValue]) -> _Plan:
    """Check the values and look at the branch.

    Raises:
        ToolFailure: If a value is refused or there is nothing to push.
    """
    title = checked_title("title", text_argument(arguments, "title"))
    body = checked_text("body", text_argument(arguments, "body"))
    base = text_argument(arguments, "base", DEFAULT_BASE)
    await require_branch_name(repository, "base", base)
    head = await read_head(repository)
    if not head.branch:
        raise ToolFailure("HEAD is detached: make a branch first with git_branch create")
    if not head.commit:
        raise ToolFailure("there are no commits yet: make one first with git_commit")
    if head.branch == base:
        msg = (
            f"{make_inert(base)} is the base branch itself, and nothing was pushed: make a "
            "branch first with git_branch create, or name another base"
        )
        raise ToolFailure(msg)
    await require_branch_name(repository, "the current branch", head.branch)
    remote = await push_remote(repository, head.branch)
    return _Plan(
        title=title,
        body=body,
        base=base,
        is_draft=flag_argument(arguments, "draft"),
        branch=head.branch,
        commit=head.commit,
        remote=remote,
        subjects=await _subjects(repository, remote, base),
    )


async def _subjects(repository: OpenRepository, remote: Remote, base: str) -> tuple[str, ...]:
    known = f"refs/remotes/{remote.name}/{base}"
    is_known = await repository.read("rev-parse", "--verify", "--quiet", known, ends_with=(0, 1))
    if is_known.exit_code:
        return ()
    options = ("log", "--format=%h %s", "--no-show-signature", "--no-color", "--no-patch")
    rows = await repository.read(*options, f"{known}..HEAD", "--")
    return tuple(rows.text.splitlines())


def _action(plan: _Plan) -> Action:
    facts = [
        ActionFact(label="branch", value=plan.branch),
        ActionFact(label="commit", value=plan.commit),
        ActionFact(label="remote", value=plan.remote.name),
        *(ActionFact(label="pushed to", value=address) for address in plan.remote.addresses),
        ActionFact(label="repository", value=plan.remote.slug or "as gh finds it"),
        ActionFact(label="base", value=plan.base),
        ActionFact(label="draft", value="yes" if plan.is_draft else "no"),
        ActionFact(label="title", value=plan.title),
    ]
    if plan.subjects:
        facts.append(ActionFact(label="commits", value=f"{len(plan.subjects)} that the base lacks"))
        facts += [ActionFact(label="commit", value=row) for row in plan.subjects[:SUBJECTS_SHOWN]]
    if (rest := len(plan.subjects) - SUBJECTS_SHOWN) > 0:
        facts.append(ActionFact(label="commit", value=f"and {rest} more"))
    return Action(
        kind=ActionKind.PULL_REQUEST,
        title=f"Push branch {make_inert(plan.branch)} and open a pull request",
        facts=tuple(facts),
        body=plan.body,
    )


async def _require_base(repository: OpenRepository, plan: _Plan) -> None:
    """Ask the remote for the base.

    Raises:
        ToolFailure: If it cannot be asked or has no such branch.
    """
    reference = f"refs/heads/{plan.base}"
    answer = await repository.speak(
        "ls-remote", "--symref", "--", plan.remote.name, "HEAD", reference
    )
    default, has_base = "", False
    for row in answer.text.splitlines():
        value, _, name = row.partition("\t")
        has_base = has_base or name == reference
        if name == "HEAD" and value.startswith("ref: "):
            default = value.removeprefix("ref: ").removeprefix("refs/heads/")
    if has_base:
        return
    hint = (
        f"its default branch is {make_inert(default)}: name that as base"
        if default
        else "it has no default branch; is it empty?"
    )
    msg = (
        f"The remote {make_inert(plan.remote.name)} has no branch {make_inert(plan.base)}; "
        f"{hint}. Nothing was pushed."
    )
    raise ToolFailure(msg)


async def _follow(repository: OpenRepository, plan: _Plan) -> str:
    """Set the pushed branch as upstream; return why that could not be done, if so."""
    upstream = f"{plan.remote.name}/{plan.branch}"
    try:
        await repository.write("branch", f"--set-upstream-to={upstream}", "--", plan.branch)
    except ToolFailure as failure:
        # The branch is pushed all the same, and a later push names it again.
        return f"the branch does not follow {upstream}: {failure}"
    return ""


async def _open_pull_request(repository: OpenRepository, plan: _Plan) -> GitOutput:
    with private_text(plan.body) as file:
        arguments = [
            f"--title={plan.title}",
            f"--body-file={file}",
            f"--base={plan.base}",
            f"--head={plan.branch}",
        ]
        if plan.remote.slug:
            arguments.append(f"--repo={plan.remote.slug}")
        if plan.is_draft:
            arguments.append("--draft")
        try:
            return await repository.gh("pr", "create", *arguments)
        except ToolFailure as failure:
            msg = (
                f"The branch {make_inert(plan.branch)} was pushed, but the pull request was not "
                f"created: {failure}"
            )
            raise ToolFailure(msg) from failure


def _report(plan: _Plan, pushed: GitOutput, opened: GitOutput, note: str) -> str:
    match = _PULL_REQUEST.search(opened.text)
    lines = (
        [f"pull request: #{match.group('number')}", f"url: {match.group()}"]
        if match
        else ["pull request: created, but gh named no number", opened.text.strip()]
    )
    lines += [
        f"branch: {make_inert(plan.branch)} into {make_inert(plan.base)}",
        f"pushed: {counted(len(plan.subjects), 'commit')}, head {plan.commit}"
        if plan.subjects
        else f"pushed: head {plan.commit}",
    ]
    if note:
        lines.append(f"note: {note}")
    if pushed.stderr:
        lines += ["", "git and hooks said:", pushed.stderr]
    return "\n".join(lines) + "\n"
