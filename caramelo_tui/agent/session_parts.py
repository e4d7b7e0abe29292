"""Say what a session's agent needs of those around its runs.

Owns the protocols of those who act for the controller, and the value that holds them together. Does
nothing itself. Proven by tests/unit/agent/test_controller.py.
"""

from collections.abc import AsyncIterable, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Protocol

from caramelo_tui.agent.clipboard_port import ClipboardPort, NoClipboard
from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.context_port import ContextPort, NoContext
from caramelo_tui.agent.disk_watch import DiskWatch
from caramelo_tui.agent.git_port import GitPort
from caramelo_tui.agent.git_view import NoGitView
from caramelo_tui.agent.images import NoImages
from caramelo_tui.agent.images_port import ImagesPort
from caramelo_tui.agent.models_port import AnsweringModel, FixedModel, SessionModels
from caramelo_tui.agent.own_commands import OwnCommands
from caramelo_tui.agent.port import AgentInfo, SkillInfo
from caramelo_tui.agent.reports_port import NoReports, ReportsPort
from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.session_rules import SessionRules
from caramelo_tui.agent.sessions_port import NoSessions, SessionsPort
from caramelo_tui.agent.undo_port import NoUndo, UndoPort
from caramelo_tui.agent.user_commands import UserCommand
from caramelo_tui.agent.workspace_view import WorkspaceView
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CommandLine, ToolResult
from caramelo_tui.providers.base import Provider


class CallCanceller(Protocol):
    """Who can cancel a single running call; the call pipeline, or the sub-agents'."""

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel it; ``False`` when it is not running."""
        ...


class CallRepeater(Protocol):
    """Who can run a read again for the user; the call pipeline."""

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Return what it gives now; ``None`` for a call that is no cacheable read."""
        ...


class CommandExplainer(Protocol):
    """Who says what a command consists of; the call pipeline."""

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Return the parts of a command, with what is risky about each."""
        ...


class MainCalls(CallCanceller, CallRepeater, CommandExplainer, Protocol):
    """The calls of the main agent."""


class SkillChoice(Protocol):
    """Who knows the loaded skills."""

    @property
    def infos(self) -> tuple[SkillInfo, ...]:
        """The skills that are loaded, by name."""
        ...

    def activate(self, name: str) -> str:
        """Keep a skill active to the end of the session; return why not, empty: it is."""
        ...


class NoSkillChoice:
    """For a session without skills."""

    @property
    def infos(self) -> tuple[SkillInfo, ...]:
        """No skills."""
        return ()

    def activate(self, name: str) -> str:
        """Return that there is no such skill."""
        return f"There is no skill {name!r}; none is loaded."


class Recorder(Protocol):
    """A reader that keeps the events; the session recorder."""

    def record(self, events: AsyncIterable[AgentEvent]) -> Coroutine[object, object, None]:
        """Keep events until they end."""
        ...

    async def kept(self, seq: int) -> None:
        """Return once the event with this number is kept, or nobody can keep it."""
        ...


def fixed_model(info: AgentInfo) -> FixedModel:
    """Return the models of a session whose model stays."""
    return FixedModel(
        AnsweringModel(
            provider=info.provider,
            model=info.model,
            context_window=info.context_window,
            endpoint_note=info.endpoint_note,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What lives as long as the session, beside the runs."""

    provider: Provider
    calls: MainCalls
    subagents: CallCanceller
    rules: SessionRules
    commands: CommandActivity
    disk: DiskWatch
    view: WorkspaceView
    end_commands: Callable[[], Awaitable[None]]
    """Ends every process of the session."""
    recorder: Recorder | None
    """``None``: nothing is kept (``--no-session``)."""
    models: SessionModels | None = None
    """``None``: the model stays."""
    reports: ReportsPort = field(default_factory=NoReports)
    """Tells of settings, rules, tools and cache."""
    sessions: SessionsPort = field(default_factory=NoSessions)
    """The stored sessions of the workspace."""
    waiting: tuple[str, ...] = ()
    """Prompts that waited when the session was left, oldest first."""
    skills: SkillChoice = field(default_factory=NoSkillChoice)
    undo: UndoPort = field(default_factory=NoUndo)
    chores: tuple[Callable[[], Coroutine[object, object, None]], ...] = ()
    """Work beside the session, begun with it and cancelled at its end."""
    context: ContextPort = field(default_factory=NoContext)
    clipboard: ClipboardPort = field(default_factory=NoClipboard)
    images: ImagesPort = field(default_factory=NoImages)
    """Reads images for prompts."""
    git: GitPort = field(default_factory=NoGitView)
    retry_wait: RetryWait = field(default_factory=RetryWait)
    """Where requests that failed wait to be sent again."""
    own_commands: OwnCommands | None = None
    """Runs what the user types for themselves; ``None``: nobody does."""
    user_commands: tuple[UserCommand, ...] = ()
    """The user's own commands and a trusted workspace's, by name."""
