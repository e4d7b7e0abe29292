"""Wire a whole agent and its sub-agents.

Owns how runs, conversations and pipelines of one session hang together: what a sub-agent shares
with its parent, and what is its own. Proven by tests/unit/composition/test_agents.py and
tests/e2e/.
"""

import platform
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from caramelo_tui.agent.active_skills import ActiveSkills
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.context_builder import ContextBuilder, system_prompt
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.conversation import Conversation, no_news, nothing
from caramelo_tui.agent.current_model import CurrentModel
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.own_commands import OwnCommands
from caramelo_tui.agent.pipeline_parts import Offered
from caramelo_tui.agent.recorded_skills import RecordedSkills
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.run_frames import MainFrame, RunEvents, SessionFacts
from caramelo_tui.agent.run_loop import RunLoop, RunParts, RunRules
from caramelo_tui.agent.session_parts import SessionParts
from caramelo_tui.agent.session_rules import SessionRules
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.subagents import ChildAgent, ChildModel, SubagentFrame, Subagents
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.agent.tool_offer import ToolOffer
from caramelo_tui.agent.workspace_view import WorkspaceView
from caramelo_tui.composition.context import AgentContext, ContextOptions, SessionContext
from caramelo_tui.composition.core import CoreOptions, build_core, room
from caramelo_tui.composition.disk import disk_watch
from caramelo_tui.composition.git_view import git_view
from caramelo_tui.composition.images import image_reader
from caramelo_tui.composition.model_choice import ModelChoice, usable
from caramelo_tui.composition.models import ConfiguredModels, ModelInUse, Models
from caramelo_tui.composition.reports import SessionReports
from caramelo_tui.composition.resume import SessionCounts, SessionCourse
from caramelo_tui.composition.skills import session_skills, skill_notices
from caramelo_tui.composition.start_facts import agent_info, start_notes
from caramelo_tui.composition.undo import checkpoint_chore, news_of, session_undo
from caramelo_tui.composition.user_commands import user_commands
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.user_models import read_user_models
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import SystemClock
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.providers.catalog import Catalogue
from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.delegation import spawn_subagent
from caramelo_tui.tools.delegation.spawn_subagent import DelegatedTask, DelegationReport

SUBAGENT_TURNS = 25
"""Turns of one sub-agent."""
COMMAND_TOOLS = ("bash", "run_command")
"""Tools that can leave processes running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """What an agent is built from, beside its core."""

    core: CoreOptions
    connection: Connection
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


def build_agent(options: AgentOptions, *, models: Models | None = None) -> AgentController:
    """Wire a whole agent; it does nothing before ``start``.

    Args:
        options: What it is built from.
        models: Gives each agent its model; ``None``: what the settings name.

    Raises:
        ConfigError: If a setting cannot be used.
    """
    if models is None:
        models = ConfiguredModels(
            options.core.settings,
            options.connection,
            options.core.environment,
            is_watched=options.is_watched,
            kept=options.keys,
        )
    return _AgentWiring(options, models).agent()


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


class _AgentWiring:
    """Everything of one session that its agents share."""

    def __init__(self, options: AgentOptions, models: Models) -> None:
        self._options = options
        self._settings = options.core.settings
        self._models = models
        late = _LateDelegate()
        core_options = replace(
            options.core, keeps_outputs=options.keeps_session, keeps_command_changes=True
        )
        loaded = session_skills(options.core)
        self._skills = ActiveSkills(loaded.skills)
        self._skill_notices = skill_notices(loaded)
        self._commands = user_commands(options.core)
        self._own_models = read_user_models(options.core.locations.config / "models.toml")
        self._catalogue = Catalogue(self._own_models.models)
        self._core = build_core(core_options, delegate=late, skill_tools=self._skills.tools)
        self._call_ids = CallIds(self._core.ids)
        self._tokens = TokenCount()
        self._retry_wait = RetryWait()
        self._context = SessionContext(
            ContextOptions(
                core_options=options.core,
                core=self._core,
                models=models,
                catalogue=self._catalogue,
                waiting=self._retry_wait,
            )
        )
        self._subagents = late.subagents = Subagents(
            builder=self,
            events=self._core.events,
            mode=self._core.mode,
            parent_outside=self._core.outside,
        )
        self._counts = SessionCounts(
            skills=self._skills,
            tokens=self._tokens,
            call_ids=self._call_ids,
            subagents=self._subagents,
        )

    def agent(self) -> AgentController:
        """Return the main agent."""
        options, core = self._options, self._core
        current = CurrentModel(usable(self._models.main, self._catalogue), events=core.events)
        main = replace(self._models.main, provider=current)
        course = SessionCourse(core, is_kept=options.keeps_session)
        course.go_on(self._counts, current.now)
        for note in start_notes(self._settings, options.connection, main, options.notes):
            core.events.raise_notice(NoticeLevel.INFO, note)
        for level, text in self._skill_notices:
            core.events.raise_notice(level, text)
        for problem in self._commands.problems:
            core.events.raise_notice(NoticeLevel.WARNING, problem)
        for problem in self._own_models.problems:
            core.events.raise_notice(NoticeLevel.WARNING, problem)
        conversation = course.continued(
            self._conversation(
                main, core.parts.registry, core.outside, before_request=current.settle
            )
        )
        current.attach(conversation)
        context_room = self._context.room_of(
            AgentContext(
                model=main, conversation=conversation, events=core.events, tokens=self._tokens
            )
        )
        activity = CommandActivity(
            events=core.events,
            processes=core.commands,
            command_tools=(*COMMAND_TOOLS, *self._skills.tool_names),
            clock=SystemClock(),
        )
        rules = SessionRules(grants=core.grants, ledger=core.ledger, events=core.events)
        facts = SessionFacts(
            session_id=core.session_id,
            provider=main.provider.name,
            model=main.model,
            profile=self._settings.profile,
            is_trusted=options.core.is_trusted,
        )
        runs = RunLoop(
            RunParts(
                rules=self._rules(main, turns=self._settings.run_turns, is_main=True),
                frame=MainFrame(
                    events=core.events,
                    facts=facts,
                    behind_begin=rules.report_limits,
                    facts_now=current.begin_run,
                ),
                conversation=conversation,
                replies=self._replies(main, core.events),
                calls=core.pipeline,
                events=core.events,
                ids=core.ids,
                tokens=self._tokens,
                skills=self._skills,
                care=context_room,
            )
        )
        return AgentController(
            info=agent_info(facts, options.connection, core.sandbox.root),
            runs=runs,
            events=core.events,
            approvals=core.broker,
            mode=core.mode,
            parts=SessionParts(
                provider=main.provider,
                calls=core.pipeline,
                subagents=self._subagents,
                rules=rules,
                commands=activity,
                disk=disk_watch(core, self._subagents, activity),
                view=WorkspaceView(core.files, core.artifacts),
                end_commands=self._end,
                recorder=course.recorder,
                sessions=course.sessions,
                waiting=course.waiting,
                skills=RecordedSkills(self._skills, core.events),
                models=ModelChoice(current=current, models=self._models, catalogue=self._catalogue),
                reports=SessionReports(
                    core=core,
                    settings=self._settings,
                    answering=lambda: current.now.answering,
                    config=options.config_report,
                ),
                undo=session_undo(core),
                chores=(checkpoint_chore(options.core, core),),
                context=context_room,
                git=git_view(core, options.core),
                images=image_reader(
                    core,
                    takes_images=lambda: main.provider.capabilities.images,
                    environment=options.core.environment,
                ),
                retry_wait=self._retry_wait,
                own_commands=OwnCommands(
                    context=room(core.files, core.commands),
                    events=core.events,
                    ids=core.ids,
                    clock=SystemClock(),
                ),
                user_commands=self._commands.commands,
            ),
        )

    # -- what sub-agents are built from

    @property
    def roles(self) -> tuple[str, ...]:
        """The names that can be asked for."""
        return self._models.roles

    def model_of(self, role: str) -> ChildModel:
        """Return the model of a known role."""
        found = self._models.of_role(role)
        return ChildModel(name=found.model, note=found.note)

    def build(
        self, frame: SubagentFrame, before_effects: Callable[[], Awaitable[None]]
    ) -> ChildAgent:
        """Return a sub-agent: its own conversation and overlay, everything else its parent's."""
        core, model = self._core, self._models.of_role(frame.role)
        outside = OutsideChanges(core.files.stamp)
        offer = ToolOffer(
            _tools_of_child(core.tools), mode=core.mode, skill_tools=self._skills.tools
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
        conversation = self._conversation(model, offer, outside, is_main=False, events=frame.events)
        child = AgentContext(
            model=model,
            conversation=conversation,
            events=frame.events,
            tokens=TokenCount(self._tokens),
            title=frame.title,
        )
        runs = RunLoop(
            RunParts(
                rules=self._rules(model, turns=SUBAGENT_TURNS, is_main=False),
                frame=frame,
                conversation=conversation,
                replies=self._replies(model, frame.events),
                calls=pipeline,
                events=frame.events,
                ids=core.ids,
                tokens=child.tokens,
                skills=self._skills.for_subagent(),
                care=self._context.room_of(child),
            )
        )
        return ChildAgent(runs=runs, calls=pipeline, outside=outside)

    # -- parts

    def _rules(self, model: ModelInUse, *, turns: int, is_main: bool) -> RunRules:
        can_answer = is_main and self._options.is_watched
        return RunRules(
            limits=RunLimits(
                turns=turns, answer_tokens=usable(model, self._catalogue).answer_tokens
            ),
            ends_by_call=self._settings.profile == CORE and not can_answer,
        )

    def _replies(self, model: ModelInUse, events: RunEvents) -> ReplyStream:
        return ReplyStream(
            provider=model.provider,
            events=events,
            call_ids=self._call_ids,
            waiting=self._retry_wait,
        )

    def _conversation(
        self,
        model: ModelInUse,
        offer: Offered,
        outside: OutsideChanges,
        *,
        is_main: bool = True,
        before_request: Callable[[], None] = nothing,
        events: RunEvents | None = None,
    ) -> Conversation:
        news = news_of(self._core, self._skills.news) if is_main else no_news
        of_folders = self._context.folder_news(outside, events or self._core.events)
        known = usable(model, self._catalogue)
        return Conversation(
            before_request=before_request,
            outside=outside,
            mode=self._core.mode,
            skill_news=lambda: (*news(), *of_folders()),
            context=ContextBuilder(
                model=model.model,
                system=system_prompt(
                    root_name=self._core.sandbox.root.name,
                    system=platform.system(),
                    date=f"{datetime.now().astimezone():%Y-%m-%d}",
                    ends_by_call=self._settings.profile == CORE,
                    is_subagent=not is_main,
                ),
                tools=lambda: offer.specs,
                able=known.capabilities,
                answer_tokens=known.answer_tokens,
                context_window=known.context_window,
                instructions=self._context.instructions,
                speaks_with_person=is_main,
            ),
        )

    async def _end(self) -> None:
        try:
            await self._models.close()
        finally:
            await self._core.end_processes()


def _tools_of_child(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """Leave out what would start a further level of sub-agents."""
    return tuple(tool for tool in tools if tool.spec.name != spawn_subagent.NAME)
