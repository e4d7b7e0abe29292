"""Build the four panes and carry out what they ask for.

Owns the panes, the event pump and router, and every request that a pane makes of the agent. Its
module is imported after the first paint, because the panes are not needed for it. Proven by
tests/pilot/test_approval_flow.py, test_tool_log.py and test_file_tree.py.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.agent_events import AgentEvent, Ending, NoticeRaised, RunEnded
from caramelo_tui.domain.approvals import ReviewAnswer
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import ApprovalId, CallId, Clock, RunId
from caramelo_tui.ui.call_records import CallRecord, CallRecords, RowState
from caramelo_tui.ui.conversation_desk import ConversationDesk
from caramelo_tui.ui.earlier_events import hidden_text, outcome_of, play, shown_events, tail_of
from caramelo_tui.ui.event_pump import EventPump
from caramelo_tui.ui.event_router import EventRouter, RouterPanes
from caramelo_tui.ui.file_desk import FileDesk, FileSite
from caramelo_tui.ui.grant_offer import offer_grants
from caramelo_tui.ui.messages import (
    AnyPaneRequest,
    CallCancelAsked,
    CallDetailsAsked,
    CallRepeatAsked,
    ChangeAsked,
    EditorAsked,
    FolderAsked,
    GrantAsked,
    HeadAsked,
    PathMentioned,
    PathsAsked,
    PreviewAsked,
    ProposalAsked,
    UndoAsked,
)
from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.pane_hints import pane_hints
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.panes.file_tree import FileTree
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.panes.tool_log import ToolLog
from caramelo_tui.ui.prompt_desk import PromptDesk, PromptSite
from caramelo_tui.ui.propose_again import again_prompt
from caramelo_tui.ui.question_desk import QuestionDesk
from caramelo_tui.ui.retry_countdown import RetryCountdown
from caramelo_tui.ui.screens.call_details import CallDetailsScreen
from caramelo_tui.ui.screens.fresh_answer import FreshAnswerScreen
from caramelo_tui.ui.session_texts import TEXTS_GONE
from caramelo_tui.ui.session_wishes import SessionWishes, WishSite
from caramelo_tui.ui.touch_marks import TouchMarks
from caramelo_tui.ui.undo_desk import UndoDesk
from caramelo_tui.ui.welcome import welcome_lines

if TYPE_CHECKING:
    from textual.widget import Widget


_WRITING_TOOLS = frozenset({"file_edit", "file_write", "edit_file", "write_file"})
"""Tools whose calls are looked at in Changes rather than in Tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbenchSite:
    """Where the workbench stands."""

    app: App[None]
    area: PaneArea
    prompt: PromptPane
    clock: Clock
    status: Callable[[], StatusView]
    """What the status bar shows now."""
    change_status: Callable[[Callable[[StatusView], StatusView]], None]


class Workbench:
    """The panes and what they do."""

    def __init__(self, site: WorkbenchSite) -> None:
        self._site = site
        self._agent: AgentPort | None = None
        self._records = CallRecords()
        self._marks = TouchMarks()
        self._details: CallDetailsScreen | None = None
        self._held: list[Callable[[StatusView], StatusView]] | None = None
        """Changes of the status bar while stored events are played."""
        self.wishes: SessionWishes | None = None
        self.prompt_desk: PromptDesk | None = None
        self.conversation = ConversationPane(id=Place.CONVERSATION)
        self.changes = ChangesPane(id=Place.CHANGES)
        self.files = FileTree(self._marks, id=Place.FILES)
        self.tools = ToolLog(self._records, id=Place.TOOLS)
        self.desk = QuestionDesk(app=site.app, clock=site.clock, answered=self._count_questions)
        self.undo_desk = UndoDesk(app=site.app, agent=lambda: self._agent)
        self.conversation_desk = ConversationDesk(
            rewind=self.undo_desk.rewind,
            fork=self._fork,
            app=site.app,
            prompt=site.prompt,
            go_to_prompt=lambda: site.area.jump(Place.PROMPT),
            agent=lambda: self._agent,
        )
        self.file_desk = FileDesk(
            FileSite(
                app=site.app,
                area=site.area,
                prompt=site.prompt,
                files=self.files,
                changes=self.changes,
                marks=self._marks,
                agent=lambda: self._agent,
                show_branch=lambda text: self._change_status(
                    lambda view: replace(view, branch=text)
                ),
            )
        )
        self.retry_countdown = RetryCountdown(
            clock=site.clock,
            change_status=self._change_status,
            start_ticking=site.area.set_interval,
        )
        self.router = EventRouter(self._router_panes(), records=self._records, marks=self._marks)

    @property
    def undecided_hunks(self) -> int:
        """Hunks of waiting reviews that the person has not decided."""
        return self.changes.waiting_counts[2]

    def open(self) -> None:
        """Mount the panes, all at once."""
        panes: dict[Place, Widget] = {
            Place.CONVERSATION: self.conversation,
            Place.CHANGES: self.changes,
            Place.FILES: self.files,
            Place.TOOLS: self.tools,
        }
        keys = self._site.status().keys
        self.changes.keys = self.conversation.keys = keys
        self._site.area.add_panes(panes, pane_hints(keys))

    def attach(self, agent: AgentPort, *, shows_all: bool = False) -> None:
        """Work with an agent from now on; its events are read from the session's first.

        Args:
            agent: The agent.
            shows_all: Whether a stored session is shown from its first prompt.
        """
        self._agent = agent
        self._records.can_set_aside = agent.sessions.current is not None
        self.desk.attach(agent)
        self.wishes = SessionWishes(
            WishSite(
                app=self._site.app,
                prompt=self._site.prompt,
                status=self._site.status,
                change_status=self._change_status,
            ),
            agent,
        )
        self.prompt_desk = PromptDesk(self._prompt_site(), agent, self.wishes)
        self.changes.live.read_base = agent.preview_file
        self.show_mode(agent.mode)
        self.files.load_root()
        self.file_desk.note_activity()
        reading = self._read(agent, shows_all=shows_all)
        self._site.area.run_worker(reading, name="events", group="events", exclusive=True)

    async def _read(self, agent: AgentPort, *, shows_all: bool) -> None:
        """Show what was before, and then what happens."""
        if agent.sessions.earlier:
            await self._show_earlier(agent, shows_all=shows_all)
        await EventPump(agent.read_events(), self._deliver).run()

    async def _show_earlier(self, agent: AgentPort, *, shows_all: bool) -> None:
        """Show what a stored session holds; the status bar hears of its outcome only."""
        events = await asyncio.to_thread(shown_events, agent.sessions.earlier)
        begin, hidden = (0, 0) if shows_all else tail_of(events)
        if hidden:
            self.conversation.show_notice("info", hidden_text(hidden))
        self._held = []
        try:
            await play(events[begin:], self.router.deliver)
        finally:
            held, self._held = self._held, None
            self._change_status(lambda view: outcome_of(held, view, agent.mode))

    def _deliver(self, event: AgentEvent) -> None:
        self.router.deliver(event)
        self.retry_countdown.take(event)
        agent = self._agent
        if isinstance(event, NoticeRaised) and agent is not None and not agent.info.is_watching:
            self._change_status(lambda view: replace(view, is_watching=False))

    def _prompt_site(self) -> PromptSite:
        area = self._site.area
        return PromptSite(
            app=self._site.app,
            prompt=self._site.prompt,
            clock=self._site.clock,
            status=self._site.status,
            run=lambda work, name: area.run_worker(work, name=name, group=name, exclusive=True),
        )

    def go_to_waiting(self) -> bool:
        """Show what waits for the person; ``False`` when nothing does."""
        if self.changes.has_waiting:
            self._site.area.jump(Place.CHANGES)
            self.changes.go_to_waiting()
            return True
        return False

    def take(self, request: AnyPaneRequest) -> None:
        """Carry out what a pane asked for."""
        match request:
            case (
                FolderAsked()
                | PreviewAsked()
                | PathMentioned()
                | EditorAsked()
                | PathsAsked()
                | ChangeAsked()
                | HeadAsked()
            ):
                self.file_desk.take(request)
            case CallDetailsAsked():
                self._open_details(request.call_id)
            case CallCancelAsked():
                self._cancel(request.call_id)
            case CallRepeatAsked() | ProposalAsked() | GrantAsked():
                self._take_wish(request)
            case UndoAsked():
                self.undo_desk.take(request.wish)
            case _:
                assert_never(request)

    def _take_wish(self, request: CallRepeatAsked | ProposalAsked | GrantAsked) -> None:
        """Hand a wish of a pane on to the agent."""
        agent = self._agent
        if agent is None:
            return
        match request:
            case CallRepeatAsked():
                self._repeat(request.call_id)
            case ProposalAsked():
                agent.submit(again_prompt(request.path, request.fate))
            case GrantAsked():
                offer_grants(self._site.app, agent, request.path, self.changes.say)
            case _:
                assert_never(request)

    def _fork(self, run_id: RunId) -> None:
        if self.wishes is not None:
            self.wishes.sessions.fork(run_id)

    def open_call(self, call_id: CallId) -> None:
        """Go from a call's line in the conversation to its change or its row."""
        record = self._records.get(call_id)
        if record is None:
            return
        if record.tool in _WRITING_TOOLS:
            self._site.area.jump(Place.CHANGES)
            return
        self._site.area.jump(Place.TOOLS)
        self.tools.show_call(call_id)

    def show_mode(self, mode: ApprovalMode) -> None:
        """Say in the empty conversation what the mode asks about."""
        if self._agent is not None:
            self.conversation.show_hints(welcome_lines(mode, self._agent.info.profile))

    def settle_review(self, approval_id: ApprovalId, answer: ReviewAnswer) -> None:
        """Hand the person's review to the agent."""
        if self._agent is not None and not self._agent.answer(approval_id, answer):
            self._site.app.notify(
                "The review was withdrawn; nothing was written.", severity="warning", markup=False
            )

    def count_waiting(self) -> None:
        """Say anew how much waits."""
        self.router.count_waiting()
        files = self.changes.waiting_counts[0]
        self._site.area.set_badge(Place.CHANGES, f"?{files}" if files else "")

    def _count_questions(self) -> None:
        self.router.count_waiting()

    def _router_panes(self) -> RouterPanes:
        return RouterPanes(
            conversation=self.conversation,
            changes=self.changes,
            files=self.files,
            prompt=self._site.prompt,
            questions=self.desk.questions,
            show_calls=self._show_calls,
            change_status=self._change_status,
            run_ended=self._take_run_end,
            keys=lambda: self._site.status().keys,
        )

    def _change_status(self, change: Callable[[StatusView], StatusView]) -> None:
        if self._held is not None:
            self._held.append(change)
            return
        self._site.change_status(change)
        files = self.changes.waiting_counts[0]
        self._site.area.set_badge(Place.CHANGES, f"?{files}" if files else "")

    def _take_run_end(self, event: RunEnded) -> None:
        """Go on with the queue after a completed run; after any other it waits for Enter."""
        if self._held is not None:
            return
        if self.wishes is not None:
            self.wishes.take_run_end(event)
        agent = self._agent
        if agent is not None and event.ending is Ending.COMPLETED and not agent.is_running:
            agent.send_next_queued()

    def _show_calls(self, record: CallRecord | None) -> None:
        self.tools.show_records()
        if record is None or not record.is_live:
            self.file_desk.note_activity()
        running = sum(
            1 for r in self._records if r.state in {RowState.RUNNING, RowState.BACKGROUND}
        )
        self._site.area.set_badge(Place.TOOLS, f"●{running}" if running else "")
        details = self._details
        if details is not None and (record is None or record.call_id == details.call_id):
            details.show_record()

    # --- calls -----------------------------------------------------------------------

    def _open_details(self, call_id: CallId) -> None:
        record = self._records.get(call_id)
        if record is not None and record.set_aside_bytes is None:
            self._show_details(record)
        elif record is not None:
            self._site.area.run_worker(
                self._fetch_details(record), name="details", group="details", exclusive=True
            )

    async def _fetch_details(self, record: CallRecord) -> None:
        await self._bring_back(record)
        self._show_details(record)

    def _show_details(self, record: CallRecord) -> None:
        self._details = CallDetailsScreen(
            record, load=self._load_output, cancel=self._cancel, repeat=self._repeat
        )
        self._site.app.push_screen(self._details, self._close_details)

    async def _bring_back(self, record: CallRecord) -> None:
        """Get the texts of an old call from the session file."""
        if record.set_aside_bytes is None or self._agent is None:
            return
        stored = await self._agent.sessions.call(record.call_id)
        if stored is None:
            self._site.app.notify(TEXTS_GONE, severity="warning", markup=False)
        else:
            self._records.bring_back(record, stored)

    def _repeat(self, call_id: CallId) -> None:
        """Run a read again past the cache, off the keys' way."""
        self._site.area.run_worker(
            self._run_again(call_id), name="repeat", group="repeat", exclusive=True
        )

    async def _run_again(self, call_id: CallId) -> None:
        record = self._records.get(call_id)
        if record is None or self._agent is None:
            return
        fresh = await self._agent.run_again(call_id)
        if fresh is None:
            self._site.app.notify("Only finished reads can be run again.", markup=False)
            return
        await self._bring_back(record)
        self._site.app.push_screen(FreshAnswerScreen(record, fresh))

    def _close_details(self, _result: None) -> None:
        self._details = None

    def _load_output(self, artifact: str) -> bytes | None:
        return None if self._agent is None else self._agent.read_artifact(artifact)

    def _cancel(self, call_id: CallId) -> None:
        record = self._records.get(call_id)
        if record is None or self._agent is None:
            return
        for process in record.background:
            self._agent.end_background(process.pid)
        if record.state is RowState.RUNNING and not self._agent.cancel_call(call_id):
            self._site.app.notify("The call is over already.", markup=False)
