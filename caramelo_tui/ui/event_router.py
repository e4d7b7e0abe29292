"""Bring each event to the panes that show it.

Owns the one exhaustive match of the UI over the agent's events. Draws nothing and decides
nothing. Proven by tests/unit/ui/test_event_router.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from caramelo_tui.agent.compaction_text import compaction_text
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    AssistantReplied,
    BackgroundChanged,
    CacheCounted,
    ChangesUndone,
    ContextCompacted,
    ContextMeasured,
    DiffCounted,
    FilesChanged,
    ModelChanged,
    NoteAdded,
    NoticeLevel,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RetryScheduled,
    RunEnded,
    RunStarted,
    SessionResumed,
    SkillActivated,
    SpendingCounted,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ThinkingStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    ToolOutputStreamed,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalOutcome,
    CommandRequest,
    ReviewRequest,
)
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin
from caramelo_tui.ui.call_questions import CallQuestions
from caramelo_tui.ui.call_records import CallRecord, CallRecords, RowState
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap
from caramelo_tui.ui.line_limit import LimitNotices, is_line_limit
from caramelo_tui.ui.pane_ports import ChangesView, ConversationView, FilesView, PromptView
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.retry_texts import RETRIED, retry_text
from caramelo_tui.ui.review_outcomes import ReviewOutcomes
from caramelo_tui.ui.router_texts import call_detail, path_argument
from caramelo_tui.ui.session_texts import model_text, resumed_text, status_with_model
from caramelo_tui.ui.status_reports import CountingEvent, status_after
from caramelo_tui.ui.touch_marks import TouchMarks
from caramelo_tui.ui.turns import Turn

if TYPE_CHECKING:
    from caramelo_tui.domain.ids import ApprovalId

READING_TOOLS = frozenset({"file_read", "read_file"})
"""Tools whose ``path`` argument is a file that the agent then knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterPanes:
    """What events are shown on."""

    conversation: ConversationView
    changes: ChangesView
    files: FilesView
    prompt: PromptView
    questions: CallQuestions
    show_calls: Callable[[CallRecord | None], None]
    """Draw the tool log again; told which call changed, ``None`` for several."""
    change_status: Callable[[Callable[[StatusView], StatusView]], None]
    """Change what the status bar shows."""
    run_ended: Callable[[RunEnded], None]
    """Told when a run ended and all panes know."""
    keys: Callable[[], KeyMap] = lambda: DEFAULT_KEYS
    """The keys in force, for words that name some."""


class EventRouter:
    """Give events to panes, in their order."""

    def __init__(self, panes: RouterPanes, *, records: CallRecords, marks: TouchMarks) -> None:
        self._panes = panes
        self._records = records
        self._marks = marks
        self._is_answering = False
        self._turn = Turn()
        self._limits = LimitNotices()
        self._reviews: set[ApprovalId] = set()
        self._outcomes = ReviewOutcomes()

    def deliver(self, event: AgentEvent) -> None:
        """Show one event."""
        self._panes.changes.take_live(event)
        match event:
            case RunStarted() | TurnStarted() | TurnEnded() | RunEnded():
                self._take_course(event)
            case TextStreamed() | ThinkingStreamed() | AssistantReplied():
                self._take_words(event)
            case ToolCallStreamed() | ToolCallStarted() | ToolCallDecided():
                self._take_proposed_call(event)
            case ToolExecutionStarted() | ToolOutputStreamed() | ToolCallFinished():
                self._take_running_call(event)
            case ApprovalRequested() | ApprovalSettled():
                self._take_approval(event)
            case FilesChanged() | ChangesUndone():
                self._take_files(event)
            case (
                UsageReported()
                | RetryScheduled()
                | CacheCounted()
                | DiffCounted()
                | ContextMeasured()
                | ContextCompacted()
                | SpendingCounted()
            ):
                self._take_count(event)
            case SubagentStarted() | SubagentEnded():
                self._take_subagent(event)
            case NoticeRaised() | QueueChanged() | PromptSteered() | BackgroundChanged():
                self._take_standing(event)
            case _:
                self._take_session(event)

    def _take_course(self, event: RunStarted | TurnStarted | TurnEnded | RunEnded) -> None:
        """Show where the run stands; a sub-agent's turns are shown at its own row."""
        if event.head.agent:
            if isinstance(event, TurnStarted):
                self._show_subagent(self._records.take_subagent_turn(event))
            return
        match event:
            case RunStarted():
                self._turn = self._turn.next_run()
                self._panes.conversation.show_user(event.prompt, run_id=event.head.run_id)
                if event.is_retry:
                    self._panes.conversation.show_notice(NoticeLevel.INFO, RETRIED)
                self._panes.change_status(
                    lambda view: replace(
                        view,
                        is_running=True,
                        turn=0,
                        activity="",
                        mode=event.mode,
                        has_plan=False,
                    )
                )
            case TurnStarted():
                self._turn = self._turn.in_run(event.number)
                self._panes.change_status(
                    lambda view: replace(view, turn=event.number, activity="")
                )
            case TurnEnded():
                pass
            case RunEnded():
                self._end_run(event)
            case _:
                assert_never(event)

    def _end_run(self, event: RunEnded) -> None:
        self._end_answer(is_incomplete=True)
        if self._records.end_live():
            self._panes.show_calls(None)
        self._panes.conversation.show_run_end(event.ending, event.error, can_retry=event.can_retry)
        self._panes.change_status(lambda view: replace(view, is_running=False, turn=0, activity=""))
        self._panes.run_ended(event)

    def _take_words(self, event: TextStreamed | ThinkingStreamed | AssistantReplied) -> None:
        """Show the main agent's words; a sub-agent's are in its result."""
        if event.head.agent:
            return
        if isinstance(event, AssistantReplied):
            self._end_answer(is_incomplete=event.message.is_incomplete)
            return
        if not self._is_answering:
            self._is_answering = True
            self._panes.conversation.begin_answer()
        if isinstance(event, TextStreamed):
            self._panes.conversation.append_text(event.text)
        else:
            self._panes.conversation.append_thinking(event.text)

    def _end_answer(self, *, is_incomplete: bool) -> None:
        if self._is_answering:
            self._is_answering = False
            self._panes.conversation.end_answer(is_incomplete)

    def _take_proposed_call(
        self, event: ToolCallStreamed | ToolCallStarted | ToolCallDecided
    ) -> None:
        match event:
            case ToolCallStreamed():
                record = self._records.take_streamed(event)
            case ToolCallStarted():
                record = self._records.take_started(event)
                self._show_in_conversation(record, is_new=True)
            case ToolCallDecided():
                known = self._records.take_decided(event)
                if known is None:
                    return
                record = known
                self._show_in_conversation(record)
                if is_line_limit(event.decision):
                    run, keys = event.head.run_id, self._panes.keys()
                    banner = self._limits.text(event.decision, run, keys)
                    self._notice(NoticeLevel.WARNING, banner, agent=event.head.agent)
            case _:
                assert_never(event)
        self._panes.show_calls(record)

    def _take_running_call(
        self, event: ToolExecutionStarted | ToolOutputStreamed | ToolCallFinished
    ) -> None:
        match event:
            case ToolExecutionStarted():
                record = self._records.take_executing(event)
                if record is not None:
                    self._show_in_conversation(record)
            case ToolOutputStreamed():
                record = self._records.take_output(event)
            case ToolCallFinished():
                record = self._records.take_finished(event)
                self._show_in_conversation(record)
                self._mark_finished(event, record)
                if text := self._outcomes.take_finished(event):
                    self._notice(NoticeLevel.INFO, text, agent=event.head.agent)
            case _:
                assert_never(event)
        if record is not None:
            self._panes.show_calls(record)

    def _mark_finished(self, event: ToolCallFinished, record: CallRecord) -> None:
        if event.changes is not None:
            self._marks.mark_written(event.changes)
            self._panes.changes.show_applied(event.call_id, event.changes, turn=self._turn)
            self._panes.files.refresh_folders_of(file.path for file in event.changes.files)
            self._panes.files.show_marks()
        elif event.tool in READING_TOOLS and not event.result.is_error:
            path = path_argument(record.arguments_json)
            if path:
                self._marks.mark_read(path)
                self._panes.files.show_marks()

    def _show_in_conversation(self, record: CallRecord, *, is_new: bool = False) -> None:
        if record.agent:
            return
        pane = self._panes.conversation
        show = pane.show_call if is_new else pane.update_call
        show(
            record.call_id,
            record.tool,
            record.summary,
            record.state.value,
            duration_ms=record.duration_ms,
            is_cached=record.state is RowState.CACHED,
            detail=call_detail(record),
        )

    def _take_approval(self, event: ApprovalRequested | ApprovalSettled) -> None:
        if isinstance(event, ApprovalRequested):
            self._ask(event)
        else:
            self._settle(event)
        self.count_waiting()

    def _ask(self, event: ApprovalRequested) -> None:
        match event.request:
            case CommandRequest() | ActionRequest():
                self._panes.questions.ask(event.request)
            case ReviewRequest():
                self._ask_review(event.request)
            case _:
                assert_never(event.request)

    def _ask_review(self, request: ReviewRequest) -> None:
        self._reviews.add(request.id)
        self._outcomes.take_asked(request)
        self._marks.mark_proposed(request.id, (write.proposal.path for write in request.writes))
        self._panes.changes.show_review(request, turn=self._turn)
        self._panes.files.show_marks()
        for write in request.writes:
            record = self._records.take_proposed(write)
            if record is not None:
                self._show_in_conversation(record)
        self._panes.show_calls(None)

    def _settle(self, event: ApprovalSettled) -> None:
        if event.approval_id not in self._reviews:
            self._panes.questions.settle(event.approval_id)
            return
        self._reviews.discard(event.approval_id)
        self._outcomes.take_settled(event.approval_id, event.outcome)
        self._marks.settle(event.approval_id)
        if event.outcome is ApprovalOutcome.WITHDRAWN:
            self._panes.changes.mark_not_applied(event.approval_id)
        else:
            self._panes.changes.settle_review(event.approval_id, event.outcome)
        self._panes.files.show_marks()

    def count_waiting(self) -> None:
        """Say in the status bar how much waits: calls, and files of the review."""
        files = self._panes.changes.waiting_counts[0] if self._reviews else 0
        waiting = len(self._panes.questions) + files
        self._panes.change_status(lambda view: replace(view, waiting=waiting))

    def _take_files(self, event: FilesChanged | ChangesUndone) -> None:
        if isinstance(event, ChangesUndone):
            self._panes.changes.show_undone(event)
            return
        self._marks.mark_disk(event.origin, event.changes)
        if event.origin is not ChangeOrigin.AGENT:
            self._panes.changes.show_disk_changes(
                event.changes, origin=event.origin, turn=self._turn
            )
        self._panes.files.refresh_folders_of(
            change.path for change in event.changes if change.kind is not ChangeKind.MODIFIED
        )
        self._panes.files.show_marks()

    def _take_count(self, event: CountingEvent) -> None:
        self._panes.change_status(lambda view: status_after(view, event))
        if isinstance(event, RetryScheduled):
            text = retry_text(event, self._panes.keys())
            self._notice(NoticeLevel.WARNING, text, agent=event.head.agent)
        elif isinstance(event, ContextCompacted):
            self._notice(NoticeLevel.INFO, compaction_text(event), agent=event.head.agent)
        elif isinstance(event, UsageReported) and event.head.agent:
            self._show_subagent(self._records.take_subagent_turn(event))

    def _take_subagent(self, event: SubagentStarted | SubagentEnded) -> None:
        if isinstance(event, SubagentStarted):
            self._show_subagent(self._records.take_subagent_started(event))
            # Calls that were heard of before move below their parent.
            self._panes.show_calls(None)
        else:
            self._show_subagent(self._records.take_subagent_ended(event))

    def _show_subagent(self, parent: CallRecord | None) -> None:
        """Show how far a sub-agent is, at the call that started it."""
        if parent is not None:
            self._show_in_conversation(parent)
            self._panes.show_calls(parent)

    def _notice(self, level: NoticeLevel, text: str, *, agent: str) -> None:
        """Show a notice in the conversation, with the sub-agent that it is about."""
        self._panes.conversation.show_notice(level, f"{agent}: {text}" if agent else text)

    def _take_standing(
        self, event: NoticeRaised | QueueChanged | PromptSteered | BackgroundChanged
    ) -> None:
        """Show a notice, or what stands over several runs: queue, and processes that go on."""
        match event:
            case NoticeRaised():
                self._notice(event.level, event.text, agent=event.head.agent)
            case QueueChanged():
                self._panes.prompt.show_queue(event.prompts, event.steering)
                count = len(event.prompts) + len(event.steering)
                self._panes.change_status(lambda view: replace(view, queued=count))
            case PromptSteered():
                self._panes.conversation.show_user(event.text)
            case BackgroundChanged():
                for record in self._records.take_background(event):
                    self._show_in_conversation(record)
                self._panes.show_calls(None)
            case _:
                assert_never(event)

    def _take_session(
        self, event: ModelChanged | NoteAdded | SkillActivated | SessionResumed
    ) -> None:
        """Say that a session goes on, and with whom; what the model is told its cause shows."""
        match event:
            case ModelChanged():
                self._panes.change_status(lambda view: status_with_model(view, event))
                self._notice(NoticeLevel.INFO, model_text(event), agent="")
            case SessionResumed():
                self._notice(NoticeLevel.INFO, resumed_text(event), agent="")
            case NoteAdded() | SkillActivated():
                pass
            case _:
                assert_never(event)
