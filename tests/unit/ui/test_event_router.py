from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    AssistantReplied,
    BackgroundChanged,
    BackgroundProcess,
    CacheCounted,
    ChangesUndone,
    DiffCounted,
    Ending,
    EventHead,
    FilesChanged,
    NoticeLevel,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RetryScheduled,
    RunEnded,
    RunStarted,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ThinkingStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.approvals import (
    ApprovalOutcome,
    CommandAnswer,
    ProposedWrite,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode, Decision, Verdict
from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId, RunId, SessionId
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.domain.undo import UndoScope
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.call_questions import CallQuestions, CallRequest
from caramelo_tui.ui.call_records import CallRecord, CallRecords
from caramelo_tui.ui.event_router import EventRouter, RouterPanes
from caramelo_tui.ui.formatting import MINUS
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.retry_texts import RETRIED
from caramelo_tui.ui.touch_marks import TouchMarks
from caramelo_tui.ui.turns import Turn
from tests.pilot.driving import action_request, command_request

HEAD = EventHead(seq=1, at=0)
SUB = EventHead(seq=1, at=0, agent="Tidy")
CALL = CallId("c1")


@dataclass(slots=True)
class Panes:
    """Remembers what the panes were told, as short texts."""

    log: list[str] = field(default_factory=list[str])
    status: StatusView = field(default_factory=StatusView)
    ended: list[Ending] = field(default_factory=list[Ending])
    waiting_counts: tuple[int, int, int] = (0, 0, 0)
    live: list[AgentEvent] = field(default_factory=list[AgentEvent])

    def note(self, text: str) -> None:
        self.log.append(text)

    # conversation
    def show_user(self, text: str, *, is_queued: bool = False, run_id: RunId | None = None) -> None:
        del run_id
        self.note(f"user {text}{' queued' if is_queued else ''}")

    def begin_answer(self) -> None:
        self.note("begin")

    def append_text(self, text: str) -> None:
        self.note(f"text {text}")

    def append_thinking(self, text: str) -> None:
        self.note(f"thinking {text}")

    def end_answer(self, is_incomplete: bool) -> None:  # noqa: FBT001 - the pane's own signature
        self.note(f"end {'incomplete' if is_incomplete else 'whole'}")

    def show_call(  # noqa: PLR0913 - the pane's own signature
        self,
        call_id: CallId,
        tool: str,
        summary: str,
        state: str,
        *,
        duration_ms: int | None = None,
        is_cached: bool = False,
        detail: str = "",
    ) -> None:
        del summary, duration_ms, is_cached
        self.note(f"call {call_id} {tool} {state} {detail}".rstrip())

    update_call = show_call

    def show_notice(self, level: str, text: str) -> None:
        self.note(f"{level} {text}")

    def show_run_end(self, ending: str, detail: str, *, can_retry: bool = False) -> None:
        self.note(f"ending {ending} {detail}".rstrip() + " can retry" * can_retry)

    # changes
    def take_live(self, event: AgentEvent) -> None:
        self.live.append(event)

    def show_review(self, request: ReviewRequest, *, turn: Turn) -> None:
        self.waiting_counts = (1, 1, 1)
        self.note(f"review {request.id} in {turn.title}")

    def settle_review(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        self.note(f"settled {approval_id} {outcome.value}")

    def mark_not_applied(self, approval_id: ApprovalId) -> None:
        self.note(f"not applied {approval_id}")

    def show_applied(self, call_id: CallId, changes: ChangeSet, *, turn: Turn) -> None:
        self.note(f"applied {call_id} {len(changes.files)} in {turn.title}")

    def show_disk_changes(
        self, changes: Sequence[FileChange], *, origin: ChangeOrigin, turn: Turn
    ) -> None:
        self.note(f"{origin.value} {len(changes)} in {turn.title}")

    def show_undone(self, event: ChangesUndone) -> None:
        self.note(f"undone {event.scope.value} {event.is_redo}")

    # files, prompt, rest
    def refresh_folders_of(self, paths: Iterable[str]) -> None:
        self.note(f"folders {','.join(paths)}")

    def show_marks(self) -> None:
        self.note("marks")

    def show_queue(self, prompts: Sequence[str], steering: Sequence[str] = ()) -> None:
        self.note(f"queue {len(prompts)} and {len(steering)}")

    def show_calls(self, record: CallRecord | None) -> None:
        self.note(f"rows {record.call_id if record else 'all'}")

    def change_status(self, change: Callable[[StatusView], StatusView]) -> None:
        self.status = change(self.status)

    def take_run_end(self, event: RunEnded) -> None:
        self.ended.append(event.ending)

    def show_question(self, request: CallRequest) -> None:
        self.note(f"question {request.id}")

    def answer(self, approval_id: ApprovalId, answer: CommandAnswer) -> None:
        self.note(f"answer {approval_id} {answer.action.value}")


@dataclass(slots=True)
class Stage:
    """A router over remembering panes."""

    router: EventRouter
    panes: Panes
    marks: TouchMarks
    questions: CallQuestions

    def take(self, *events: AgentEvent) -> list[str]:
        """Deliver events; return what the panes were told."""
        self.panes.log.clear()
        for event in events:
            self.router.deliver(event)
        return self.panes.log


@pytest.fixture
def stage() -> Stage:
    panes = Panes()
    marks = TouchMarks()
    questions = CallQuestions(
        show=panes.show_question,
        withdraw=lambda: panes.note("withdrawn"),
        show_position=lambda _position: None,
        answer=panes.answer,
    )
    router = EventRouter(
        RouterPanes(
            conversation=panes,
            changes=panes,
            files=panes,
            prompt=panes,
            questions=questions,
            show_calls=panes.show_calls,
            change_status=panes.change_status,
            run_ended=panes.take_run_end,
        ),
        records=CallRecords(),
        marks=marks,
    )
    return Stage(router=router, panes=panes, marks=marks, questions=questions)


def reply(*, is_incomplete: bool = False) -> AssistantReplied:
    reason = None if is_incomplete else StopReason.END_TURN
    return AssistantReplied(head=HEAD, message=AssistantMessage(blocks=(), stop_reason=reason))


def started(tool: str = "file_read", arguments: str = '{"path": "./src/a.py"}') -> ToolCallStarted:
    return ToolCallStarted(head=HEAD, call_id=CALL, tool=tool, arguments_json=arguments)


def finished(tool: str = "file_read", changes: ChangeSet | None = None) -> ToolCallFinished:
    return ToolCallFinished(
        head=HEAD,
        call_id=CALL,
        tool=tool,
        duration_ms=3,
        changes=changes,
        result=ToolResult(call_id=CALL, text="t", is_error=False, state=CallState.OK),
    )


def review(
    approval_id: str = "r1", path: str = "src/a.py", hunks: tuple[Hunk, ...] = ()
) -> ReviewRequest:
    proposal = WriteProposal(
        call_id=CALL,
        path=path,
        shown_path=path,
        edit=WholeContent(content="x", can_overwrite=True),
        before=None,
        after=b"x",
        hunks=hunks,
        base_hash=None,
    )
    write = ProposedWrite(
        call_id=CALL, fingerprint="f", tool="file_write", proposal=proposal, reason="r"
    )
    return ReviewRequest(id=ApprovalId(approval_id), writes=(write,))


def run_started() -> RunStarted:
    return RunStarted(
        head=HEAD,
        session_id=SessionId("s"),
        prompt="go",
        provider="p",
        model="m",
        mode=ApprovalMode.EACH,
        profile="caramelo",
        is_trusted=True,
    )


def test_a_run_shows_prompt_answer_and_ending(stage: Stage) -> None:
    log = stage.take(
        run_started(),
        TurnStarted(head=HEAD, number=2),
        ThinkingStreamed(head=HEAD, text="h"),
        TextStreamed(head=HEAD, text="a"),
        reply(),
    )
    assert log == ["user go", "begin", "thinking h", "text a", "end whole"]
    assert stage.panes.status.is_running
    assert stage.panes.status.turn == 2
    assert stage.panes.status.mode is ApprovalMode.EACH
    end = RunEnded(head=HEAD, ending=Ending.ERROR, refused_calls=0, error="no key")
    assert stage.take(end) == ["ending error no key"]
    assert not stage.panes.status.is_running
    assert stage.panes.ended == [Ending.ERROR]


def test_a_broken_answer_is_ended_as_incomplete(stage: Stage) -> None:
    assert stage.take(TextStreamed(head=HEAD, text="a"), reply(is_incomplete=True))[-1] == (
        "end incomplete"
    )
    log = stage.take(
        TextStreamed(head=HEAD, text="b"),
        RunEnded(head=HEAD, ending=Ending.CANCELLED, refused_calls=0),
    )
    assert log == ["begin", "text b", "end incomplete", "ending cancelled"]


def test_a_turn_without_words_opens_no_answer(stage: Stage) -> None:
    assert stage.take(reply()) == []


def test_a_call_is_shown_in_conversation_and_log(stage: Stage) -> None:
    log = stage.take(
        ToolCallStreamed(head=HEAD, call_id=CALL, tool="file_read", fragment="{"),
        started(),
        ToolExecutionStarted(head=HEAD, call_id=CALL),
        finished(),
    )
    assert log == [
        "rows c1",
        "call c1 file_read validating",
        "rows c1",
        "call c1 file_read running",
        "rows c1",
        "call c1 file_read ok",
        "marks",
        "rows c1",
    ]


def test_a_read_file_gets_its_mark(stage: Stage) -> None:
    stage.take(started(), finished())
    assert stage.marks.text("src/a.py") == "r"


def test_arguments_that_are_no_json_mark_nothing(stage: Stage) -> None:
    stage.take(started(arguments="{broken"), finished())
    assert stage.marks.paths == frozenset()


def test_what_was_written_goes_to_changes_files_and_marks(stage: Stage) -> None:
    hunk = Hunk(id=HunkId("c1:0"), old_start=1, old_lines=(), new_start=1, new_lines=("x\n",))
    file = FileDiff(path="src/new.py", before=None, after=b"x\n", applied=(hunk,))
    changes = ChangeSet(call_id=CALL, files=(file,))
    log = stage.take(
        TurnStarted(head=HEAD, number=1),
        started("file_write"),
        finished("file_write", changes),
    )
    assert f"call c1 file_write ok +1 {MINUS}0" in log
    assert "applied c1 1 in run 0 · turn 1" in log
    assert "folders src/new.py" in log
    assert stage.marks.text("src/new.py") == "A"


def test_a_sub_agents_words_and_calls_stay_out_of_the_conversation(stage: Stage) -> None:
    log = stage.take(
        TextStreamed(head=SUB, text="a"),
        ToolCallStarted(head=SUB, call_id=CALL, tool="grep", arguments_json="{}"),
        TurnStarted(head=SUB, number=9),
    )
    assert log == ["rows c1"]
    assert stage.panes.status.turn == 0


def test_a_review_is_shown_marked_and_counted_until_it_is_settled(stage: Stage) -> None:
    log = stage.take(ApprovalRequested(head=HEAD, request=review()))
    assert log == ["review r1 in run 0 · turn 0", "marks", "rows all"]
    assert stage.marks.text("src/a.py") == "?"
    assert stage.panes.status.waiting == 1
    settled = ApprovalSettled(
        head=HEAD, approval_id=ApprovalId("r1"), outcome=ApprovalOutcome.PARTLY
    )
    assert stage.take(settled) == ["settled r1 partly", "marks"]
    assert stage.panes.status.waiting == 0
    assert stage.marks.text("src/a.py") == ""


def test_a_write_that_waits_says_how_much_it_would_change(stage: Stage) -> None:
    hunk = Hunk(id=HunkId("c1:0"), old_start=1, old_lines=(), new_start=1, new_lines=("x\n",))
    log = stage.take(
        started("file_write"), ApprovalRequested(head=HEAD, request=review(hunks=(hunk,)))
    )
    assert f"call c1 file_write validating +1 {MINUS}0" in log


def test_a_withdrawn_review_stays_visible_as_not_applied(stage: Stage) -> None:
    stage.take(ApprovalRequested(head=HEAD, request=review()))
    withdrawn = ApprovalSettled(
        head=HEAD, approval_id=ApprovalId("r1"), outcome=ApprovalOutcome.WITHDRAWN
    )
    assert stage.take(withdrawn)[0] == "not applied r1"


def test_a_command_is_asked_and_goes_away_when_withdrawn(stage: Stage) -> None:
    log = stage.take(ApprovalRequested(head=HEAD, request=command_request(approval_id="q")))
    assert log == ["question q"]
    assert stage.panes.status.waiting == 1
    withdrawn = ApprovalSettled(
        head=HEAD, approval_id=ApprovalId("q"), outcome=ApprovalOutcome.WITHDRAWN
    )
    assert stage.take(withdrawn) == ["withdrawn"]
    assert stage.panes.status.waiting == 0


def test_changes_on_disk_refresh_folders_only_when_names_changed(stage: Stage) -> None:
    def changed(origin: ChangeOrigin, kind: ChangeKind) -> FilesChanged:
        return FilesChanged(
            head=HEAD, origin=origin, changes=(FileChange(path="src/a", kind=kind),)
        )

    log = stage.take(changed(ChangeOrigin.EXTERNAL, ChangeKind.MODIFIED))
    assert log == ["external 1 in run 0 · turn 0", "folders ", "marks"]
    assert stage.marks.text("src/a") == "M!"
    log = stage.take(changed(ChangeOrigin.AGENT, ChangeKind.CREATED))
    assert log == ["folders src/a", "marks"]


def test_what_a_command_changed_is_told_from_what_came_from_outside(stage: Stage) -> None:
    change = FileChange(path="out.txt", kind=ChangeKind.CREATED)
    log = stage.take(
        TurnStarted(head=HEAD, number=2),
        FilesChanged(head=HEAD, origin=ChangeOrigin.COMMAND, changes=(change,)),
    )
    assert "command 1 in run 0 · turn 2" in log
    assert stage.marks.text("out.txt") == "A$"


def test_an_undo_goes_to_the_changes(stage: Stage) -> None:
    undone = ChangesUndone(
        head=HEAD,
        scope=UndoScope.TURN,
        is_redo=False,
        changes=ChangeSet(call_id=CallId("undo-1"), files=()),
        hunks=(),
    )
    assert stage.take(undone) == ["undone turn False"]


AT_ONCE = "F3 and then r sends it at once; ctrl+c stops the run."


def test_usage_retry_notice_queue_and_background_are_shown(stage: Stage) -> None:
    usage = Usage(input_tokens=10, output_tokens=5)
    log = stage.take(
        UsageReported(head=HEAD, usage=usage, session_usage=usage, context_window=100),
        RetryScheduled(head=HEAD, attempt=2, wait_s=4.2, reason="Too many requests."),
        NoticeRaised(head=HEAD, level=NoticeLevel.ERROR, text="n"),
        QueueChanged(head=HEAD, prompts=("a", "b"), steering=("c",)),
        BackgroundChanged(head=HEAD, processes=()),
    )
    assert log == [
        f"warning Too many requests. Trying again in 4 s. {AT_ONCE}",
        "error n",
        "queue 2 and 1",
        "rows all",
    ]
    assert stage.panes.status.context_tokens == 15
    assert stage.panes.status.queued == 3


def test_a_run_that_can_be_retried_says_so_at_both_ends(stage: Stage) -> None:
    begun = replace(run_started(), is_retry=True)
    ended = RunEnded(head=HEAD, ending=Ending.ERROR, refused_calls=0, error="Lost.", can_retry=True)
    log = stage.take(begun, ended)
    assert f"info {RETRIED}" in log
    assert "ending error Lost. can retry" in log


def test_what_the_run_was_told_meanwhile_is_shown_as_said(stage: Stage) -> None:
    assert stage.take(PromptSteered(head=HEAD, text="use tabs")) == ["user use tabs"]


def test_a_call_that_left_something_running_says_so(stage: Stage) -> None:
    stage.take(started("bash"), finished("bash"))
    process = BackgroundProcess(pid=7, command="sleep 9", call_id=CALL)
    log = stage.take(BackgroundChanged(head=HEAD, processes=(process,)))
    assert log == ["call c1 bash background 1 process left running", "rows all"]
    log = stage.take(BackgroundChanged(head=HEAD, processes=()))
    assert log == ["call c1 bash ok", "rows all"]


def test_what_a_sub_agent_does_is_said_at_the_call_that_started_it(stage: Stage) -> None:
    usage = Usage(input_tokens=1_000)
    log = stage.take(
        started("spawn_subagent"),
        SubagentStarted(head=HEAD, call_id=CALL, title="Tidy", role="coder", model="m"),
        TurnStarted(head=SUB, number=2),
        TextStreamed(head=SUB, text="not in the conversation"),
        UsageReported(head=SUB, usage=usage, session_usage=usage, context_window=1),
        SubagentEnded(
            head=HEAD, call_id=CALL, title="Tidy", ending=Ending.COMPLETED, usage=usage, turns=2
        ),
    )
    said = [line for line in log if line.startswith("call")]
    assert said == [
        "call c1 spawn_subagent validating",
        "call c1 spawn_subagent validating starting",
        "call c1 spawn_subagent validating turn 2",
        "call c1 spawn_subagent validating turn 2 · 1.0k tokens",
        "call c1 spawn_subagent validating 2 turns · 1.0k tokens",
    ]
    assert not any("not in the conversation" in line for line in log)
    assert stage.panes.status.turn == 0


def test_a_sub_agents_notice_names_it(stage: Stage) -> None:
    log = stage.take(
        NoticeRaised(head=SUB, level=NoticeLevel.INFO, text="n"),
        RetryScheduled(head=SUB, attempt=1, wait_s=2, reason="Busy."),
    )
    assert log == ["info Tidy: n", "warning Tidy: Busy. Trying again in 2 s."]


def test_cache_and_changed_lines_go_to_the_status_bar(stage: Stage) -> None:
    stage.take(
        CacheCounted(head=HEAD, hits=1, misses=2, entries=2, kept_bytes=9),
        DiffCounted(head=HEAD, changed_lines=5, deny_above=10, ask_above=None),
    )
    assert stage.panes.status.cache_lookups == 3
    assert stage.panes.status.changed_lines == 5


def test_questions_of_both_kinds_wait_in_one_queue(stage: Stage) -> None:
    log = stage.take(
        ApprovalRequested(head=HEAD, request=action_request(approval_id="a")),
        ApprovalRequested(head=HEAD, request=command_request(approval_id="b")),
    )
    assert log == ["question a"]
    assert stage.panes.status.waiting == 2


def test_a_refusal_by_the_line_limit_says_what_lifts_it(stage: Stage) -> None:
    decision = Decision(verdict=Verdict.DENY, reason="Too many.", rule="r", code="diff_limit")
    log = stage.take(
        started("file_write"), ToolCallDecided(head=HEAD, call_id=CALL, decision=decision)
    )
    assert any(line.startswith("warning Too many.\nF7 raises") for line in log)
    log = stage.take(ToolCallDecided(head=SUB, call_id=CALL, decision=decision))
    assert any(line.startswith("warning Tidy: Too many.") for line in log)


def test_a_new_run_takes_the_offer_of_a_plan_back(stage: Stage) -> None:
    stage.panes.status = StatusView(has_plan=True)
    stage.take(run_started())
    assert not stage.panes.status.has_plan
