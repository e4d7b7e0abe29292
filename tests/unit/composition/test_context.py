"""A whole agent: instructions by trust, the role that sums up, and what requests cost."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.composition.models import ConfiguredModels, ModelInUse
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ContextCompacted,
    NoticeRaised,
    RunEnded,
    SpendingCounted,
)
from caramelo_tui.domain.usage import Usage
from tests.doubles.agent_worlds import ScriptedAnswers, Step, asks, says
from tests.doubles.cores import core_options

USAGE = Usage(input_tokens=100, output_tokens=10)
MODEL = "claude-haiku-4-5"


class RoleModels(ConfiguredModels):
    """Scripted providers for the main agent and for roles."""

    def __init__(
        self, options: AgentOptions, main: ScriptedAnswers, roles: Mapping[str, ScriptedAnswers]
    ) -> None:
        super().__init__(options.core.settings, options.connection, {}, is_watched=False)
        self._scripted = ModelInUse(provider=main, model=MODEL)
        self._roles = roles

    @property
    def main(self) -> ModelInUse:
        return self._scripted

    def of_role(self, role: str) -> ModelInUse:
        if role in self._roles:
            return ModelInUse(provider=self._roles[role], model=f"{role}-1")
        return replace(self._scripted, note="not configured")


def options_for(tmp_path: Path, *, is_trusted: bool = True) -> AgentOptions:
    return AgentOptions(
        core=replace(core_options(tmp_path), is_trusted=is_trusted),
        connection=Connection(provider=ProviderName.DEMO, key="", base_url=None),
        keeps_session=False,
        is_watched=False,
    )


def write_instructions(options: AgentOptions) -> None:
    (options.core.root / "AGENTS.md").write_text("Project words.")
    options.core.locations.config.mkdir(parents=True)
    (options.core.locations.config / "AGENTS.md").write_text("Own words.")


async def run(agent: AgentController, prompt: str = "go") -> list[AgentEvent]:
    reader = agent.read_events()
    agent.submit(prompt)
    events: list[AgentEvent] = []
    async for event in reader:
        events.append(event)
        if isinstance(event, RunEnded) and not agent.is_running:
            break
    return events


def built(
    options: AgentOptions,
    answers: list[list[Step]],
    roles: Mapping[str, ScriptedAnswers] | None = None,
) -> tuple[AgentController, ScriptedAnswers]:
    main = ScriptedAnswers(answers)
    agent = build_agent(options, models=RoleModels(options, main, roles or {}))
    agent.start()
    return agent, main


async def test_a_trusted_workspaces_instructions_come_before_the_users(tmp_path: Path) -> None:
    options = options_for(tmp_path)
    write_instructions(options)
    agent, provider = built(options, [says("ok")])
    events = await run(agent)
    await agent.close()
    system = provider.requests[0].system
    assert 0 < system.index("Project words.") < system.index("Own words.")
    assert any(
        "Instructions: AGENTS.md (14 characters); your own AGENTS.md" in event.text
        for event in events
        if isinstance(event, NoticeRaised)
    )


async def test_a_restricted_workspaces_instructions_are_not_read(tmp_path: Path) -> None:
    options = options_for(tmp_path, is_trusted=False)
    write_instructions(options)
    agent, provider = built(options, [says("ok")])
    await run(agent)
    await agent.close()
    assert "Project words." not in provider.requests[0].system
    assert "Own words." in provider.requests[0].system


async def test_the_system_prompt_stays_when_a_file_changes_and_the_model_is_told(
    tmp_path: Path,
) -> None:
    options = options_for(tmp_path)
    write_instructions(options)
    agent, provider = built(options, [says("ok")])
    await run(agent)
    (options.core.root / "AGENTS.md").write_text("Newer words.")
    await run(agent)
    await agent.close()
    first, second = provider.requests[0], provider.requests[-1]
    assert first.system == second.system
    assert "Newer words." in str(second.messages)


async def test_sub_agents_have_the_instructions_too(tmp_path: Path) -> None:
    options = options_for(tmp_path)
    write_instructions(options)
    child = ScriptedAnswers([says("done", usage=USAGE)])
    call = ("c1", "spawn_subagent", '{"title": "Look", "description": "d", "modelRole": "fast"}')
    agent, _ = built(options, [asks(call), says("ok")], {"fast": child})
    events = await run(agent)
    await agent.close()
    assert "Project words." in child.requests[0].system
    (spent,) = [
        event for event in events if isinstance(event, SpendingCounted) and event.head.agent
    ]
    assert (spent.head.agent, spent.model) == ("Look", "fast-1")
    assert [entry.agent for entry in agent.context.ledger] == ["", "Look", ""]


@pytest.mark.parametrize("is_trusted", [True, False])
async def test_a_folders_instructions_follow_the_first_file_read_there(
    tmp_path: Path, *, is_trusted: bool
) -> None:
    options = options_for(tmp_path, is_trusted=is_trusted)
    (options.core.root / "api").mkdir()
    (options.core.root / "api" / "AGENTS.md").write_text("Words of the folder.")
    (options.core.root / "api" / "x.py").write_text("x = 1\n")
    call = ("c1", "file_read", '{"path": "api/x.py"}')
    agent, provider = built(options, [asks(call), says("ok")])
    await run(agent)
    await agent.close()
    assert "Words of the folder." not in str(provider.requests[0])
    assert ("Words of the folder." in str(provider.requests[1].messages)) is is_trusted


async def test_the_role_fast_sums_up(tmp_path: Path) -> None:
    fast = ScriptedAnswers([says("summary", usage=USAGE)])
    agent, main = built(options_for(tmp_path), [says("word " * 900)], {"fast": fast})
    for _ in range(4):
        await run(agent)
    assert await agent.context.compact() == ""
    await agent.close()
    assert len(fast.requests) == 1
    assert len(main.requests) == 4
    assert [entry.is_summary for entry in agent.context.ledger] == [False] * 4 + [True]


async def test_without_the_role_the_main_model_sums_up(tmp_path: Path) -> None:
    agent, main = built(options_for(tmp_path), [says("word " * 900)])
    for _ in range(4):
        await run(agent)
    reader = agent.read_events()
    assert await agent.context.compact() == ""
    await agent.close()
    assert len(main.requests) == 5
    assert main.requests[-1].tools == ()
    assert len([event async for event in reader if isinstance(event, ContextCompacted)]) == 1
