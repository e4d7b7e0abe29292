"""A session of 300 turns and 2 MB of tool output stays within the window, valid and affordable."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from statistics import mean

from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ContextCompacted,
    Ending,
    RunEnded,
    SpendingCounted,
    ToolCallFinished,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.doubles.cores import core_options
from tests.doubles.counting_server import SUMMARY, CountingServer, is_summary, tokens_of

MODEL, WINDOW = "claude-haiku-4-5-20990101", 200_000
COMPACT_AT = 0.4
"""Lower than usual, so that requests are smaller and the test is faster."""
RUNS, CALLS = 6, 49
"""Each run reads 49 files and ends with words: 300 turns."""
LINE = "a line of a file that is read by the agent, as long as lines are\n"


def script() -> list[ScriptedTurn]:
    turns: list[ScriptedTurn] = []
    for run in range(RUNS):
        for call in range(CALLS):
            path = f"f{run}-{call}.txt"
            turns.append(ScriptedTurn(calls=(ScriptedCall.of("file_read", {"path": path}),)))
        turns.append(ScriptedTurn(text=f"Run {run} is done."))
    return turns


def options_for(tmp_path: Path, url: str) -> AgentOptions:
    settings = Settings(
        provider=ProviderName.ANTHROPIC, model=MODEL, turns=50, compact_at=COMPACT_AT
    )
    core = replace(core_options(tmp_path, settings=settings), is_trusted=True)
    for turn in script():
        for call in turn.calls:
            name = call.arguments_json.split('"')[3]
            (core.root / name).write_text(f"{name}\n" + LINE * 110, "utf-8")
    connection = Connection(provider=ProviderName.ANTHROPIC, key="k", base_url=url)
    return AgentOptions(core=core, connection=connection, keeps_session=False, is_watched=False)


async def run_of(events: AsyncIterator[AgentEvent]) -> list[AgentEvent]:
    seen: list[AgentEvent] = []
    async for event in events:
        seen.append(event)
        if isinstance(event, RunEnded):
            break
    return seen


async def test_a_long_session_stays_within_the_window(tmp_path: Path) -> None:
    async with CountingServer(script()) as server:
        agent = build_agent(options_for(tmp_path, server.url))
        agent.start()
        reader = aiter(agent.read_events())
        events: list[AgentEvent] = []
        for run in range(RUNS):
            agent.submit(f"Read the files of part {run}.")
            events += await run_of(reader)
        await agent.close()

    endings = [event.ending for event in events if isinstance(event, RunEnded)]
    assert endings == [Ending.COMPLETED] * RUNS
    assert sum(isinstance(event, TurnStarted) for event in events) == 300
    output = sum(len(e.result.text) for e in events if isinstance(e, ToolCallFinished))
    assert output > 2_000_000

    # Every request was valid for a strict vendor, and left room for the answer.
    assert [request.refused for request in server.requests if request.refused] == []
    turns = [request for request in server.requests if not is_summary(request.body)]
    assert len(turns) == 300
    sizes = [tokens_of(request.body) for request in turns]
    assert max(sizes) < WINDOW * (COMPACT_AT + 0.05)

    # Compaction is shown each time, and the model is told the summary.
    shown = [event for event in events if isinstance(event, ContextCompacted)]
    assert len(shown) >= 3
    assert all(event.tokens_after < event.tokens_before * 0.6 for event in shown)
    assert any(event.summary == SUMMARY for event in shown)

    # Cost per turn does not grow: the last hundred turns are no dearer than the second hundred.
    costs = [e.cost or 0.0 for e in events if isinstance(e, SpendingCounted) and not e.is_summary]
    assert min(costs) > 0
    assert mean(costs[200:]) < mean(costs[100:200]) * 1.15
    used = [e.usage.input_tokens for e in events if isinstance(e, UsageReported)]
    assert used == sizes
