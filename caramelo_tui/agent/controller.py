"""Take what the user asks of the agent, and own everything that runs for it.

Owns the one run at a time, the queue of prompts behind it, and the order in which a session
begins and ends. Implements ``AgentPort``; knows no screen. Every task that it starts is ended
by ``close``. Proven by tests/unit/agent/test_controller.py and
tests/property/test_event_invariants.py.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

from caramelo_tui.agent.approval_broker import ApprovalBroker
from caramelo_tui.agent.clipboard_port import ClipboardPort
from caramelo_tui.agent.context_port import ContextPort
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.git_port import GitPort
from caramelo_tui.agent.images_port import ImagesPort
from caramelo_tui.agent.kept_events import KeptReader
from caramelo_tui.agent.models_port import ModelsPort
from caramelo_tui.agent.owned_tasks import finish, owned
from caramelo_tui.agent.port import AgentInfo, EventReader, FileList, FilePreview, SkillInfo
from caramelo_tui.agent.reports_port import ReportsPort
from caramelo_tui.agent.retries import Retries
from caramelo_tui.agent.rules_port import RulesPort
from caramelo_tui.agent.run_loop import RunLoop
from caramelo_tui.agent.session_parts import SessionParts, fixed_model
from caramelo_tui.agent.sessions_port import SessionsPort
from caramelo_tui.agent.undo_port import UndoPort
from caramelo_tui.agent.user_commands import UserCommand
from caramelo_tui.agent.user_prompt import Prompt, newest_with
from caramelo_tui.domain.agent_events import Ending, NoticeLevel, QueueChanged
from caramelo_tui.domain.approvals import ApprovalAnswer
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart
from caramelo_tui.domain.files import FolderEntry
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.tool_calls import CommandLine, ToolResult


class AgentController:
    """The agent of one session, as the user interface sees it."""

    def __init__(
        self,
        *,
        info: AgentInfo,
        runs: RunLoop,
        events: EventStream,
        approvals: ApprovalBroker,
        mode: CurrentMode,
        parts: SessionParts,
    ) -> None:
        """Wire it; nothing runs before ``start``."""
        self._info = info
        self._runs = runs
        self._events = events
        self._approvals = approvals
        self._mode = mode
        self._parts = parts
        self._models = parts.models or fixed_model(info)
        self._retries = Retries(runs=runs, waiting=parts.retry_wait, start=self._start_retry)
        self._queue = [Prompt(text=text) for text in parts.waiting]
        self._run: asyncio.Task[None] | None = None
        self._is_stopping = False
        self._readers: list[asyncio.Task[None]] = []
        self._chores: list[asyncio.Task[None]] = []
        self._warming: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        runs.steering.on_taken(self._report_queue)

    @property
    def info(self) -> AgentInfo:
        """What holds now: the model may change, and the watcher fail."""
        now = self._models.answering
        return replace(
            self._info,
            provider=now.provider,
            model=now.model,
            context_window=now.context_window,
            endpoint_note=now.endpoint_note,
            is_watching=self._parts.disk.is_watching,
        )

    @property
    def reports(self) -> ReportsPort:
        """Who tells of settings, rules, tools and cache."""
        return self._parts.reports

    @property
    def models(self) -> ModelsPort:
        """Which models there are, and which is used for what."""
        return self._models

    @property
    def mode(self) -> ApprovalMode:
        """The approval mode in force."""
        return self._mode()

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self._run is not None

    @property
    def queued_prompts(self) -> tuple[str, ...]:
        """Prompts that wait, those for the next turn first, each kind oldest first."""
        return (*self._runs.steering.waiting, *(prompt.text for prompt in self._queue))

    @property
    def undo(self) -> UndoPort:
        """The changes of files, to be taken back."""
        return self._parts.undo

    @property
    def context(self) -> ContextPort:
        """The context of the main agent, and what the session's requests cost."""
        return self._parts.context

    @property
    def clipboard(self) -> ClipboardPort:
        """The system's clipboard."""
        return self._parts.clipboard

    @property
    def images(self) -> ImagesPort:
        """Images on their way into a prompt."""
        return self._parts.images

    @property
    def git(self) -> GitPort:
        """The workspace's repository, for the person's eyes."""
        return self._parts.git

    @property
    def rules(self) -> RulesPort:
        """What the user allowed, blocked or raised for the session."""
        return self._parts.rules

    @property
    def sessions(self) -> SessionsPort:
        """The stored sessions of the workspace."""
        return self._parts.sessions

    @property
    def retries(self) -> Retries:
        """Requests that failed."""
        return self._retries

    def start(self, *, warm_after_s: float | None = None) -> None:
        """Begin to record and to watch; call once, on the running event loop. Waits for nothing.

        Args:
            warm_after_s: Seconds after which the provider loads what its first request needs.
                What fails then is logged only: the first request meets it again and says it.
                ``None``: the first request loads it.
        """
        recorder = self._parts.recorder
        if recorder is not None:
            self._readers.append(owned(recorder.record(self._events.reader()), "session recorder"))
        self._readers.append(
            owned(self._parts.commands.follow(self._events.reader()), "command activity")
        )
        self._chores = [owned(self._parts.disk.start(), "start of the watcher")]
        self._chores += [owned(chore(), "chore") for chore in self._parts.chores]
        if warm_after_s is not None:
            self._warming = owned(self._warm(warm_after_s), "warm-up of the provider")

    def read_events(self) -> EventReader:
        """Open a reader that sees every event from the session's first, each once it is kept."""
        reader, recorder = self._events.reader(), self._parts.recorder
        return reader if recorder is None else KeptReader(reader, recorder)

    def submit(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Start a run, or queue the prompt while one is under way; blank text does nothing."""
        if not text.strip() or self._closing is not None:
            return
        if self._run is None:
            self._start_run(Prompt(text=text, images=images))
            return
        self._queue.append(Prompt(text=text, images=images))
        self._report_queue()

    def steer(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> bool:
        """Give the run under way a further prompt, with its next turn.

        What was not given to the model when the run ends is the first in the queue then.

        Returns:
            ``False`` for blank text, and when no run is under way or it is being stopped.
        """
        if not text.strip() or self._run is None or self._is_stopping:
            return False
        self._runs.steering.add(text, images)
        self._report_queue()
        return True

    def send_next_queued(self) -> bool:
        """Start the oldest queued prompt; ``False`` when running or none waits."""
        if self._run is not None or not self._queue or self._closing is not None:
            return False
        prompt = self._queue.pop(0)
        self._report_queue()
        self._start_run(prompt)
        return True

    def take_back_queue(self) -> tuple[str, ...]:
        """Return all prompts that wait, as in ``queued_prompts``; they wait no more."""
        prompts = self.queued_prompts
        if prompts:
            self._runs.steering.take()
            self._queue.clear()
            self._report_queue()
        return prompts

    def take_back_prompt(self, text: str) -> bool:
        """Let the newest waiting prompt with this text wait no more; ``False``: none does."""
        index = newest_with(self._queue, text)
        if index is not None:
            del self._queue[index]
        elif not self._runs.steering.remove(text):
            return False
        self._report_queue()
        return True

    def interrupt(self) -> bool:
        """Stop the run and withdraw its questions, or else the user's own newest command.

        ``False`` when there is neither. The record is whole when ``RunEnded`` comes. A second
        interrupt changes nothing: what the first one has begun to end must not be cut off.
        """
        if self._run is None:
            own = self._parts.own_commands
            return own is not None and own.cancel_newest()
        if not self._is_stopping:
            self._is_stopping = True
            # After the task's first step: a task cancelled before it leaves no record at all.
            asyncio.get_running_loop().call_soon(self._run.cancel)
        return True

    def answer(self, approval_id: ApprovalId, answer: ApprovalAnswer) -> bool:
        """Settle a question; ``False`` when it is settled, withdrawn or about to be."""
        return not self._is_stopping and self._approvals.answer(approval_id, answer)

    def set_mode(self, mode: ApprovalMode) -> None:
        """Change the approval mode for the calls decided from now on."""
        if mode is not self._mode():
            self._mode.change(mode)
            self._events.raise_notice(NoticeLevel.INFO, f"Approval mode: {mode}.")

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one running command; the run goes on. ``False`` when it is not running."""
        parts, own = self._parts, self._parts.own_commands
        if own is not None and own.cancel_call(call_id):
            return True
        return parts.calls.cancel_call(call_id) or parts.subagents.cancel_call(call_id)

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Return the parts of a command that the user wrote, with what is risky about each."""
        return await self._parts.calls.explain_command(command)

    @property
    def skills(self) -> tuple[SkillInfo, ...]:
        """The skills that are loaded, by name."""
        return self._parts.skills.infos

    @property
    def user_commands(self) -> tuple[UserCommand, ...]:
        """The user's own commands and a trusted workspace's, by name."""
        return self._parts.user_commands

    def activate_skill(self, name: str) -> str:
        """Keep a skill active to the end of the session; return why not, empty: it is."""
        return self._parts.skills.activate(name)

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Run a finished read again past the cache, for the user only."""
        return await self._parts.calls.run_again(call_id)

    def end_background(self, pid: int) -> bool:
        """End a process that a command left running."""
        return self._parts.commands.end_background(pid)

    def read_artifact(self, name: str) -> bytes | None:
        """Return a kept whole output (at most 10 MB), ``None`` when it is gone."""
        return self._parts.view.read_artifact(name)

    async def run_own_command(self, command: str) -> ToolResult | None:
        """Run a command of the user's own; ``None`` when the session has nobody who does."""
        own = self._parts.own_commands
        if own is None or self._closing is not None:
            return None
        result = await own.run(command)
        self._parts.commands.report_background()
        return result

    async def list_files(self) -> FileList:
        """Return the paths of the workspace's files and folders, as many as are listed."""
        return await self._parts.view.list_files()

    async def list_folder(self, path: str) -> tuple[FolderEntry, ...]:
        """List a folder for the file tree, folders first.

        Raises:
            ToolFailure: If it is refused, missing or no folder.
        """
        return await self._parts.view.list_folder(path)

    async def preview_file(self, path: str) -> FilePreview:
        """Return the start of a file; problems are in the value."""
        return await self._parts.view.preview(path)

    async def close(self) -> None:
        """Interrupt, end children, flush the session; idempotent.

        A caller that is cancelled leaves the closing to go on.
        """
        if self._closing is None:
            self._closing = owned(self._close(), "end of the session")
        await asyncio.shield(self._closing)

    def _start_run(self, prompt: Prompt, *, is_retry: bool = False) -> None:
        self._is_stopping = False
        self._run = owned(self._take_run(prompt, is_retry=is_retry), "run")

    def _start_retry(self, prompt: str) -> bool:
        if self._run is not None or self._closing is not None:
            return False
        self._start_run(Prompt(text=prompt), is_retry=True)
        return True

    async def _take_run(self, prompt: Prompt, *, is_retry: bool) -> None:
        self._parts.disk.set_active(is_active=True)
        try:
            ending = await self._runs.run(
                prompt.text, self._mode(), images=prompt.images, is_retry=is_retry
            )
        finally:
            # In one step with the run's last event: its readers find the agent idle.
            self._run = None
            self._parts.disk.set_active(is_active=False)
            self._models.end_run()
            self._queue_unsaid()
        if ending is Ending.COMPLETED and not self._is_stopping:
            self.send_next_queued()

    def _queue_unsaid(self) -> None:
        """Keep what the run ended too early for, before all that was queued."""
        if unsaid := self._runs.steering.take():
            self._queue[:0] = unsaid
            self._report_queue()

    async def _warm(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        await self._parts.provider.warm()

    async def _close(self) -> None:
        run = self._run
        self.interrupt()
        async with AsyncExitStack() as ends:
            # Taken from the last to the first; one that fails does not keep the others.
            ends.push_async_callback(finish, *self._readers)
            ends.callback(self._events.close)
            ends.push_async_callback(self._parts.provider.close)
            ends.push_async_callback(self._parts.disk.stop)
            ends.push_async_callback(self._parts.end_commands)
            ends.callback(self._approvals.withdraw_all)
            if self._parts.own_commands is not None:
                ends.push_async_callback(self._parts.own_commands.end)
            for early in (*self._chores, self._warming):
                if early is not None:
                    early.cancel()
                    ends.push_async_callback(finish, early)
            if run is not None:
                ends.push_async_callback(finish, run)

    def _report_queue(self) -> None:
        prompts = tuple(prompt.text for prompt in self._queue)
        steering = self._runs.steering.waiting
        if self._events.is_closed:
            return
        self._events.emit(lambda head: QueueChanged(head=head, prompts=prompts, steering=steering))
