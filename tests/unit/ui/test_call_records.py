from caramelo_tui.domain.agent_events import (
    BackgroundChanged,
    BackgroundProcess,
    Ending,
    EventHead,
    OutputStream,
    SubagentEnded,
    SubagentStarted,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    ToolOutputStreamed,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.sessions import StoredCall
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.call_records import HELD_CHARACTERS, TAIL_CHARACTERS, CallRecords, RowState

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


def test_a_sub_agents_calls_stand_below_the_call_that_started_it() -> None:
    records = CallRecords()
    for call_id, agent in (("p", ""), ("q", ""), ("p1", "Tidy"), ("m", ""), ("q1", "Docs")):
        head = EventHead(seq=1, at=1, agent=agent)
        records.take_started(
            ToolCallStarted(head=head, call_id=CallId(call_id), tool="t", arguments_json="{}")
        )
    assert [record.call_id for record in records] == ["p", "q", "p1", "m", "q1"]
    start_subagent(records, "p", "Tidy")
    start_subagent(records, "q", "Docs")
    assert [record.call_id for record in records] == ["p", "p1", "q", "q1", "m"]
    assert [record.call_id for record in records.matching("docs")] == ["q1"]


def start_subagent(records: CallRecords, call_id: str, title: str) -> None:
    records.take_subagent_started(
        SubagentStarted(head=HEAD, call_id=CallId(call_id), title=title, role="coder", model="m")
    )


def test_a_sub_agents_turns_and_tokens_grow_at_its_parents_record() -> None:
    records = CallRecords()
    started(records)
    start_subagent(records, CALL, "Tidy")
    head = EventHead(seq=1, at=1, agent="Tidy")
    usage = Usage(input_tokens=10)
    for number in (1, 2):
        records.take_subagent_turn(TurnStarted(head=head, number=number))
        records.take_subagent_turn(
            UsageReported(head=head, usage=usage, session_usage=usage, context_window=None)
        )
    record = records.get(CALL)
    assert record is not None
    assert record.subagent is not None
    assert (record.subagent.turns, record.subagent.usage.input_tokens) == (2, 20)
    assert record.subagent.ending is None
    records.take_subagent_ended(
        SubagentEnded(
            head=HEAD, call_id=CALL, title="Tidy", ending=Ending.ERROR, usage=usage, turns=3
        )
    )
    assert record.subagent.ending is Ending.ERROR
    assert (record.subagent.turns, record.subagent.usage.input_tokens) == (3, 10)


def test_a_sub_agent_that_nobody_heard_start_is_passed_over() -> None:
    records = CallRecords()
    start_subagent(records, "no such call", "Tidy")
    head = EventHead(seq=1, at=1, agent="Tidy")
    assert records.take_subagent_turn(TurnStarted(head=head, number=1)) is None
    assert len(records) == 0


def test_only_finished_reads_can_be_run_again() -> None:
    records = CallRecords()
    head = HEAD
    for call_id, tool in (("a", "grep"), ("b", "bash")):
        records.take_started(
            ToolCallStarted(head=head, call_id=CallId(call_id), tool=tool, arguments_json="{}")
        )
    read, command = list(records)
    assert not read.can_repeat
    read.state = command.state = RowState.OK
    assert read.can_repeat
    assert not command.can_repeat
    read.state = RowState.ERROR
    assert not read.can_repeat


def ended(records: CallRecords, call_id: CallId, text: str) -> None:
    started(records, call_id)
    result = ToolResult(call_id=call_id, text=text, is_error=False, state=CallState.OK)
    records.take_finished(
        ToolCallFinished(head=HEAD, call_id=call_id, tool="bash", duration_ms=1, result=result)
    )


def many(records: CallRecords, count: int, text: str) -> list[CallId]:
    ids = [CallId(f"m{number}") for number in range(count)]
    for call_id in ids:
        ended(records, call_id, text)
    return ids


def test_the_texts_of_old_calls_are_set_aside_and_their_rows_stay() -> None:
    records = CallRecords()
    records.can_set_aside = True
    text = "ä" * (HELD_CHARACTERS // 10)
    ids = many(records, 30, text)
    held = sum(record.held_characters for record in records)
    assert held <= HELD_CHARACTERS
    first, last = records.get(ids[0]), records.get(ids[-1])
    assert first is not None
    assert last is not None
    assert (first.held_characters, first.size_bytes) == (0, 2 * len(text))
    assert (first.state, first.summary) == (RowState.OK, "make test")
    assert last.result is not None
    assert last.result.text == text


def test_a_call_that_was_brought_back_is_held_as_the_newest() -> None:
    records = CallRecords()
    records.can_set_aside = True
    text = "x" * (HELD_CHARACTERS // 10)
    ids = many(records, 30, text)
    first = records.get(ids[0])
    assert first is not None
    result = ToolResult(call_id=ids[0], text=text, is_error=False, state=CallState.OK)
    records.bring_back(first, StoredCall(arguments_json="{}", result=result))
    assert first.result == result
    assert first.set_aside_bytes is None
    assert sum(record.held_characters for record in records) <= HELD_CHARACTERS
    ended(records, CallId("next"), text)
    assert first.result == result


def test_nothing_is_set_aside_where_no_session_is_kept() -> None:
    records = CallRecords()
    text = "x" * (HELD_CHARACTERS // 10)
    many(records, 30, text)
    assert all(record.held_characters > len(text) for record in records)


def test_what_streamed_is_let_go_for_the_result() -> None:
    records = CallRecords()
    started(records)
    records.take_output(
        ToolOutputStreamed(head=HEAD, call_id=CALL, text="live", stream=OutputStream.STDOUT)
    )
    finished(records)
    record = records.get(CALL)
    assert record is not None
    assert record.tail_text == ""


def test_the_contents_of_changed_files_are_not_held() -> None:
    records = CallRecords()
    started(records)
    diff = FileDiff(path="a", before=b"x" * 1000, after=b"y" * 1000, applied=())
    records.take_finished(
        ToolCallFinished(
            head=HEAD,
            call_id=CALL,
            tool="file_write",
            duration_ms=12,
            result=ToolResult(call_id=CALL, text="written", is_error=False, state=CallState.OK),
            changes=ChangeSet(call_id=CALL, files=(diff,)),
        )
    )
    record = records.get(CALL)
    assert record is not None
    assert record.changes is not None
    (held,) = record.changes.files
    assert (held.path, held.before, held.after) == ("a", b"", b"")
