"""What happens is said in whole lines, and only what is worth one."""

import os
from collections.abc import Callable

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    BackgroundChanged,
    BackgroundProcess,
    Ending,
    EventHead,
    FilesChanged,
    ModelChanged,
    RetryScheduled,
    RunStarted,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ThinkingStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import ApprovalMode, Decision, Verdict
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.domain.messages import AssistantMessage
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.headless.linear.narration import Narrator
from caramelo_tui.headless.linear.output import LinearOutput
from tests.doubles.images import attachment
from tests.unit.headless.linear_worlds import TWO_HUNKS

Make = Callable[[EventHead], AgentEvent]
CALL = CallId("call-1")


async def told(*makes: Make, agent: str = "", reviewed: bool = False) -> list[str]:
    """Return the lines that are said of these events."""
    source, sink = os.pipe()
    out = LinearOutput(sink)
    narrator = Narrator(out)
    if reviewed:
        narrator.note_review(frozenset({CALL}))
    for make in makes:
        narrator.tell(make(EventHead(seq=1, at=0.0, agent=agent)))
    await out.flush()
    os.close(sink)
    with os.fdopen(source, "rb") as stream:
        return stream.read().decode().splitlines()


def started(head: EventHead) -> AgentEvent:
    return ToolCallStarted(
        head=head, call_id=CALL, tool="bash", arguments_json="{}", summary="make\nall"
    )


def finished(
    state: CallState = CallState.OK,
    text: str = "done",
    *,
    exit_code: int | None = None,
    duration_ms: int = 0,
    changes: ChangeSet | None = None,
    is_cached: bool = False,
) -> Make:
    result = ToolResult(
        call_id=CALL,
        text=text,
        is_error=state is not CallState.OK,
        state=state,
        exit_code=exit_code,
    )
    return lambda head: ToolCallFinished(
        head=head,
        call_id=CALL,
        tool="bash",
        result=result,
        duration_ms=duration_ms,
        changes=changes,
        is_cached=is_cached,
    )


async def test_an_answer_has_a_beginning_and_an_end() -> None:
    reply = AssistantMessage(blocks=(), stop_reason=None)
    assert await told(
        lambda head: ThinkingStreamed(head=head, text="hmm"),
        lambda head: TextStreamed(head=head, text="a\nb"),
        lambda head: AssistantReplied(head=head, message=reply),
    ) == [
        "Thought, 3 characters.",
        "Assistant:",
        "a",
        "b",
        "End of the answer.",
        "The answer broke off here.",
    ]


async def test_another_model_is_named() -> None:
    assert await told(
        lambda head: ModelChanged(head=head, provider="p", model="m", context_window=None)
    ) == ["From now on m of p answers."]


async def test_an_endpoint_that_is_not_the_vendors_is_said_with_its_model() -> None:
    assert await told(
        lambda head: ModelChanged(
            head=head,
            provider="p",
            model="m\x1b",
            context_window=None,
            endpoint_note="BASE_URL → 127.0.0.1",
        )
    ) == ["From now on m<U+001B> of p answers. Endpoint: BASE_URL → 127.0.0.1."]


async def test_images_of_a_prompt_are_counted() -> None:
    (line,) = await told(
        lambda head: RunStarted(
            head=head,
            session_id=SessionId("s"),
            prompt="look",
            provider="p",
            model="m",
            mode=ApprovalMode.REVIEW,
            profile="caramelo",
            is_trusted=True,
            images=(attachment("a.png"), attachment("b.png")),
        )
    )
    assert line == "Working on: look (2 images)"


async def test_a_sub_agents_words_are_left_to_its_result() -> None:
    words = await told(lambda head: TextStreamed(head=head, text="a\n"), agent="tests")
    assert words == []


async def test_a_lasting_call_is_said_at_its_start_and_each_at_its_end() -> None:
    lines = await told(
        started,
        lambda head: ToolExecutionStarted(head=head, call_id=CALL),
        finished(CallState.ERROR, "exit_code: 2", exit_code=2, duration_ms=3_210),
        agent="tests",
    )
    assert lines == [
        "tests: Running bash make.",
        "tests: Tool bash make: error, exit code 2, 3.2 s.",
    ]


async def test_a_refusal_says_why() -> None:
    (line,) = await told(finished(CallState.DENIED, "The user\nsaid no"))
    assert line == "Tool bash: denied. The user"
    (line,) = await told(finished(is_cached=True))
    assert line == "Tool bash: ok, cached."


async def test_what_was_written_without_a_review_is_read_out() -> None:
    changes = ChangeSet(
        call_id=CALL,
        files=(FileDiff(path="a.py", before=b"", after=b"", applied=TWO_HUNKS.proposal.hunks),),
    )
    lines = await told(finished(changes=changes))
    assert lines[0] == "Tool bash: ok, 2 lines added, 2 removed."
    assert "Written to a.py, change 2 of 2:" in lines
    assert "added 25: changed" in lines
    assert lines[-1] == "End of the changes to a.py."
    assert len(await told(finished(changes=changes), reviewed=True)) == 1


async def test_a_refusal_by_the_limit_names_the_commands() -> None:
    decision = Decision(
        verdict=Verdict.DENY, reason="Too many lines.", rule="max_diff_lines", code="diff_limit"
    )
    lines = await told(
        lambda head: ToolCallDecided(head=head, call_id=CALL, decision=decision, summary="a")
    )
    assert lines[0] == "Too many lines."
    assert "/raise-limit" in lines[1]


async def test_changes_by_others_are_named_up_to_a_limit() -> None:
    changes = tuple(FileChange(path=f"f{n}", kind=ChangeKind.MODIFIED) for n in range(22))
    lines = await told(
        lambda head: FilesChanged(head=head, origin=ChangeOrigin.EXTERNAL, changes=changes),
        lambda head: FilesChanged(head=head, origin=ChangeOrigin.AGENT, changes=changes),
    )
    assert lines[0] == "Modified by another program: f0"
    assert lines[-1] == "And 2 more files changed by another program."
    assert len(lines) == 21
    (line,) = await told(
        lambda head: FilesChanged(head=head, origin=ChangeOrigin.UNDO, changes=changes[:1])
    )
    assert line == "Modified by your undo: f0"


async def test_sub_agents_retries_and_background_have_a_line() -> None:
    process = BackgroundProcess(pid=7, command="sleep 9", call_id=CALL)
    lines = await told(
        lambda head: SubagentStarted(head=head, call_id=CALL, title="t", role="r", model="m"),
        lambda head: SubagentEnded(
            head=head, call_id=CALL, title="t", ending=Ending.MAX_TURNS, usage=Usage(), turns=1
        ),
        lambda head: RetryScheduled(head=head, attempt=1, wait_s=2.0, reason="Busy."),
        lambda head: BackgroundChanged(head=head, processes=(process,)),
        lambda head: UsageReported(
            head=head, usage=Usage(), session_usage=Usage(), context_window=None
        ),
    )
    assert lines == [
        "The sub-agent t begins.",
        "The sub-agent t ended: max turns, 1 turn.",
        "Busy. Trying again in 2 s. /retry does it at once, /stop stops the run.",
        "Left running in the background, process 7: sleep 9",
    ]
