"""An agent whose events the test emits by hand.

Owns a double of ``AgentPort`` for tests of the user interface: it records what it is asked and
answers from fields that a test sets.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.port import AgentInfo, EventReader, FileList, FilePreview, SkillInfo
from caramelo_tui.agent.user_commands import UserCommand
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    Ending,
    EventHead,
    PromptSteered,
    QueueChanged,
    RunEnded,
    RunStarted,
)
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
)
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FolderEntry
from caramelo_tui.domain.ids import ApprovalId, CallId, RunId, SessionId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.tool_calls import CommandLine, ToolResult
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_clipboard import FakeClipboard
from tests.doubles.fake_context import FakeContext
from tests.doubles.fake_models import FakeModels, FakeReports
from tests.doubles.fake_retries import FakeRetries
from tests.doubles.fake_sessions import FakeSessions
from tests.doubles.images import FakeImages
from tests.doubles.person_ports import FakeGit, FakeRules
from tests.doubles.undo import FakeUndo

_OUTCOMES = {
    CommandAction.RUN: ApprovalOutcome.APPROVED,
    CommandAction.EDIT: ApprovalOutcome.EDITED,
    CommandAction.DENY: ApprovalOutcome.DENIED,
    CommandAction.STOP: ApprovalOutcome.STOPPED,
}


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(slots=True)
class FakeAgent:
    """Emits what a test says and remembers what it was asked."""

    info: AgentInfo = field(
        default_factory=lambda: AgentInfo(
            workspace=Path("/home/project"),
            provider="anthropic",
            model="claude-test",
            profile="caramelo",
            is_trusted=True,
            is_demo=False,
            context_window=200_000,
        )
    )
    mode: ApprovalMode = ApprovalMode.REVIEW
    is_running: bool = False
    folders: Mapping[str, tuple[FolderEntry, ...]] = field(
        default_factory=dict[str, tuple[FolderEntry, ...]]
    )
    previews: Mapping[str, FilePreview] = field(default_factory=dict[str, FilePreview])
    artifacts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    stream: EventStream = field(default_factory=lambda: EventStream(ManualClock()))
    models: FakeModels = field(default_factory=FakeModels)
    reports: FakeReports = field(default_factory=FakeReports)
    submitted: list[str] = field(default_factory=list[str])
    """Prompts that started a run, in order."""
    undo: FakeUndo = field(default_factory=FakeUndo)
    sessions: FakeSessions = field(default_factory=FakeSessions)
    clipboard: FakeClipboard = field(default_factory=FakeClipboard)
    images: FakeImages = field(default_factory=FakeImages)
    context: FakeContext = field(default_factory=FakeContext)
    git: FakeGit = field(default_factory=FakeGit)
    rules: FakeRules = field(default_factory=FakeRules)
    sent_images: list[tuple[ImageAttachment, ...]] = field(
        default_factory=list[tuple[ImageAttachment, ...]]
    )
    """What went with each prompt that was submitted or steered, in order."""
    queue: list[str] = field(default_factory=list[str])
    steering: list[str] = field(default_factory=list[str])
    """Prompts for the next turn; a test takes them by ``take_turn``."""
    files: tuple[str, ...] = ()
    """What can be mentioned."""
    files_are_whole: bool = True
    file_wishes: int = 0
    """How often the list of files was asked for."""
    user_commands: tuple[UserCommand, ...] = ()
    own_commands: list[str] = field(default_factory=list[str])
    """Commands that the user ran for themselves, in order."""
    own_result: ToolResult | None = None
    answers: list[tuple[ApprovalId, ApprovalAnswer]] = field(
        default_factory=list[tuple[ApprovalId, ApprovalAnswer]]
    )
    waiting: list[ApprovalId] = field(default_factory=list[ApprovalId])
    cancelled: list[CallId] = field(default_factory=list[CallId])
    ended_pids: list[int] = field(default_factory=list[int])
    listed: list[str] = field(default_factory=list[str])
    """Folders that were asked for, in order."""
    explained: list[CommandLine] = field(default_factory=list[CommandLine])
    """Commands whose parts were asked for, in order."""
    parts_of: Mapping[str, tuple[CommandPart, ...]] = field(
        default_factory=dict[str, tuple[CommandPart, ...]]
    )
    """Parts by command; any other command is one harmless part."""
    may_explain: asyncio.Event = field(default_factory=_set_event)
    """Parts are told while it is set; a test clears it to hold them back."""
    refusal: str = ""
    """Why no skill is taken; empty: all are."""
    skills: tuple[SkillInfo, ...] = ()
    activated: list[str] = field(default_factory=list[str])
    fresh: Mapping[CallId, ToolResult] = field(default_factory=dict[CallId, ToolResult])
    """What a call gives when it is run again."""
    retries: FakeRetries = field(default_factory=FakeRetries)
    interrupts: int = 0
    is_closed: bool = False

    @property
    def queued_prompts(self) -> tuple[str, ...]:
        """Prompts that wait."""
        return (*self.steering, *self.queue)

    def emit(self, make: Callable[[EventHead], AgentEvent], *, agent: str = "") -> None:
        """Emit an event."""
        self.stream.emit(make, agent=agent)

    def ask(self, request: ApprovalRequest) -> None:
        """Ask the user."""
        self.waiting.append(request.id)
        self.emit(lambda head: ApprovalRequested(head=head, request=request))

    def settle(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        """Say that a question is settled."""
        self.waiting.remove(approval_id)
        self.emit(lambda head: ApprovalSettled(head=head, approval_id=approval_id, outcome=outcome))

    def start_run(self, prompt: str = "add a flag", *, is_retry: bool = False) -> None:
        """Begin a run."""
        self.is_running = True
        self.stream.begin_run(RunId("run-1"))
        self.emit(
            lambda head: RunStarted(
                head=head,
                session_id=SessionId("session-1"),
                prompt=prompt,
                provider=self.info.provider,
                model=self.info.model,
                mode=self.mode,
                profile=self.info.profile,
                is_trusted=self.info.is_trusted,
                is_retry=is_retry,
            )
        )

    def end_run(
        self,
        ending: Ending = Ending.COMPLETED,
        error: str = "",
        *,
        text: str = "",
        can_retry: bool = False,
    ) -> None:
        """End the run."""
        self.is_running = False
        self.emit(
            lambda head: RunEnded(
                head=head,
                ending=ending,
                refused_calls=0,
                error=error,
                text=text,
                can_retry=can_retry,
            )
        )
        self.stream.end_run()

    def read_events(self) -> EventReader:
        """Open a reader."""
        return self.stream.reader()

    def submit(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Start a run, or queue."""
        self.sent_images.append(images)
        if self.is_running:
            self.queue.append(text)
            self._say_queue()
            return
        self.submitted.append(text)
        self.start_run(text)

    def steer(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> bool:
        """Keep it for the next turn."""
        if not self.is_running:
            return False
        self.sent_images.append(images)
        self.steering.append(text)
        self._say_queue()
        return True

    def take_turn(self) -> None:
        """Begin a turn whose request has what was steered."""
        taken, self.steering = self.steering, []
        for text in taken:
            self._say_steered(text)
        self._say_queue()

    def _say_steered(self, text: str) -> None:
        self.emit(lambda head: PromptSteered(head=head, text=text))

    def send_next_queued(self) -> bool:
        """Start the oldest queued prompt."""
        if self.is_running or not self.queue:
            return False
        text = self.queue.pop(0)
        self._say_queue()
        self.submit(text)
        return True

    def take_back_queue(self) -> tuple[str, ...]:
        """Empty the queue."""
        taken = self.queued_prompts
        self.queue.clear()
        self.steering.clear()
        if taken:
            self._say_queue()
        return taken

    def take_back_prompt(self, text: str) -> bool:
        """Take one back."""
        for waiting in (self.queue, self.steering):
            if text in waiting:
                waiting.remove(text)
                self._say_queue()
                return True
        return False

    def interrupt(self) -> bool:
        """Withdraw all questions and end the run as cancelled."""
        if not self.is_running:
            return False
        self.interrupts += 1
        for approval_id in list(self.waiting):
            self.settle(approval_id, ApprovalOutcome.WITHDRAWN)
        self.end_run(Ending.CANCELLED)
        return True

    def answer(self, approval_id: ApprovalId, answer: ApprovalAnswer) -> bool:
        """Settle a question."""
        if approval_id not in self.waiting:
            return False
        self.answers.append((approval_id, answer))
        if isinstance(answer, CommandAnswer):
            self.settle(approval_id, _OUTCOMES[answer.action])
        else:
            self.settle(approval_id, ApprovalOutcome.PARTLY)
        return True

    def set_mode(self, mode: ApprovalMode) -> None:
        """Change the mode."""
        self.mode = mode

    def cancel_call(self, call_id: CallId) -> bool:
        """Remember the wish."""
        self.cancelled.append(call_id)
        return True

    def end_background(self, pid: int) -> bool:
        """Remember the wish."""
        self.ended_pids.append(pid)
        return True

    def read_artifact(self, name: str) -> bytes | None:
        """Return a kept output."""
        return self.artifacts.get(name)

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Explain it, once the test lets it."""
        self.explained.append(command)
        await self.may_explain.wait()
        return self.parts_of.get(command.command, (CommandPart(text=command.command),))

    def activate_skill(self, name: str) -> str:
        """Remember the skill, unless the test refuses."""
        if not self.refusal:
            self.activated.append(name)
        return self.refusal

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Return the fresh answer that the test set."""
        return self.fresh.get(call_id)

    async def list_folder(self, path: str) -> tuple[FolderEntry, ...]:
        """Return the entries that the test set.

        Raises:
            ToolFailure: If the test set none.
        """
        self.listed.append(path)
        if path not in self.folders:
            msg = f"{path}: no such folder"
            raise ToolFailure(msg)
        return self.folders[path]

    async def run_own_command(self, command: str) -> ToolResult | None:
        """Remember the command; return what the test set."""
        self.own_commands.append(command)
        return self.own_result

    async def list_files(self) -> FileList:
        """Return the paths that the test set."""
        self.file_wishes += 1
        return FileList(paths=self.files, is_whole=self.files_are_whole)

    async def preview_file(self, path: str) -> FilePreview:
        """Return the preview that the test set."""
        return self.previews.get(
            path, FilePreview(path=path, text="", size=0, problem=f"{path} is gone.")
        )

    async def close(self) -> None:
        """Close the stream."""
        if not self.is_closed:
            self.is_closed = True
            self.stream.close()

    def _say_queue(self) -> None:
        prompts, steering = tuple(self.queue), tuple(self.steering)
        self.emit(lambda head: QueueChanged(head=head, prompts=prompts, steering=steering))
