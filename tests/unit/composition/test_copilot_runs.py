"""Whole runs over Copilot: what counts as the person's, and where no token ever is."""

import json
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import find_connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.log_file import start_logging
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import AgentEvent, RunEnded
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.doubles.copilot_server import GITHUB_TOKEN, CopilotServer
from tests.doubles.cores import core_options
from tests.doubles.keyrings import FakeKeyring
from tests.doubles.logs import logging_as_before

TYPED = "sk-planted-and-typed"


@dataclass(kw_only=True)
class Run:
    """What came of a run, and what it left behind."""

    events: list[AgentEvent]
    folder: Path

    @property
    def end(self) -> RunEnded:
        """How it ended."""
        return next(event for event in self.events if isinstance(event, RunEnded))

    def holds(self, secret: str) -> bool:
        """Whether an event or a file holds a secret."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        assert files
        left = any(secret.encode() in path.read_bytes() for path in files)
        return left or any(secret in repr(event) for event in self.events)


def agent_over(
    server: CopilotServer, folder: Path, keys: KeptKeys, *, model: str = "gpt-test"
) -> AgentController:
    settings = Settings(provider=ProviderName.COPILOT, model=model, base_url=server.url)
    core = core_options(
        folder, settings=settings, environment={"GITHUB_COPILOT_TOKEN": GITHUB_TOKEN}
    )
    connection = find_connection(settings, core.environment, kept=keys)
    return build_agent(AgentOptions(core=core, connection=connection, keys=keys, is_watched=False))


async def ran(agent: AgentController, folder: Path, prompt: str = "go") -> Run:
    reader = agent.read_events()
    agent.start()
    agent.submit(prompt)
    events: list[AgentEvent] = []
    async for event in reader:
        events.append(event)
        if isinstance(event, RunEnded) and not agent.queued_prompts:
            break
    await agent.close()
    return Run(events=events, folder=folder)


async def test_tools_and_sub_agents_are_not_counted_and_steering_is(tmp_path: Path) -> None:
    turns = [
        ScriptedTurn(calls=(ScriptedCall.of("list_dir", {"path": "."}, call_id="a"),)),
        ScriptedTurn(
            calls=(
                ScriptedCall.of(
                    "spawn_subagent", {"title": "Look", "description": "Look at it."}, call_id="b"
                ),
            )
        ),
        ScriptedTurn(calls=(ScriptedCall.of("list_dir", {"path": "."}, call_id="c"),)),
        ScriptedTurn(text="the sub-agent has looked"),
        ScriptedTurn(text="done"),
    ]
    async with CopilotServer(turns) as server:
        agent = agent_over(server, tmp_path, KeptKeys(FakeKeyring(), ["copilot"]))
        # It waits for the next turn, the one that is answered by the call of a sub-agent.
        server.on_chat = lambda number: number == 1 and agent.steer("be brief")
        run = await ran(agent, tmp_path)
        assert run.end.text == "done"
        initiators = [chat.initiator for chat in server.chats]
    assert initiators == ["user", "user", "agent", "agent", "agent"]


async def test_prompts_are_booked_at_what_the_model_costs(tmp_path: Path) -> None:
    turns = [
        ScriptedTurn(calls=(ScriptedCall.of("list_dir", {"path": "."}, call_id="a"),)),
        ScriptedTurn(text="done"),
    ]
    async with CopilotServer(turns) as server:
        agent = agent_over(
            server, tmp_path, KeptKeys(FakeKeyring(), ["copilot"]), model="claude-test"
        )
        run = await ran(agent, tmp_path)
        assert run.end.text == "done"
    # One prompt, two requests.
    assert [entry.premium_requests for entry in agent.context.ledger] == [1.5, 0.0]


async def test_a_login_that_ends_in_mid_session_stops_the_run_and_the_next_one_works(
    tmp_path: Path,
) -> None:
    turns = [ScriptedTurn(text="one"), ScriptedTurn(text="two")]
    async with CopilotServer(turns) as server:
        keys = KeptKeys(FakeKeyring(), ["copilot"])
        agent = agent_over(server, tmp_path, keys)
        agent.start()
        reader = agent.read_events()

        async def end_of(prompt: str) -> RunEnded:
            agent.submit(prompt)
            return await anext(event async for event in reader if isinstance(event, RunEnded))

        assert (await end_of("first")).text == "one"
        server.is_revoked = True
        server.dead_tokens.add(server.token(1))
        assert "/login" in (await end_of("second")).error
        server.is_revoked = False
        keys.use("copilot", GITHUB_TOKEN)
        assert (await end_of("third")).text == "two"
        await agent.close()


async def test_no_token_or_typed_key_is_left_anywhere(tmp_path: Path) -> None:
    turns = [
        ScriptedTurn(calls=(ScriptedCall.of("bash", {"command": "env; set"}, call_id="a"),)),
        ScriptedTurn(text="done"),
    ]
    async with CopilotServer(turns) as server:
        keys = KeptKeys(FakeKeyring(), ["copilot"])
        keys.use("openai", TYPED)
        with logging_as_before():
            start_logging(tmp_path / "state" / "logs", is_debug=True)
            run = await ran(agent_over(server, tmp_path, keys), tmp_path)
        assert run.end.text == "done"
        shown = json.dumps([repr(event) for event in run.events])
        assert "CARAMELO=1" in shown
        for secret in (GITHUB_TOKEN, server.token(1), TYPED):
            assert not run.holds(secret)
