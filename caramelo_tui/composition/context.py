"""Wire what the contexts of a session's agents need.

Owns what all agents share (ledger, instructions, the model that makes summaries) and how each gets
its own room. Proven by tests/unit/composition/test_context.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

from caramelo_tui.agent.compaction_summary import Summarizer, SummaryModel
from caramelo_tui.agent.context_room import ContextRoom, RoomParts, nothing_first
from caramelo_tui.agent.conversation import Conversation, no_news
from caramelo_tui.agent.folder_instructions import FolderInstructions
from caramelo_tui.agent.instruction_files import NAME, InstructionFiles, InstructionSource
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.reply_stream import Waiting
from caramelo_tui.agent.resume_spending import ledger_of
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.agent.spending import PricedModel, Spending
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.composition.core import Core, CoreOptions
from caramelo_tui.composition.models import ModelInUse, Models
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import SUMMARY_ROLE
from caramelo_tui.providers.base import prompt_cost_of
from caramelo_tui.providers.catalog import Catalogue
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """What the contexts of a session are made from."""

    core_options: CoreOptions
    core: Core
    models: Models
    catalogue: Catalogue
    waiting: Waiting
    """How a summary's retries wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """One agent, as its room needs it."""

    model: ModelInUse
    conversation: Conversation
    events: RunEvents
    tokens: TokenCount
    title: str = ""
    """Of a sub-agent; empty for the main agent."""


class SessionContext:
    """The contexts of one session."""

    def __init__(self, options: ContextOptions) -> None:
        """Wire it; no file is read and no model is asked."""
        self._options = options
        opened = options.core.opened
        self._ledger = ledger_of(() if opened is None else opened.events)
        self._conversation: Conversation | None = None
        self._instructions = InstructionFiles(
            _sources(options.core_options, options.core),
            events=options.core.events,
            tell=self._tell,
        )

    def instructions(self) -> str:
        """Return the end of the system prompt; the same from the first run on."""
        return self._instructions.prompt

    def folder_news(
        self, outside: OutsideChanges, events: RunEvents
    ) -> Callable[[], tuple[str, ...]]:
        """Return what tells an agent the instructions of the folders that it works in.

        Args:
            outside: Knows the files that the agent knows.
            events: The agent's.
        """
        if not self._options.core_options.is_trusted:
            return no_news
        folders = FolderInstructions(
            self._options.core.files, known_paths=lambda: outside.known_paths, events=events
        )
        return folders.news

    def room_of(self, agent: AgentContext) -> ContextRoom:
        """Return the room of an agent."""
        is_main = not agent.title
        if is_main:
            self._conversation = agent.conversation
        core = self._options.core
        return ContextRoom(
            RoomParts(
                conversation=agent.conversation,
                events=agent.events,
                summarizer=Summarizer(
                    model=self._summary_model(agent),
                    events=agent.events,
                    ids=core.ids,
                    waiting=self._options.waiting,
                ),
                spending=Spending(
                    self._ledger,
                    model=lambda: self._priced(agent, agent.conversation.context.model),
                    events=agent.events,
                    agent=agent.title,
                ),
                ledger=self._ledger,
                tokens=agent.tokens,
                priced=lambda model: self._priced_summary(agent, model),
                compact_at=self._options.core_options.settings.compact_at,
                is_running=lambda: core.events.run_id is not None,
                before_run=self._instructions.begin_run if is_main else nothing_first,
                count=agent.model.provider.count_tokens,
            )
        )

    def _tell(self, text: str) -> None:
        if self._conversation is not None:
            self._conversation.add_note(text)

    def _summary_model(self, agent: AgentContext) -> Callable[[], SummaryModel]:
        def choose() -> SummaryModel:
            chosen = self._of_summaries(agent)
            facts = self._options.catalogue.facts_of(chosen.model, provider=chosen.provider.name)
            return SummaryModel(
                provider=chosen.provider,
                model=chosen.model,
                context_window=facts.context_window if facts is not None else None,
            )

        return choose

    def _of_summaries(self, agent: AgentContext) -> ModelInUse:
        """Return the model of the role, or the agent's own where the role cannot be used."""
        try:
            found = self._options.models.of_role(SUMMARY_ROLE)
        except ConfigError:
            found = None
        if found is not None and not found.note:
            return found
        return ModelInUse(provider=agent.model.provider, model=agent.conversation.context.model)

    def _priced(self, agent: AgentContext, model: str) -> PricedModel:
        provider = agent.model.provider
        return PricedModel(
            model=model,
            prices=self._options.catalogue.prices_of(provider.name, model),
            premium_requests=prompt_cost_of(provider, model),
        )

    def _priced_summary(self, agent: AgentContext, model: str) -> PricedModel:
        provider = self._of_summaries(agent).provider.name
        return PricedModel(model=model, prices=self._options.catalogue.prices_of(provider, model))


def _sources(options: CoreOptions, core: Core) -> tuple[InstructionSource, ...]:
    """Return the workspace's place, when it is trusted, and the user's own behind it."""
    sources: list[InstructionSource] = []
    if options.is_trusted:
        sources.append(InstructionSource(files=core.files, place=NAME))
    try:
        own = FileStore(Sandbox(options.locations.config))
    except (OSError, RuntimeError):
        # There is no such folder, or it cannot be entered: the user has no file there.
        return tuple(sources)
    sources.append(InstructionSource(files=own, place=f"your own {NAME}"))
    return tuple(sources)
