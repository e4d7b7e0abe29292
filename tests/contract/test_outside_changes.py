"""A whole agent, as the program builds it, notices what other programs do to its files."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from caramelo_tui.agent.approval_broker import PersonAtPrompt
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.port import EventReader
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    FilesChanged,
    RunEnded,
)
from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.files import ChangeOrigin
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.doubles.cores import core_options
from tests.doubles.model_server import ModelServer

E = TypeVar("E", bound=AgentEvent)

READ = ScriptedCall.of("file_read", {"path": "a.txt"}, call_id="r_1")
EDIT = ScriptedCall.of(
    "file_edit", {"path": "b.txt", "search": "two\n", "replace": "2\n"}, call_id="e_1"
)


@asynccontextmanager
async def agent_on(folder: Path, server: ModelServer) -> AsyncIterator[AgentController]:
    options = core_options(folder, settings=Settings(model="m"), approver=PersonAtPrompt())
    connection = Connection(provider=ProviderName.ANTHROPIC, key="k", base_url=server.url)
    agent = build_agent(AgentOptions(core=replace(options, is_trusted=True), connection=connection))
    agent.start()
    try:
        yield agent
    finally:
        await agent.close()


async def next_of(
    reader: EventReader, kind: type[E], fits: Callable[[E], bool] = lambda _event: True
) -> E:
    async with asyncio.timeout(20):
        async for event in reader:
            if isinstance(event, kind) and fits(event):
                return event
    raise AssertionError(kind.__name__)


async def test_a_change_during_a_review_has_it_made_again_and_is_told_to_the_model(
    tmp_path: Path,
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.txt").write_text("alpha\n")
    (project / "b.txt").write_text("one\ntwo\n")
    turns = [ScriptedTurn(text="I look.", calls=(READ, EDIT)), ScriptedTurn(text="Done.")]
    async with ModelServer(turns) as server, agent_on(tmp_path, server) as agent:
        reader = agent.read_events()
        agent.submit("go")
        first = await next_of(reader, ApprovalRequested)
        assert isinstance(first.request, ReviewRequest)

        # Both at once: the file that was read, and the one that waits for its review.
        (project / "a.txt").write_text("beta!\n")
        (project / "b.txt").write_text("zero\none\ntwo\n")

        seen = await next_of(reader, FilesChanged)
        assert seen.origin is ChangeOrigin.EXTERNAL
        settled = await next_of(reader, ApprovalSettled)
        assert settled.outcome is ApprovalOutcome.REPLACED
        again = (await next_of(reader, ApprovalRequested)).request
        assert isinstance(again, ReviewRequest)
        assert again.id != first.request.id
        assert again.writes[0].proposal.before == b"zero\none\ntwo\n"
        assert not agent.answer(first.request.id, accept_all(first.request))
        assert agent.answer(again.id, accept_all(again))
        assert (await next_of(reader, RunEnded)).text == "Done."
        assert (project / "b.txt").read_text() == "zero\none\n2\n"
        request = json.dumps(server.requests[1].body)
    assert "a.txt: changed" in request
    assert "b.txt: changed" not in request


def accept_all(request: ReviewRequest) -> ReviewAnswer:
    return ReviewAnswer(
        accepted={hunk.id: True for write in request.writes for hunk in write.proposal.hunks}
    )
