"""A whole agent, as the program builds it, asks again for what failed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from caramelo_tui.agent.approval_broker import PersonAtPrompt
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.port import EventReader
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    Ending,
    RetryScheduled,
    RunEnded,
)
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.contract.provider_wires import WIRES, ProviderWire
from tests.doubles.cores import core_options
from tests.doubles.model_server import Fault, ModelServer

E = TypeVar("E", bound=AgentEvent)

LOOK = ScriptedTurn(text="I look.", calls=(ScriptedCall.of("list_dir", {"path": "."}),))
WRITE = ScriptedCall.of("file_write", {"path": "new.txt", "content": "x"})
BROKEN = ScriptedTurn(text="Half of the answer", calls=(WRITE,))
WHOLE = ScriptedTurn(text="The whole answer.")


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name)
def wire(request: pytest.FixtureRequest) -> ProviderWire:
    chosen = request.param
    assert isinstance(chosen, ProviderWire)
    return chosen


@asynccontextmanager
async def agent_on(
    folder: Path, server: ModelServer, wire: ProviderWire
) -> AsyncIterator[AgentController]:
    options = core_options(folder, settings=Settings(model="m"), approver=PersonAtPrompt())
    connection = Connection(provider=ProviderName(wire.name), key="k", base_url=server.url)
    agent = build_agent(AgentOptions(core=replace(options, is_trusted=True), connection=connection))
    agent.start()
    try:
        yield agent
    finally:
        await agent.close()


async def next_of(reader: EventReader, kind: type[E]) -> E:
    async with asyncio.timeout(20):
        async for event in reader:
            if isinstance(event, kind):
                return event
    raise AssertionError(kind.__name__)


def breaks(how: str, body: bytes) -> Fault:
    """Return how an answer breaks shortly before its end, behind words and a whole call."""
    at = len(body) * 9 // 10
    return {
        "drop": Fault(drop_at=at, body=body),
        "early end": Fault(end_at=at, body=body),
        "error event": Fault(error_event_at=at // 2, body=body),
    }[how]


@pytest.mark.parametrize("how", ["drop", "early end", "error event"])
async def test_the_same_request_goes_out_again_and_nothing_of_the_broken_answer_runs(
    tmp_path: Path, wire: ProviderWire, how: str
) -> None:
    (tmp_path / "project").mkdir()
    faults: Sequence[Fault | None] = [None, breaks(how, wire.stream_of(BROKEN))]
    server = ModelServer([LOOK, BROKEN, WHOLE], faults=faults)
    async with server, agent_on(tmp_path, server, wire) as agent:
        reader = agent.read_events()
        agent.submit("explain it")
        broken = await next_of(reader, RunEnded)

        assert agent.retries.send_again()
        ended = await next_of(reader, RunEnded)

    assert (broken.ending, broken.can_retry) == (Ending.ERROR, True)
    assert (ended.ending, ended.text) == (Ending.COMPLETED, "The whole answer.")
    assert not [request.refused for request in server.requests if request.refused]
    assert server.requests[2].body == server.requests[1].body
    assert not (tmp_path / "project" / "new.txt").exists()


async def test_what_came_is_kept_on_record_and_marked(tmp_path: Path, wire: ProviderWire) -> None:
    (tmp_path / "project").mkdir()
    server = ModelServer([BROKEN], faults=[breaks("drop", wire.stream_of(BROKEN))])
    async with server, agent_on(tmp_path, server, wire) as agent:
        reader = agent.read_events()
        agent.submit("explain it")
        replied = await next_of(reader, AssistantReplied)
        await next_of(reader, RunEnded)

    assert replied.message.is_incomplete
    assert replied.message.text == "Half of the answer"


async def test_a_busy_server_is_asked_again_at_once_when_the_user_will_not_wait(
    tmp_path: Path, wire: ProviderWire
) -> None:
    (tmp_path / "project").mkdir()
    busy = Fault(status=529, headers={"retry-after": "500"})
    server = ModelServer([WHOLE], faults=[busy])
    async with server, agent_on(tmp_path, server, wire) as agent:
        reader = agent.read_events()
        agent.submit("explain it")
        scheduled = await next_of(reader, RetryScheduled)
        assert scheduled.wait_s >= 500
        while not agent.retries.send_now():  # noqa: ASYNC110 - the wait begins behind its event
            await asyncio.sleep(0)
        ended = await next_of(reader, RunEnded)

    assert (ended.ending, ended.text) == (Ending.COMPLETED, "The whole answer.")
