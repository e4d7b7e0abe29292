"""Wire what the agents of a session share, and its sub-agents.

Owns how runs, conversations and pipelines of one session hang together: what a sub-agent shares
with its parent, and what is its own. What the main agent has besides is ``main_agent``'s. Proven
by tests/unit/composition/test_agents.py and tests/e2e/.
"""

import platform
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from caramelo_tui.agent.active_skills import ActiveSkills
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.context_builder import ContextBuilder, system_prompt
from caramelo_tui.agent.conversation import Conversation, no_news, nothing
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.models_port import AnsweringModel
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.pipeline_parts import Offered
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.agent.run_loop import RunLoop, RunParts, RunRules
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.subagents import ChildAgent, ChildModel, SubagentFrame, Subagents
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.agent.tool_offer import ToolOffer
from caramelo_tui.composition.context import AgentContext, ContextOptions, SessionContext
from caramelo_tui.composition.core import CoreOptions, build_core, room
from caramelo_tui.composition.model_choice import usable
from caramelo_tui.composition.models import ModelInUse, Models
from caramelo_tui.composition.resume import SessionCounts
from caramelo_tui.composition.skills import session_skills, skill_notices
from caramelo_tui.composition.undo import news_of
from caramelo_tui.composition.user_commands import user_commands
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.user_models import read_user_models
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.providers.catalog import Catalogue
from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.delegation import spawn_subagent
from caramelo_tui.tools.delegation.spawn_subagent import DelegatedTask, DelegationReport

SUBAGENT_TURNS = 25
"""Turns of one sub-agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """What an agent is built from, beside its core."""

    core: CoreOptions
    connection: Connection
    answering: AnsweringModel | None = None
    """The model in use where the person comes from; ``None``: the one that the settings name."""
    keeps_session: bool = True
    """Whether a session file and the whole outputs of commands are kept."""
    is_watched: bool = True
    """Whether somebody sits at the prompt. The demo's model then answers at a human pace, and
    in profile ``core`` a turn without calls is an end, since they can answer."""
    notes: tuple[str, ...] = ()
    """Said to the user at the start."""
    keys: KeptKeys | None = None
    """Keys of the keyring and of this session."""
    config_report: Callable[[], str] | None = None
    """Returns every setting with its origin, for who asks; ``None``: nobody knows."""


class _LateDelegate:
    """Stands in for the sub-agents, which are made from the core whose tools start them."""

    def __init__(self) -> None:
        self.subagents: Subagents | None = None

    def role_of(self, asked: str | None) -> str:
        return self._bound().role_of(asked)

    async def delegate(self, task: DelegatedTask) -> DelegationReport:
        return await self._bound().delegate(task)

    def _bound(self) -> Subagents:
        if self.subagents is None:
            raise RuntimeError("the session is not wired yet")
        return self.subagents


class SessionWiring:
    """Everything of one session that its agents share, and how sub-agents are built."""

    def __init__(self, options: AgentOptions, models: Models) -> None:
        self.options = options
        self.settings = options.core.settings
        self.models = models
        late = _LateDelegate()
        core_options = replace(
            options.core, keeps_outputs=options.keeps_session, keeps_command_changes=True
        )
        loaded = session_skills(options.core)
        self.skills = ActiveSkills(loaded.skills)
        self.skill_notices = skill_notices(loaded)
        self.commands = user_commands(options.core)
        self.own_models = read_user_models(options.core.locations.config / "models.toml")
        self.catalogue = Catalogue(self.own_models.models)
        self.core = build_core(core_options, delegate=late, skill_tools=self.skills.tools)
        self.call_ids = CallIds(self.core.ids)
        self.tokens = TokenCount()
        self.retry_wait = RetryWait()
        self.context = SessionContext(
            ContextOptions(
                core_options=options.core,
                core=self.core,
                models=models,
                catalogue=self.catalogue,
                waiting=self.retry_wait,
            )
        )
        self.subagents = late.subagents = Subagents(
            builder=self,
            events=self.core.events,
            mode=self.core.mode,
            parent_outside=self.core.outside,
        )
        self.counts = SessionCounts(
            skills=self.skills,
            tokens=self.tokens,
            call_ids=self.call_ids,
            subagents=self.subagents,
        )

    # -- what sub-agents are built from

    @property
    def roles(self) -> tuple[str, ...]:
        """The names that can be asked for."""
        return self.models.roles

    def model_of(self, role: str) -> ChildModel:
        """Return the model of a known role."""
        found = self.models.of_role(role)
        return ChildModel(name=found.model, note=found.note)

    def build(
        self, frame: SubagentFrame, before_effects: Callable[[], Awaitable[None]]
    ) -> ChildAgent:
        """Return a sub-agent: its own conversation and overlay, everything else its parent's."""
        core, model = self.core, self.models.of_role(frame.role)
        outside = OutsideChanges(core.files.stamp)
        offer = ToolOffer(
            _tools_of_child(core.tools), mode=core.mode, skill_tools=self.skills.tools
        )
        pipeline = CallPipeline(
            replace(
                core.parts,
                registry=offer,
                events=frame.events,
                context=room(core.files, core.commands, core.box),
                remember=outside.remember,
                before_effects=before_effects,
                agent_title=frame.title,
            )
        )
        conversation = self.conversation(model, offer, outside, is_main=False, events=frame.events)
        child = AgentContext(
            model=model,
            conversation=conversation,
            events=frame.events,
            tokens=TokenCount(self.tokens),
            title=frame.title,
        )
        runs = RunLoop(
            RunParts(
                rules=self.rules(model, turns=SUBAGENT_TURNS, is_main=False),
                frame=frame,
                conversation=conversation,
                replies=self.replies(model, frame.events),
                calls=pipeline,
                events=frame.events,
                ids=core.ids,
                tokens=child.tokens,
                skills=self.skills.for_subagent(),
                care=self.context.room_of(child),
            )
        )
        return ChildAgent(runs=runs, calls=pipeline, outside=outside)

    # -- parts that every agent has

    def rules(self, model: ModelInUse, *, turns: int, is_main: bool) -> RunRules:
        """Return how long an agent's runs may last, and how they end."""
        can_answer = is_main and self.options.is_watched
        return RunRules(
            limits=RunLimits(
                turns=turns, answer_tokens=usable(model, self.catalogue).answer_tokens
            ),
            ends_by_call=self.settings.profile == CORE and not can_answer,
        )

    def replies(self, model: ModelInUse, events: RunEvents) -> ReplyStream:
        """Return what asks an agent's model and shows the answer while it comes."""
        return ReplyStream(
            provider=model.provider,
            events=events,
            call_ids=self.call_ids,
            waiting=self.retry_wait,
        )

    def conversation(
        self,
        model: ModelInUse,
        offer: Offered,
        outside: OutsideChanges,
        *,
        is_main: bool = True,
        before_request: Callable[[], None] = nothing,
        events: RunEvents | None = None,
    ) -> Conversation:
        """Return a new conversation.

        Args:
            model: Who answers.
            offer: The tools that it may call.
            outside: The changes that it has not heard of.
            is_main: Whether it is the user's own.
            before_request: Called before each request is built.
            events: Where its notices go; ``None``: the session's own.
        """
        of_session = news_of(self.core, self.skills.news) if is_main else no_news
        of_folders = self.context.folder_news(outside, events or self.core.events)
        known = usable(model, self.catalogue)
        return Conversation(
            before_request=before_request,
            outside=outside,
            mode=self.core.mode,
            news=lambda: (*of_session(), *of_folders()),
            context=ContextBuilder(
                model=model.model,
                system=system_prompt(
                    root_name=self.core.sandbox.root.name,
                    system=platform.system(),
                    date=f"{datetime.now().astimezone():%Y-%m-%d}",
                    ends_by_call=self.settings.profile == CORE,
                    is_subagent=not is_main,
                ),
                tools=lambda: offer.specs,
                able=known.capabilities,
                answer_tokens=known.answer_tokens,
                context_window=known.context_window,
                instructions=self.context.instructions,
                speaks_with_person=is_main,
            ),
        )

    async def end(self) -> None:
        """Release every connection and end every process."""
        try:
            await self.models.close()
        finally:
            await self.core.end_processes()


def _tools_of_child(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """Leave out what would start a further level of sub-agents."""
    return tuple(tool for tool in tools if tool.spec.name != spawn_subagent.NAME)
