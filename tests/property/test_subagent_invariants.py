"""Whatever sub-agents do and whenever the run is interrupted, the record is whole (I1, I4, I6)."""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.agent.approvers import HeadlessApprover
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    RunEnded,
    RunStarted,
    SubagentEnded,
    SubagentStarted,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import AuthenticationFailed, StreamBroken
from caramelo_tui.domain.profiles import CORE
from tests.doubles.agent_worlds import Step, asks, says
from tests.doubles.session_worlds import ScriptedModels, started_session

T = TypeVar("T")
TITLES = ("A", "B", "C")
CALLS = {
    "look": ("list_files", {"path": "."}),
    "write": ("write_file", {"path": "shared.txt", "content": "x\n"}),
    "run": ("run_command", {"command": "true"}),
    "ask": ("run_command", {"command": "sudo true"}),
    "bad": ("write_file", {"path": 3}),
    "end": ("task_done", {"summary": "over"}),
}
WORDS = st.sampled_from([*CALLS, "say", "break", "fail"])
TURNS = st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=3)


def answer(words: list[str], prefix: str) -> list[Step]:
    """Return one answer of a model."""
    if words[0] == "say":
        return says("hm")
    if words[0] == "fail":
        return [AuthenticationFailed("no")]
    calls = [
        (f"{prefix}-{number}", CALLS[word][0], json.dumps(CALLS[word][1]))
        for number, word in enumerate(words)
        if word in CALLS
    ]
    steps = asks(*calls) if calls else says("hm")
    return [*steps[:-1], StreamBroken("lost")] if "break" in words else steps


def script(turns: list[list[str]], name: str) -> list[list[Step]]:
    answers = [answer(words, f"{name}{number}") for number, words in enumerate(turns)]
    return [*answers, asks((f"{name}-end", "task_done", '{"summary": "s"}'))]


async def play(
    folder: Path, children: dict[str, list[list[str]]], count: int, stop_after: int | None
) -> list[AgentEvent]:
    spawns = [
        (title, "spawn_subagent", json.dumps({"title": title, "description": "do it"}))
        for title in TITLES[:count]
    ]
    models = ScriptedModels(
        [asks(*spawns), asks(("end", "task_done", '{"summary": "s"}'))],
        {title: script(turns, title) for title, turns in children.items()},
    )
    wanted = Settings(profile=CORE, mode=ApprovalMode.AUTO)
    async with started_session(
        folder, models, settings=wanted, approver=HeadlessApprover()
    ) as session:
        session.agent.submit("go")
        seen = 0
        while not session.of(RunEnded):
            session.events.append(await anext(session.reader))
            seen += 1
            if seen == stop_after:
                session.agent.interrupt()
    return session.events


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    children=st.fixed_dictionaries(dict.fromkeys(TITLES, TURNS)),
    count=st.integers(1, 3),
    stop_after=st.none() | st.integers(1, 60),
)
def test_the_record_is_whole(
    children: dict[str, list[list[str]]], count: int, stop_after: int | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        events = asyncio.run(play(Path(folder), children, count, stop_after))
    assert [event.head.seq for event in events] == list(range(1, len(events) + 1))
    assert len(of(events, RunStarted)) == len(of(events, RunEnded)) == 1
    begun = [event.title for event in of(events, SubagentStarted)]
    assert sorted(begun) == sorted(event.title for event in of(events, SubagentEnded))
    started = [event.call_id for event in of(events, ToolCallStarted)]
    finished = [event.call_id for event in of(events, ToolCallFinished)]
    assert len(set(started)) == len(started)
    assert sorted(started) == sorted(finished)
    turns = [event.head.turn_id for event in of(events, TurnStarted)]
    assert len(set(turns)) == len(turns)
    assert sorted(map(str, turns)) == sorted(
        str(event.head.turn_id) for event in of(events, TurnEnded)
    )
    assert_only_one_writes(events)


def assert_only_one_writes(events: list[AgentEvent]) -> None:
    """A sub-agent changes nothing while an earlier one has not ended."""
    order = [event.title for event in of(events, SubagentStarted)]
    effects = {
        event.call_id
        for event in of(events, ToolCallStarted)
        if event.tool in {"write_file", "run_command"}
    }
    ended: set[str] = set()
    for event in events:
        if isinstance(event, SubagentEnded):
            ended.add(event.title)
        if isinstance(event, ToolExecutionStarted) and event.call_id in effects:
            agent = event.head.agent
            assert set(order[: order.index(agent)]) <= ended


def of(events: list[AgentEvent], kind: type[T]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]
