"""Whole agents on real files whose models, the sub-agents' too, play scripts."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from caramelo_tui.agent.approval_broker import Approver
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.port import EventReader
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import AgentEvent, RunEnded, ToolCallFinished
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from tests.doubles.agent_worlds import ScriptedAnswers, Step
from tests.doubles.cores import core_options

E = TypeVar("E")
NO_MODEL = Connection(provider=ProviderName.OPENAI, key="none", base_url=None)


class AnswersByTask:
    """One provider for all sub-agents; each plays the script of its title."""

    def __init__(self, scripts: Mapping[str, Sequence[Sequence[Step]]]) -> None:
        self._by_title = {title: ScriptedAnswers(script) for title, script in scripts.items()}
        self.is_closed = False

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def warm(self) -> None:
        await asyncio.sleep(0)

    def of(self, title: str) -> ScriptedAnswers:
        """Return what plays the script of a title."""
        return self._by_title[title]

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        first = next(m for m in request.messages if isinstance(m, UserMessage) and not m.is_note)
        async for event in self.of(first.text.split("\n")[0]).stream(request):
            yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        return None

    async def close(self) -> None:
        self.is_closed = True


class ScriptedModels:
    """The models of a session: a script for the main agent, one for each sub-agent's title."""

    def __init__(
        self,
        answers: Sequence[Sequence[Step]],
        children: Mapping[str, Sequence[Sequence[Step]]] | None = None,
        *,
        model: str = "model-1",
    ) -> None:
        self.model = model
        self.provider = ScriptedAnswers(answers)
        self.children = AnswersByTask(children or {})
        self.changed_main: ModelInUse | None = None
        self.of_session: dict[str, ModelInUse] = {}

    @property
    def main(self) -> ModelInUse:
        return ModelInUse(provider=self.provider, model=self.model)

    @property
    def roles(self) -> tuple[str, ...]:
        return ("fast", "coder", "architect")

    def of_role(self, role: str) -> ModelInUse:
        found = ModelInUse(provider=self.children, model="model-2", note=f"for {role}")
        return self.of_session.get(role, found)

    @property
    def providers(self) -> tuple[str, ...]:
        return ("scripted", "other")

    def missing(self, provider: str) -> str:
        return "" if provider == "scripted" else "other needs a key"

    def build(self, provider: str, model: str) -> ModelInUse:
        if self.missing(provider or "scripted"):
            raise ConfigError("OTHER_KEY", "", "is not set")
        return ModelInUse(provider=self.provider, model=model or self.model)

    async def served(self, provider: str) -> tuple[str, ...]:
        self.build(provider, "")
        return ("model-1", "model-9")

    def change_main(self, model: ModelInUse) -> None:
        self.changed_main = model

    def change_role(self, role: str, model: ModelInUse) -> None:
        self.of_session[role] = model

    async def close(self) -> None:
        await self.children.close()


@dataclass
class Session:
    """A started agent and what it emitted."""

    agent: AgentController
    models: ScriptedModels
    root: Path
    reader: EventReader
    events: list[AgentEvent]

    async def run(self, prompt: str = "go") -> RunEnded:
        """Send a prompt and take events up to the end of its run."""
        self.agent.submit(prompt)
        return await self.until(RunEnded)

    async def until(self, kind: type[E]) -> E:
        """Take events up to the next one of a kind.

        Raises:
            AssertionError: If the session ends without it.
        """
        async for event in self.reader:
            self.events.append(event)
            if isinstance(event, kind):
                return event
        raise AssertionError(kind)

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def result(self, call_id: str) -> ToolResult:
        """Return the result of a finished call."""
        return next(e.result for e in self.of(ToolCallFinished) if e.call_id == call_id)


@asynccontextmanager
async def started_session(
    folder: Path,
    models: ScriptedModels,
    *,
    settings: Settings | None = None,
    approver: Approver | None = None,
    is_watched: bool = False,
) -> AsyncGenerator[Session, None]:
    """Start an agent in ``folder/project``; it is closed behind the block."""
    core = core_options(folder, settings=settings, approver=approver)
    agent = build_agent(
        AgentOptions(
            core=replace(core, is_trusted=True),
            connection=NO_MODEL,
            is_watched=is_watched,
            keeps_session=False,
        ),
        models=models,
    )
    agent.start()
    try:
        yield Session(
            agent=agent, models=models, root=core.root, reader=agent.read_events(), events=[]
        )
    finally:
        await agent.close()
