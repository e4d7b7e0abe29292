"""Name what the call pipeline is given.

Owns the narrow protocols of the rooms that the pipeline calls, so that tests give it doubles
instead of patches. Holds no logic. Proven by tests/unit/agent/test_call_pipeline.py.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.agent.approval_broker import ApprovalBroker, EventSink
from caramelo_tui.agent.command_captures import NO_CAPTURES, Captures
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.ids import CallId, Clock, IdSource, RunId, TurnId
from caramelo_tui.domain.policy_settings import BUILT_IN
from caramelo_tui.domain.tool_calls import PreparedCall, ToolSpec
from caramelo_tui.tools.base import OutputSink, Tool, ToolContext
from caramelo_tui.workspace.journal_entries import JournalEntry


class Policy(Protocol):
    """Who decides whether a prepared call may run."""

    def decide(
        self,
        prepared: PreparedCall,
        *,
        mode: ApprovalMode,
        pending_lines: int = 0,
        mode_origin: str = BUILT_IN,
    ) -> Decision:
        """Return the decision; never raises for what a model can send.

        Args:
            prepared: The call.
            mode: The approval mode in force.
            pending_lines: Changed lines of this turn's earlier writes that are still open.
            mode_origin: Where the mode was set.
        """
        ...

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        """Return the simple commands of a command line with their risks.

        Args:
            command: The literal command line.
            cwd: Workspace-relative folder in which it would start.
        """
        ...


class LineCount(Protocol):
    """Who counts the changed lines of the session; the policy's ledger."""

    def book(self, lines: int) -> None:
        """Add the added and removed lines of one successful write."""
        ...


class Offered(Protocol):
    """The tools that are offered right now; a registry, or what chooses one."""

    def get(self, name: str) -> Tool | None:
        """Return the tool of exactly that name, ``None`` when it is not offered."""
        ...

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """Specs of the offered tools, in a stable order."""
        ...

    def unknown_tool_text(self, name: str) -> str:
        """Return the error result for a name that is not offered."""
        ...


async def at_once() -> None:
    """Wait for nothing."""


class ImageJournal(Protocol):
    """Keeps what files were before calls changed them."""

    def record(
        self,
        *,
        call_id: CallId,
        turn_id: TurnId,
        run_id: RunId,
        path: str,
        before: bytes | None,
        after: bytes | None,
    ) -> JournalEntry:
        """Keep both images of one change; on disk when it returns. Blocks.

        Raises:
            OSError: If it cannot be stored; then the change is not made.
        """
        ...

    def void(self, *entries: JournalEntry) -> None:
        """Say that changes did not happen after all, because they could not be written."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineParts:
    """Everything that the pipeline calls, wired once per agent."""

    registry: Offered
    policy: Policy
    broker: ApprovalBroker
    cache: CallCache
    journal: ImageJournal
    events: EventSink
    clock: Clock
    ids: IdSource
    mode: CurrentMode
    """The approval mode in force now."""
    context: Callable[[OutputSink], ToolContext]
    """What a tool can reach, with the place where its live output goes; every context has the
    same overlay."""
    remember: Callable[[Mapping[str, FileStamp | None]], None]
    """Takes what the model knows of files after a turn; see ``OutsideChanges.remember``."""
    lines: LineCount
    captures: Captures = NO_CAPTURES
    """Keeps what commands change."""
    before_effects: Callable[[], Awaitable[None]] = at_once
    """Waited for before a turn that does more than read; a sub-agent waits for its turn to
    write there."""
    agent_title: str = ""
    """Title of the sub-agent; empty for the main agent."""
