"""Play a case that is a run of a whole agent whose models, its sub-agents' too, are scripted.

Owns the scripts and the driving of the run; everything below the models is the product's own.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName
from caramelo_tui.domain.agent_events import RunEnded, ToolCallFinished
from caramelo_tui.domain.messages import AssistantMessage, UserMessage
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.domain.roles import BUILT_IN_ROLES
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from tests.case_runner.by_hand import core_options
from tests.case_runner.measures import measured, umask_of
from tests.case_runner.played import Played, survivors_of
from tests.case_runner.settings_of import load_for, profile_of
from tests.case_runner.user import CaseApprover
from tests.case_runner.world import Case, Spec, World
from tests.doubles.agent_worlds import ScriptedAnswers, Step, asks, says
from tests.doubles.fake_models import NoOtherModels
from tests.doubles.web_worlds import PlayedWeb

_NO_MODEL = Connection(provider=ProviderName.OPENAI, key="none", base_url=None)


class _Children:
    """One provider for all sub-agents; each plays the next script."""

    name = "scripted"
    capabilities = Capabilities()

    def __init__(self, scripts: Sequence[Sequence[Sequence[Step]]]) -> None:
        self._waiting = [ScriptedAnswers(script) for script in scripts]
        self._by_task: dict[str, ScriptedAnswers] = {}
        self.started: list[ScriptedAnswers] = []

    async def warm(self) -> None:
        """Load nothing."""

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Play the next answer of the sub-agent that asks."""
        task = next(m.text for m in request.messages if isinstance(m, UserMessage))
        if not any(isinstance(message, AssistantMessage) for message in request.messages):
            self._by_task[task] = self._waiting.pop(0)
            self.started.append(self._by_task[task])
        async for event in self._by_task[task].stream(request):
            yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        """Count nothing."""
        return None

    async def close(self) -> None:
        """Close nothing: scripts hold no connection."""


class _CaseModels(NoOtherModels):
    """The models of a case."""

    def __init__(self, case: Case, setup: Spec) -> None:
        closing = _closing(profile_of(case))
        main = [_steps(turn) for turn in setup.get("model_turns", [])]
        scripts = [[_steps(turn) for turn in turns] for turns in setup.get("subagent_turns", [])]
        self.answers = ScriptedAnswers([*main, closing])
        self.children = _Children([[*script, closing] for script in scripts])
        self.roles = tuple(dict.fromkeys((*BUILT_IN_ROLES, *(setup.get("roles") or {}))))

    @property
    def main(self) -> ModelInUse:
        """The main agent's model."""
        return ModelInUse(provider=self.answers, model="model-1")

    def of_role(self, role: str) -> ModelInUse:
        """Return the sub-agents' model."""
        return ModelInUse(provider=self.children, model="model-2", note=f"for {role}")

    async def close(self) -> None:
        """Close nothing: scripts hold no connection."""


def _steps(turn: Spec) -> list[Step]:
    calls = turn.get("tool_calls")
    if calls is None:
        return says(turn["text"])
    return asks(*[(call["id"], call["name"], call_text(call)) for call in calls])


def call_text(call: Spec) -> str:
    """Return the argument text of a model's call."""
    return str(call["arguments_raw"]) if "arguments_raw" in call else json.dumps(call["arguments"])


def _closing(profile: str) -> list[Step]:
    """Return what a model says whose script is over."""
    return asks(("over", "task_done", '{"summary": "over"}')) if profile == CORE else says("over")


async def play_run(case: Case, setup: Spec, world: World) -> Played:
    """Play the run of a case to its end and return what happened."""
    assert case["area"] != "policy", "its commands must never run: by_hand has a recorder"
    approver, models, played = (
        CaseApprover(setup.get("approve")),
        _CaseModels(case, setup),
        Played(),
    )
    alone = load_for(case, {**setup, "trusted": False}, world).settings.policy
    settings = load_for(case, setup, world).settings
    played.policies = (alone, settings.policy)
    played.web = PlayedWeb(setup.get("http") or [], setup.get("dns") or {})
    with umask_of(setup.get("umask")):
        agent = build_agent(
            AgentOptions(
                core=core_options(setup, world, settings, approver, played.web),
                connection=_NO_MODEL,
                is_watched=not setup.get("headless"),
                keeps_session=False,
            ),
            models=models,
        )
        agent.start()
        try:
            async with measured(played):
                await _run(agent, case, setup, played)
            gone = case["expect"].get("processes_gone", [])
            played.survivors = survivors_of(world, gone)
        finally:
            await agent.close()
    played.approvals_asked = approver.asked
    played.model_requests = len(models.answers.requests)
    played.child_requests = [len(child.requests) for child in models.children.started]
    return played


async def _run(agent: AgentController, case: Case, setup: Spec, played: Played) -> None:
    agent.submit(setup.get("user_prompt") or "go")
    abort_after_ms: int | None = case.get("abort_after_ms")
    if abort_after_ms is not None:
        asyncio.get_running_loop().call_later(abort_after_ms / 1000, agent.interrupt)
    await take_events(agent, played)


async def take_events(agent: AgentPort, played: Played) -> None:
    """Take what happens up to the end of the run; the results in the order of their ends."""
    reader = agent.read_events()
    async for event in reader:
        played.events.append(event)
        if isinstance(event, ToolCallFinished):
            played.acts.append(event.result)
            played.cached.append(event.is_cached)
        if isinstance(event, RunEnded):
            reader.close()
            return
