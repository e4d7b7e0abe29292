from caramelo_tui.domain.agent_events import (
    BackgroundChanged,
    BackgroundProcess,
    EventHead,
    OutputStream,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    ToolOutputStreamed,
)
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.call_records import TAIL_CHARACTERS, CallRecords, RowState

HEAD = EventHead(seq=1, at=5.0)
CALL = CallId("c1")


def started(records: CallRecords, call_id: CallId = CALL) -> None:
    records.take_started(
        ToolCallStarted(
            head=HEAD, call_id=call_id, tool="bash", arguments_json='{"a":1}', summary="make test"
        )
    )


def finished(
    records: CallRecords, state: CallState = CallState.OK, *, is_cached: bool = False
) -> None:
    records.take_finished(
        ToolCallFinished(
            head=HEAD,
            call_id=CALL,
            tool="bash",
            duration_ms=12,
            is_cached=is_cached,
            result=ToolResult(call_id=CALL, text="äb", is_error=False, state=state),
        )
    )


def decision(verdict: Verdict) -> Decision:
    return Decision(verdict=verdict, reason="r", rule="rule")


def test_a_call_goes_through_its_states() -> None:
    records = CallRecords()
    record = records.take_streamed(
        ToolCallStreamed(head=HEAD, call_id=CALL, tool="bash", fragment='{"a')
    )
    states = [record.state]
    started(records)
    states.append(record.state)
    ask = ToolCallDecided(head=HEAD, call_id=CALL, decision=decision(Verdict.ASK))
    records.take_decided(ask)
    states.append(record.state)
    records.take_executing(ToolExecutionStarted(head=HEAD, call_id=CALL))
    states.append(record.state)
    finished(records)
    states.append(record.state)
    assert states == [
        RowState.STREAMING,
        RowState.VALIDATING,
        RowState.WAITING,
        RowState.RUNNING,
        RowState.OK,
    ]
    assert record.arguments_json == '{"a":1}'
    assert len(records) == 1


def test_every_end_of_a_call_has_a_row_state() -> None:
    for state in CallState:
        records = CallRecords()
        started(records)
        finished(records, state)
        record = records.get(CALL)
        assert record is not None
        assert record.state.value == state.value
        assert not record.is_live


def test_an_answer_from_the_cache_says_so() -> None:
    records = CallRecords()
    started(records)
    finished(records, is_cached=True)
    record = records.get(CALL)
    assert record is not None
    assert record.state is RowState.CACHED


def test_the_size_is_in_bytes() -> None:
    records = CallRecords()
    started(records)
    finished(records)
    record = records.get(CALL)
    assert record is not None
    assert record.size_bytes == 3


def test_the_live_tail_keeps_the_end_and_stays_bounded() -> None:
    records = CallRecords()
    started(records)
    record = records.get(CALL)
    assert record is not None
    for number in range(200):
        text = f"{number:04}" * 250
        records.take_output(
            ToolOutputStreamed(head=HEAD, call_id=CALL, stream=OutputStream.STDOUT, text=text)
        )
    assert record.output_characters == 200_000
    assert len(record.tail_text) <= TAIL_CHARACTERS
    assert record.tail_text.endswith("0199")


def test_a_call_with_a_running_child_is_in_the_background_until_it_ends() -> None:
    records = CallRecords()
    started(records)
    finished(records)
    process = BackgroundProcess(pid=7, command="sleep 9", call_id=CALL)
    (record,) = records.take_background(BackgroundChanged(head=HEAD, processes=(process,)))
    assert record.state is RowState.BACKGROUND
    (again,) = records.take_background(BackgroundChanged(head=HEAD, processes=()))
    assert again.state is RowState.OK


def test_calls_that_never_were_are_dropped_at_the_end_of_the_run() -> None:
    records = CallRecords()
    started(records)
    half = ToolCallStreamed(head=HEAD, call_id=CallId("c2"), tool="grep", fragment="{")
    records.take_streamed(half)
    assert [record.call_id for record in records.end_live()] == ["c2"]
    assert [record.call_id for record in records] == ["c1"]


def test_events_of_unknown_calls_are_passed_over() -> None:
    records = CallRecords()
    assert records.take_executing(ToolExecutionStarted(head=HEAD, call_id=CALL)) is None
    deny = ToolCallDecided(head=HEAD, call_id=CALL, decision=decision(Verdict.DENY))
    assert records.take_decided(deny) is None
    assert len(records) == 0


def test_the_filter_looks_at_tool_arguments_and_state() -> None:
    records = CallRecords()
    started(records)
    assert len(records.matching("BASH make")) == 1
    assert len(records.matching("validating")) == 1
    assert len(records.matching("grep")) == 0
    assert len(records.matching("")) == 1
