"""One turn's record: one start, one finish, one result for each call."""

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.turn_record import Turn, new_turn, result_of
from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.tools.base import ToolOutput
from tests.doubles.pipeline_worlds import SteppingClock, bash, call


@pytest.fixture
def turn() -> Turn:
    clock = SteppingClock()
    return new_turn([bash("1", "ls"), call("2", "look")], EventStream(clock), clock, "helper")


def events_of(turn: Turn) -> EventStream:
    assert isinstance(turn.events, EventStream)
    return turn.events


def test_a_call_cannot_end_twice(turn: Turn) -> None:
    turn.fail(turn.records[0], "no")
    with pytest.raises(RuntimeError, match="1 has ended already"):
        turn.fail(turn.records[0], "again")
    finished = [e for e in events_of(turn).events if isinstance(e, ToolCallFinished)]
    assert [event.result.text for event in finished] == ["no"]


def test_an_outcome_needs_all_results(turn: Turn) -> None:
    turn.fail(turn.records[0], "no")
    with pytest.raises(RuntimeError, match="no result"):
        turn.outcome(0)


def test_all_events_name_the_sub_agent(turn: Turn) -> None:
    turn.start_all()
    turn.begin_execution(turn.records[0])
    turn.finish_interrupted()
    assert {event.head.agent for event in events_of(turn).events} == {"helper"}
    assert turn.outcome(0).results[0].state is CallState.CANCELLED


def test_a_fault_of_several_calls_ends_those_that_have_not_ended(turn: Turn) -> None:
    turn.fail(turn.records[0], "no")
    turn.fail_all(turn.records, "broken")
    assert [result.text for result in turn.outcome(0).results] == ["no", "broken"]


def test_an_execution_begins_once(turn: Turn) -> None:
    turn.begin_execution(turn.records[0])
    turn.begin_execution(turn.records[0])
    assert len(events_of(turn).events) == 1


def test_stop_answers_all_that_comes_later(turn: Turn) -> None:
    turn.fail(turn.records[0], "stopped", CallState.DENIED)
    turn.stop(turn.records[0])
    outcome = turn.outcome(0)
    assert outcome.stops_run
    assert [result.state for result in outcome.results] == [CallState.DENIED, CallState.NOT_RUN]


def _summary_of(content: str) -> str:
    clock = SteppingClock()
    events = EventStream(clock)
    new_turn([call("1", "grep", pattern=content, path="src")], events, clock).start_all()
    started = events.events[0]
    assert isinstance(started, ToolCallStarted)
    return started.summary


def test_a_row_shows_the_first_telling_argument() -> None:
    assert _summary_of("x") == "src"


def test_a_row_does_not_wait_for_very_long_arguments() -> None:
    assert _summary_of("x" * 1_100_000) == ""


@pytest.mark.parametrize(("own", "longest"), [(0, 262_144), (1_000, 262_144), (400_000, 400_000)])
def test_a_result_keeps_the_common_limit_or_its_tools_higher_one(own: int, longest: int) -> None:
    output = ToolOutput(text="x" * 500_000, own_limit_bytes=own)
    result = result_of(CallId("c"), output, CallState.OK)
    assert longest - 10 <= len(result.text) <= longest
    assert result.is_truncated
