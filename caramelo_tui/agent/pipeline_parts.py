"""Name what the call pipeline is given.

Owns the narrow protocols of the rooms that the pipeline calls, so that tests give it doubles
instead of patches. Holds no logic. Proven by tests/unit/agent/test_call_pipeline.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.agent.approval_broker import ApprovalBroker, EventSink
from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.ids import CallId, Clock, IdSource, RunId, TurnId
from caramelo_tui.domain.tool_calls import PreparedCall
from caramelo_tui.tools.base import OutputSink, ToolContext
from caramelo_tui.tools.registry import ToolRegistry


class Policy(Protocol):
    """Who decides whether a prepared call may run."""

    def decide(self, prepared: PreparedCall, *, mode: ApprovalMode) -> Decision:
        """Return the decision; never raises for what a model can send."""
        ...

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        """Return the simple commands of a command line with their risks.

        Args:
            command: The literal command line.
            cwd: Workspace-relative folder in which it would start.
        """
        ...


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
    ) -> object:
        """Keep both images of one change; on disk when it returns. Blocks.

        Raises:
            OSError: If it cannot be stored; then the change is not made.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineParts:
    """Everything that the pipeline calls, wired once per agent."""

    registry: ToolRegistry
    policy: Policy
    broker: ApprovalBroker
    cache: CallCache
    journal: ImageJournal
    events: EventSink
    clock: Clock
    ids: IdSource
    mode: Callable[[], ApprovalMode]
    """The approval mode in force now."""
    context: Callable[[OutputSink], ToolContext]
    """What a tool can reach, with the place where its live output goes; every context has the
    same overlay."""
    remember: Callable[[Mapping[str, FileStamp | None]], None]
    """Takes what the model knows of files after a turn; see ``OutsideChanges.remember``."""
    agent_title: str = ""
    """Title of the sub-agent; empty for the main agent."""
