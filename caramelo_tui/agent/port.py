"""What the user interface may ask of the agent.

Owns the protocol between the two worlds: calls go down through ``AgentPort``, values come
up as ``AgentEvent``. The controller implements it; tests of the UI use a double. Nothing
else crosses. Proven by tests/pilot/ and tests/unit/agent/test_controller.py.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from caramelo_tui.agent.clipboard_port import ClipboardPort
from caramelo_tui.agent.context_port import ContextPort
from caramelo_tui.agent.git_port import GitPort
from caramelo_tui.agent.images_port import ImagesPort
from caramelo_tui.agent.models_port import ModelsPort
from caramelo_tui.agent.reports_port import ReportsPort
from caramelo_tui.agent.retries_port import RetriesPort
from caramelo_tui.agent.rules_port import RulesPort
from caramelo_tui.agent.sessions_port import SessionsPort
from caramelo_tui.agent.undo_port import UndoPort
from caramelo_tui.agent.user_commands import UserCommand
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.approvals import ApprovalAnswer
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart
from caramelo_tui.domain.files import FolderEntry
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.tool_calls import CommandLine, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """What the status bar and the title show."""

    workspace: Path
    """Resolved root."""
    provider: str
    model: str
    profile: str
    is_trusted: bool
    is_demo: bool
    endpoint_note: str = ""
    """Said when the base URL comes from the environment and is not the vendor's."""
    context_window: int | None = None
    is_watching: bool = True
    """Whether changes of files by others are noticed at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillInfo:
    """A loaded skill, for the palette."""

    name: str
    description: str
    is_active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """Start of a file for the preview."""

    path: str
    text: str
    """At most 256 KB, screen-unsafe as it is in the file."""
    size: int
    """Bytes on disk."""
    problem: str = ""
    """Why there is no text (binary, not UTF-8, gone)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileList:
    """What can be mentioned in a prompt."""

    paths: tuple[str, ...]
    """Workspace-relative, each once; folders end in ``/``."""
    is_whole: bool
    """``False`` when there are more than are listed."""


class EventReader(Protocol):
    """One reader of the event stream; unbounded, loses nothing."""

    def __aiter__(self) -> AsyncIterator[AgentEvent]:
        """Yield events in order of ``seq``, until closed."""
        ...

    async def __anext__(self) -> AgentEvent:
        """Return the next event; a cancelled wait loses none."""
        ...

    def close(self) -> None:
        """Stop reading; the iteration ends."""
        ...


class AgentPort(Protocol):
    """The agent as the UI sees it. No method blocks; errors come back as notices."""

    @property
    def info(self) -> AgentInfo:
        """What holds now; provider and model may change."""
        ...

    @property
    def reports(self) -> ReportsPort:
        """Who tells of settings, rules, tools and cache."""
        ...

    @property
    def models(self) -> ModelsPort:
        """Which models there are, and which is used for what."""
        ...

    @property
    def mode(self) -> ApprovalMode:
        """The approval mode in force."""
        ...

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        ...

    @property
    def queued_prompts(self) -> tuple[str, ...]:
        """Prompts that wait, those for the next turn first, each kind oldest first."""
        ...

    @property
    def sessions(self) -> SessionsPort:
        """The stored sessions of the workspace."""
        ...

    @property
    def retries(self) -> RetriesPort:
        """Requests that failed."""
        ...

    def read_events(self) -> EventReader:
        """Open a reader that sees every event from the session's first."""
        ...

    def submit(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Start a run, or queue the prompt while one is under way."""
        ...

    def steer(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> bool:
        """Give the run under way a further prompt, with its next turn; ``False``: none is."""
        ...

    @property
    def context(self) -> ContextPort:
        """The context of the main agent, and what the session's requests cost."""
        ...

    @property
    def clipboard(self) -> ClipboardPort:
        """The system's clipboard."""
        ...

    @property
    def images(self) -> ImagesPort:
        """Images on their way into a prompt."""
        ...

    @property
    def git(self) -> GitPort:
        """The workspace's repository, for the person's eyes."""
        ...

    @property
    def rules(self) -> RulesPort:
        """What the user allowed or blocked for the session."""
        ...

    @property
    def undo(self) -> UndoPort:
        """The changes of files, to be taken back."""
        ...

    def send_next_queued(self) -> bool:
        """Start the oldest queued prompt; ``False`` when running or none waits."""
        ...

    def take_back_queue(self) -> tuple[str, ...]:
        """Return all prompts that wait, as in ``queued_prompts``; they wait no more."""
        ...

    def take_back_prompt(self, text: str) -> bool:
        """Let the newest waiting prompt with this text wait no more; ``False``: none does."""
        ...

    def interrupt(self) -> bool:
        """Stop the run and withdraw its questions, without one the user's own newest command.

        ``False`` when there is neither.
        """
        ...

    def answer(self, approval_id: ApprovalId, answer: ApprovalAnswer) -> bool:
        """Settle a question; ``False`` when it is settled or withdrawn already."""
        ...

    def set_mode(self, mode: ApprovalMode) -> None:
        """Change the approval mode for the calls decided from now on."""
        ...

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one running command; the run goes on. ``False`` when it is not running."""
        ...

    def end_background(self, pid: int) -> bool:
        """End a process that a command left running."""
        ...

    def read_artifact(self, name: str) -> bytes | None:
        """Return a kept whole output (at most 10 MB), ``None`` when it is gone."""
        ...

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Return the parts of a command that the user wrote, with what is risky about each."""
        ...

    @property
    def skills(self) -> tuple[SkillInfo, ...]:
        """The skills that are loaded, by name."""
        ...

    @property
    def user_commands(self) -> tuple[UserCommand, ...]:
        """The user's own commands and a trusted workspace's, by name."""
        ...

    def activate_skill(self, name: str) -> str:
        """Keep a skill active to the end of the session.

        Returns:
            Why not (no such skill); empty: it is active.
        """
        ...

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Run a finished read again past the cache, for the user only.

        Returns:
            What it gives now; ``None`` for a call that is no cacheable read. The model is not
            told.
        """
        ...

    async def run_own_command(self, command: str) -> ToolResult | None:
        """Run a command that the user typed for themselves; shown by events, unknown to the model.

        Returns:
            How it ended; ``None`` when nobody can run it.
        """
        ...

    async def list_files(self) -> FileList:
        """Return the paths of the workspace's files and folders, as many as are listed."""
        ...

    async def list_folder(self, path: str) -> tuple[FolderEntry, ...]:
        """List a folder for the file tree, folders first; raises ``ToolFailure``."""
        ...

    async def preview_file(self, path: str) -> FilePreview:
        """Return the start of a file; problems are in the value."""
        ...

    async def close(self) -> None:
        """Interrupt, end children, flush the session; idempotent."""
        ...
