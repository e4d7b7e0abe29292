"""Nothing is shown before it is kept."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.kept_events import KeptReader
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.domain.agent_events import NoticeLevel, RunEnded
from caramelo_tui.sessions.catalogue import session_files
from caramelo_tui.sessions.store import load_events
from tests.doubles.agent_worlds import FixedClock, says
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import NO_MODEL, ScriptedModels


class HeldKeeper:
    """Keeps what it is told to keep."""

    def __init__(self) -> None:
        self.gates: dict[int, asyncio.Event] = {}

    def gate(self, seq: int) -> asyncio.Event:
        return self.gates.setdefault(seq, asyncio.Event())

    async def kept(self, seq: int) -> None:
        await self.gate(seq).wait()


async def test_an_event_passes_once_it_is_kept() -> None:
    stream, keeper = EventStream(FixedClock()), HeldKeeper()
    reader = KeptReader(stream.reader(), keeper)
    stream.raise_notice(NoticeLevel.INFO, "one")
    waiting = asyncio.ensure_future(anext(reader))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not waiting.done()
    keeper.gate(1).set()
    assert await waiting == stream.events[0]


async def test_a_cancelled_wait_loses_no_event() -> None:
    stream, keeper = EventStream(FixedClock()), HeldKeeper()
    reader = KeptReader(stream.reader(), keeper)
    stream.raise_notice(NoticeLevel.INFO, "one")
    waiting = asyncio.ensure_future(anext(reader))
    for _ in range(5):
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    keeper.gate(1).set()
    assert await anext(reader) == stream.events[0]


async def test_the_end_of_the_stream_ends_it() -> None:
    stream, keeper = EventStream(FixedClock()), HeldKeeper()
    reader = KeptReader(stream.reader(), keeper)
    stream.close()
    assert [event async for event in reader] == []


async def test_what_an_agent_shows_is_in_its_file(tmp_path: Path) -> None:
    core = core_options(tmp_path)
    agent = build_agent(
        AgentOptions(core=core, connection=NO_MODEL, is_watched=False),
        models=ScriptedModels([says("one two three")]),
    )
    agent.start()
    agent.submit("go")
    async for event in agent.read_events():
        [file] = session_files(next((tmp_path / "state" / "sessions").iterdir()))
        stored = load_events(file).events
        assert event in stored
        if isinstance(event, RunEnded):
            break
    await agent.close()
