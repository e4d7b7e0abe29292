"""Prepared calls for tests of the policy, and an engine in made-up surroundings."""

from pathlib import Path

from caramelo_tui.domain.decisions import ApprovalMode, Decision
from caramelo_tui.domain.diffs import WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CommandLine, Effect, PreparedCall, ToolCall
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.rules import PolicyRules
from caramelo_tui.policy.shell_parts import Surroundings

ROOT = "/home/u/p/ws"
HOME = "/home/u"
SURROUNDINGS = Surroundings(root=ROOT, home=HOME)


def engine(rules: PolicyRules | None = None) -> PolicyEngine:
    """Return an engine for a workspace that is not on this disk."""
    return PolicyEngine(root=Path(ROOT), home=Path(HOME), rules=rules)


def prepared(
    tool: str,
    effect: Effect,
    *,
    proposal: WriteProposal | None = None,
    command: CommandLine | None = None,
) -> PreparedCall:
    """Return a prepared call with nothing but what the policy looks at."""
    return PreparedCall(
        call=ToolCall(id=CallId("call-1"), name=tool, arguments_json="{}"),
        arguments={},
        effect=effect,
        summary="",
        proposal=proposal,
        command=command,
    )


def command_call(command: str, *, tool: str = "bash", cwd: str = ".") -> PreparedCall:
    """Return a call that would run a command."""
    line = CommandLine(command=command, cwd=cwd, timeout_ms=30_000)
    return prepared(tool, Effect.COMMAND, command=line)


def write_call(path: str, *, shown: str | None = None, hard_links: int = 1) -> PreparedCall:
    """Return a call that would write a file."""
    proposal = WriteProposal(
        call_id=CallId("call-1"),
        path=path,
        shown_path=shown or path,
        edit=WholeContent(content="x\n", can_overwrite=True),
        before=None,
        after=b"x\n",
        hunks=(),
        base_hash=None,
        hard_links=hard_links,
    )
    return prepared("file_write", Effect.WRITE, proposal=proposal)


def decide(command: str, *, tool: str = "bash", rules: PolicyRules | None = None) -> Decision:
    """Return the decision on a command in the most permissive mode."""
    return engine(rules).decide(command_call(command, tool=tool), mode=ApprovalMode.AUTO)
