"""List, create and switch branches.

Owns the ``git_branch`` tool. Listing is a read; the others change the working tree, run the
repository's hooks and filters, and need a trusted workspace. Proven by
tests/unit/tools/git/test_git_branch.py.
"""

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
from caramelo_tui.tools.git.head import Head, read_head
from caramelo_tui.tools.git.program import GitProgram, OpenRepository
from caramelo_tui.tools.git.reading import BODY_BYTES, with_notes
from caramelo_tui.tools.git.values import require_branch_name
from caramelo_tui.tools.output_limits import LISTING_LIMIT, counted, make_inert, rows_within
from caramelo_tui.tools.shell.shell_run import as_text
from caramelo_tui.tools.validation import text_argument

_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "enum": ["create", "switch", "list"],
            "description": "create also switches to the new branch.",
        },
        "name": {
            "type": "string",
            "minLength": 1,
            "description": "Branch name; required for create and switch.",
        },
    },
    "required": ["action"],
    "additionalProperties": False,
}
_ROW = "%(if)%(symref)%(then)%(else)%(HEAD) {name} %(objectname:short) %(upstream:short)%(end)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What a create or switch does."""

    title: str
    target: str
    """Hash of the commit that it leads to; empty in a repository without commits."""
    origin: str
    """Branch of a remote that the new branch follows; empty when there is none."""
    arguments: tuple[str, ...]
    """For git."""
    done: str
    """Sentence of the result."""


class GitBranch:
    """List branches, or go to another one."""

    effect = Effect.OTHER

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._spec = ToolSpec(
            name="git_branch", description=description_of("git_branch"), input_schema=_SCHEMA
        )

    @property
    def spec(self) -> ToolSpec:
        """Name, description and schema."""
        return self._spec

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        """Check the name and work out where the branch leads; changes nothing.

        Raises:
            ToolFailure: If the name is missing or refused, the workspace is not trusted, or
                the branch exists already or does not exist.
        """
        action = text_argument(arguments, "action")
        name = text_argument(arguments, "name")
        if action == "list":
            return PreparedCall(
                call=call, arguments=arguments, effect=Effect.READ, summary="list", paths=(".",)
            )
        if not name:
            msg = f"name: is required for {action}"
            raise ToolFailure(msg)
        self._git.require_trust(f"git_branch {action}")
        repository = await self._git.open(call, context)
        head = await read_head(repository)
        step = await _step(repository, action, name, head)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=Effect.OTHER,
            summary=f"{action} {make_inert(name)}",
            action=_action(step, head, repository),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        """List, or create or switch with the user's hooks.

        Raises:
            ToolFailure: If git refuses, such as a switch that would lose changes.
            asyncio.CancelledError: When interrupted; git and its hooks are dead then.
        """
        action = text_argument(prepared.arguments, "action")
        repository = await self._git.open(prepared.call, context)
        if action == "list":
            return await _listing(repository)
        self._git.require_trust(f"git_branch {action}")
        head = await read_head(repository)
        step = await _step(repository, action, text_argument(prepared.arguments, "name"), head)
        if _action(step, head, repository) != prepared.action:
            raise ToolFailure(
                "The branches changed since the call was shown, so nothing was done. Make it again."
            )
        done = await repository.write(*step.arguments, on_output=as_text(context.emit_output))
        # What git says itself is said already; hooks and hints about the remote are not.
        said = [row for row in done.stderr.splitlines() if not row.startswith("Switched to ")]
        return with_notes(f"{step.done}\n{done.text}", ["\n".join(said)])


def _action(step: _Step, head: Head, repository: OpenRepository) -> Action:
    facts = [
        ActionFact(label="from", value=head.name),
        ActionFact(label="commit", value=step.target or "none yet"),
    ]
    if step.origin:
        facts.append(ActionFact(label="follows", value=step.origin))
    if repository.place.prefix and step.target != head.commit:
        top = str(repository.place.top)
        facts.append(
            ActionFact(label="also changes", value=f"files outside the workspace, in {top}")
        )
    return Action(kind=ActionKind.BRANCH, title=step.title, facts=tuple(facts))


async def _step(repository: OpenRepository, action: str, name: str, head: Head) -> _Step:
    """Work out one create or switch.

    Raises:
        ToolFailure: If the name is refused or there is nothing to go to.
    """
    await require_branch_name(repository, "name", name)
    shown = make_inert(name)
    target = await _commit_of(repository, f"refs/heads/{name}")
    if action == "create":
        if target or name == head.branch:
            msg = f"name: there is already a branch {shown}; use action switch to go to it"
            raise ToolFailure(msg)
        return _Step(
            title=f"Create branch {shown} and switch to it",
            target=head.commit,
            origin="",
            arguments=("switch", "--no-track", "--create", name),
            done=f"Created branch {shown} at {head.commit[:10] or 'no commit yet'}; it is current.",
        )
    if name == head.branch:
        msg = f"name: {shown} is the current branch already"
        raise ToolFailure(msg)
    if target:
        return _Step(
            title=f"Switch to branch {shown}",
            target=target,
            origin="",
            arguments=("switch", "--no-guess", name),
            done=f"Switched to branch {shown} at {target[:10]}.",
        )
    return await _step_to_remote(repository, name)


async def _step_to_remote(repository: OpenRepository, name: str) -> _Step:
    shown = make_inert(name)
    remotes = (await repository.read("remote")).text.splitlines()
    found = {
        f"{remote}/{name}": commit
        for remote in remotes
        if (commit := await _commit_of(repository, f"refs/remotes/{remote}/{name}"))
    }
    if not found:
        msg = f"name: there is no branch {shown}; see git_branch list, or use action create"
        raise ToolFailure(msg)
    if len(found) > 1:
        several = ", ".join(make_inert(origin) for origin in found)
        msg = f"name: several remotes have a branch {shown} ({several}); pick one with a command"
        raise ToolFailure(msg)
    origin, commit = found.popitem()
    return _Step(
        title=f"Create branch {shown} from {make_inert(origin)} and switch to it",
        target=commit,
        origin=origin,
        arguments=("switch", "--track", "--create", name, f"refs/remotes/{origin}"),
        done=f"Created branch {shown} from {make_inert(origin)} at {commit[:10]}; it is current.",
    )


async def _commit_of(repository: OpenRepository, reference: str) -> str:
    found = await repository.read(
        "rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}", ends_with=(0, 1)
    )
    return found.text.strip()


async def _listing(repository: OpenRepository) -> ToolOutput:
    head = await read_head(repository)
    rows: list[str] = []
    for pattern, name in (
        ("refs/heads", "%(refname:lstrip=2)"),
        ("refs/remotes", "%(refname:lstrip=1)"),
    ):
        form = _ROW.format(name=name)
        found = await repository.read("for-each-ref", "--sort=refname", f"--format={form}", pattern)
        rows += [row.rstrip() for row in found.text.splitlines() if row.strip()]
    shown = rows[:LISTING_LIMIT]
    shown = shown[: rows_within(shown, BODY_BYTES)]
    missing = len(rows) - len(shown)
    notes = (
        f"{counted(missing, 'branch', 'branches')} more" if missing else "",
        "" if head.branch else f"HEAD is detached at {head.commit[:10]}",
        "" if head.commit else f"no commits yet on {make_inert(head.name)}",
    )
    return with_notes("".join(f"{row}\n" for row in shown), notes, is_truncated=missing > 0)
