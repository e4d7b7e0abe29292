"""Wherever a session is cut off, it goes on whole and with a valid transcript."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.resume_ends import OpenEnds
from caramelo_tui.agent.resume_transcript import TranscriptPlayer
from caramelo_tui.domain.agent_events import (
    RunEnded,
    RunStarted,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, ToolResultsMessage, UserMessage
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.sessions.codec import encode_line
from caramelo_tui.sessions.opening import open_session
from tests.doubles.clocks import ManualClock
from tests.doubles.stored_sessions import Told, write_session

RUNS = st.lists(
    st.lists(st.integers(min_value=0, max_value=3), min_size=1, max_size=3), min_size=1, max_size=3
)
"""For each run its turns, for each turn its number of calls."""


def session_of(runs: list[list[int]]) -> Told:
    told, name = Told(), 0
    for turns in runs:
        told.begin("go")
        for count in turns:
            calls = tuple((f"c{name + index}", "bash", "{}") for index in range(count))
            name += count
            told.turn().stream("words").reply("words", *calls)
            for call_id, _, _ in calls:
                run_call(told, CallId(call_id))
            told.end_turn()
        told.end()
    return told


def run_call(told: Told, call_id: CallId) -> None:
    told.add(ToolCallStarted(head=told.head(), call_id=call_id, tool="bash", arguments_json="{}"))
    told.add(ToolExecutionStarted(head=told.head(), call_id=call_id))
    result = ToolResult(call_id=call_id, text="fine", is_error=False, state=CallState.OK)
    told.add(
        ToolCallFinished(
            head=told.head(), call_id=call_id, tool="bash", result=result, duration_ms=1
        )
    )


@given(runs=RUNS, data=st.data())
def test_a_session_that_is_cut_anywhere_is_made_whole(
    runs: list[list[int]], data: st.DataObject
) -> None:
    events = session_of(runs).events
    cut = events[: data.draw(st.integers(min_value=0, max_value=len(events)))]
    ends = OpenEnds()
    ends.play(cut)
    stream = EventStream(ManualClock(), last_seq=len(cut))
    ends.settle(stream)
    whole = (*cut, *stream.events)
    for begin, end in (
        (RunStarted, RunEnded),
        (TurnStarted, TurnEnded),
        (ToolCallStarted, ToolCallFinished),
    ):
        begun = sum(isinstance(event, begin) for event in whole)
        assert begun == sum(isinstance(event, end) for event in whole)
    assert [event.head.seq for event in whole] == list(range(1, len(whole) + 1))
    again = OpenEnds()
    again.play(whole)
    silent = EventStream(ManualClock())
    again.settle(silent)
    assert silent.events == ()


@given(runs=RUNS, data=st.data())
def test_a_record_with_any_lines_missing_gives_a_valid_transcript(
    runs: list[list[int]], data: st.DataObject
) -> None:
    events = session_of(runs).events
    kept = [event for event in events if data.draw(st.booleans())]
    player = TranscriptPlayer()
    player.play(kept)
    player.end()
    messages = player.transcript.snapshot()
    assert not player.transcript.pending_calls
    assert not messages or isinstance(messages[0], UserMessage)
    for before, message in pairwise(messages):
        if isinstance(message, ToolResultsMessage):
            assert isinstance(before, AssistantMessage)
            assert [call.id for call in before.calls] == [r.call_id for r in message.results]
        elif isinstance(before, AssistantMessage):
            assert not before.calls
            assert isinstance(message, UserMessage)


@given(at=st.integers(min_value=0, max_value=10_000))
def test_a_file_that_is_cut_at_any_byte_goes_on_or_says_why_not(at: int) -> None:
    told = session_of([[2, 1], [0]])
    with TemporaryDirectory() as folder:
        path = write_session(Path(folder), told)
        whole = path.read_bytes()
        path.write_bytes(whole[:at])
        lines = whole[:at].split(b"\n")[:-1]
        if not lines:
            with pytest.raises(SessionTrouble):
                open_session(path)
            return
        opened = open_session(path)
        # Every whole line is there, and the next one is not swallowed by what is torn.
        assert opened.events == tuple(told.events[: len(lines) - 1])
        stream = EventStream(ManualClock(), last_seq=opened.last_seq)
        ends = OpenEnds()
        ends.play(opened.events)
        ends.settle(stream)
        opened.file.append([encode_line(event) for event in stream.events])
        opened.file.close()
        again = open_session(path)
        again.file.close()
        assert again.events == (*opened.events, *stream.events)
