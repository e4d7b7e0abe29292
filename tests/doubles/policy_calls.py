"""Prepared calls for tests of the policy, and an engine in made-up surroundings."""

from collections.abc import Sequence
from pathlib import Path

from caramelo_tui.domain.decisions import ApprovalMode, Decision
from caramelo_tui.domain.diffs import Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.domain.policy_settings import PolicySettings, ProtectedAction, Rule
from caramelo_tui.domain.tool_calls import (
    Action,
    ActionKind,
    CommandLine,
    Effect,
    PreparedCall,
    ToolCall,
)
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.shell_parts import Surroundings

ROOT = "/home/u/p/ws"
HOME = "/home/u"
SURROUNDINGS = Surroundings(root=ROOT, home=HOME)


FILE = "~/.config/caramelo/config.toml"


def configured(
    *, protected: Sequence[str] = (), blocked: Sequence[str] = (), denies: bool = False
) -> PolicySettings:
    """Return settings as a file would give them; rule number n stands in line n."""
    return PolicySettings(
        protected_paths=_rules(protected),
        blocked_commands=_rules(blocked),
        protected_action=ProtectedAction.DENY if denies else ProtectedAction.ASK,
        protected_action_origin=f"{FILE}:9" if denies else "built in",
    )


def _rules(texts: Sequence[str]) -> tuple[Rule, ...]:
    return tuple(
        Rule(text=text, origin=f"{FILE}:{number}") for number, text in enumerate(texts, start=1)
    )


def engine(
    settings: PolicySettings | None = None,
    *,
    profile: str = "caramelo",
    grants: SessionGrants | None = None,
) -> PolicyEngine:
    """Return an engine for a workspace that is not on this disk."""
    return PolicyEngine(
        root=Path(ROOT),
        home=Path(HOME),
        profile=profile,
        settings=settings or PolicySettings(),
        grants=grants,
    )


def prepared(
    tool: str,
    effect: Effect,
    *,
    proposal: WriteProposal | None = None,
    command: CommandLine | None = None,
    action: Action | None = None,
) -> PreparedCall:
    """Return a prepared call with nothing but what the policy looks at."""
    return PreparedCall(
        call=ToolCall(id=CallId("call-1"), name=tool, arguments_json="{}"),
        arguments={},
        effect=effect,
        summary="",
        proposal=proposal,
        command=command,
        action=action,
    )


def action_call(kind: ActionKind, *, asks_because: str = "") -> PreparedCall:
    """Return a call that would do something else than read, write or run a command."""
    action = Action(kind=kind, title="Do it", asks_because=asks_because)
    return prepared("some_tool", Effect.OTHER, action=action)


def command_call(command: str, *, tool: str = "bash", cwd: str = ".") -> PreparedCall:
    """Return a call that would run a command."""
    line = CommandLine(command=command, cwd=cwd, timeout_ms=30_000)
    return prepared(tool, Effect.COMMAND, command=line)


def write_call(
    path: str, *, shown: str | None = None, hard_links: int = 1, lines: int = 1
) -> PreparedCall:
    """Return a call that would write a new file of so many lines."""
    hunk = Hunk(
        id=HunkId("hunk-1"), old_start=1, old_lines=(), new_start=1, new_lines=("x\n",) * lines
    )
    proposal = WriteProposal(
        call_id=CallId("call-1"),
        path=path,
        shown_path=shown or path,
        edit=WholeContent(content="x\n" * lines, can_overwrite=True),
        before=None,
        after=b"x\n" * lines,
        hunks=(hunk,),
        base_hash=None,
        hard_links=hard_links,
    )
    return prepared("file_write", Effect.WRITE, proposal=proposal)


def decide(command: str, *, tool: str = "bash", settings: PolicySettings | None = None) -> Decision:
    """Return the decision on a command in the most permissive mode."""
    return engine(settings).decide(command_call(command, tool=tool), mode=ApprovalMode.AUTO)
