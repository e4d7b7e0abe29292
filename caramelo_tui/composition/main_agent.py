"""Wire the main agent of a session.

Owns what it has beside what all agents share: the stored course, the model that can change, and
everything that the controller offers to who sits at the prompt. Proven by
tests/unit/composition/test_agents.py and tests/e2e/.
"""

from dataclasses import replace

from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.context_room import ContextRoom
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.current_model import CurrentModel
from caramelo_tui.agent.own_commands import OwnCommands
from caramelo_tui.agent.recorded_skills import RecordedSkills
from caramelo_tui.agent.run_frames import MainFrame, SessionFacts
from caramelo_tui.agent.run_loop import RunLoop, RunParts
from caramelo_tui.agent.session_parts import SessionParts
from caramelo_tui.agent.session_rules import SessionRules
from caramelo_tui.agent.workspace_view import WorkspaceView
from caramelo_tui.composition.agents import AgentOptions, SessionWiring
from caramelo_tui.composition.clipboard import system_clipboard
from caramelo_tui.composition.context import AgentContext
from caramelo_tui.composition.core import room
from caramelo_tui.composition.disk import disk_watch
from caramelo_tui.composition.git_view import git_view
from caramelo_tui.composition.images import image_reader
from caramelo_tui.composition.leftovers import leftovers_chore
from caramelo_tui.composition.model_choice import ModelChoice, usable
from caramelo_tui.composition.models import ConfiguredModels, Models
from caramelo_tui.composition.reports import SessionReports
from caramelo_tui.composition.resume import SessionCourse
from caramelo_tui.composition.start_facts import agent_info, start_notes
from caramelo_tui.composition.undo import checkpoint_chore, session_undo
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import SystemClock

COMMAND_TOOLS = ("bash", "run_command")
"""Tools that can leave processes running."""


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
    if options.answering is not None:
        wanted = options.answering
        models.change_main(models.build(wanted.provider, wanted.model))
    return _MainWiring(SessionWiring(options, models)).agent()


class _MainWiring:
    """What only the main agent has."""

    def __init__(self, session: SessionWiring) -> None:
        core = session.core
        self._session = session
        self._core = core
        self._current = CurrentModel(
            usable(session.models.main, session.catalogue), events=core.events
        )
        self._model = replace(session.models.main, provider=self._current)
        self._course = SessionCourse(core, is_kept=session.options.keeps_session)
        self._rules = SessionRules(grants=core.grants, ledger=core.ledger, events=core.events)

    def agent(self) -> AgentController:
        """Return the agent; what is to say at the start is said first of all events."""
        session, core = self._session, self._core
        self._course.go_on(session.counts, self._current.now)
        self._raise_notices()
        conversation = self._course.continued(
            session.conversation(
                self._model,
                core.parts.registry,
                core.outside,
                before_request=self._current.settle,
            )
        )
        self._current.attach(conversation)
        context = session.context.room_of(
            AgentContext(
                model=self._model,
                conversation=conversation,
                events=core.events,
                tokens=session.tokens,
            )
        )
        facts = SessionFacts(
            session_id=core.session_id,
            provider=self._model.provider.name,
            model=self._model.model,
            profile=session.settings.profile,
            is_trusted=session.options.core.is_trusted,
        )
        return AgentController(
            info=agent_info(facts, session.options.connection, core.sandbox.root),
            runs=self._runs(conversation, context, facts),
            events=core.events,
            approvals=core.broker,
            mode=core.mode,
            parts=self._parts(context),
        )

    def _raise_notices(self) -> None:
        session, events = self._session, self._core.events
        options = session.options
        # Who comes from another session was told at the start.
        if options.answering is None:
            notes = start_notes(session.settings, options.connection, self._model, options.notes)
            for note in notes:
                events.raise_notice(NoticeLevel.INFO, note)
        for level, text in session.skill_notices:
            events.raise_notice(level, text)
        for problem in (*session.commands.problems, *session.own_models.problems):
            events.raise_notice(NoticeLevel.WARNING, problem)

    def _runs(
        self, conversation: Conversation, context: ContextRoom, facts: SessionFacts
    ) -> RunLoop:
        session, core = self._session, self._core
        return RunLoop(
            RunParts(
                rules=session.rules(self._model, turns=session.settings.run_turns, is_main=True),
                frame=MainFrame(
                    events=core.events,
                    facts=facts,
                    behind_begin=self._rules.report_limits,
                    facts_now=self._current.begin_run,
                ),
                conversation=conversation,
                replies=session.replies(self._model, core.events),
                calls=core.pipeline,
                events=core.events,
                ids=core.ids,
                tokens=session.tokens,
                skills=session.skills,
                care=context,
            )
        )

    def _parts(self, context: ContextRoom) -> SessionParts:
        session, core, current = self._session, self._core, self._current
        options = session.options
        activity = CommandActivity(
            events=core.events,
            processes=core.commands,
            command_tools=(*COMMAND_TOOLS, *session.skills.tool_names),
            clock=SystemClock(),
        )
        return SessionParts(
            provider=current,
            calls=core.pipeline,
            subagents=session.subagents,
            rules=self._rules,
            commands=activity,
            disk=disk_watch(core, session.subagents, activity),
            view=WorkspaceView(core.files, core.artifacts),
            end_commands=session.end,
            recorder=self._course.recorder,
            sessions=self._course.sessions,
            waiting=self._course.waiting,
            skills=RecordedSkills(session.skills, core.events),
            models=ModelChoice(current=current, models=session.models, catalogue=session.catalogue),
            reports=SessionReports(
                core=core,
                settings=session.settings,
                answering=lambda: current.now.answering,
                config=options.config_report,
            ),
            undo=session_undo(core),
            chores=(leftovers_chore(core), checkpoint_chore(options.core, core)),
            context=context,
            git=git_view(core, options.core),
            clipboard=system_clipboard(options.core),
            images=image_reader(
                core,
                takes_images=lambda: current.capabilities.images,
                environment=options.core.environment,
            ),
            retry_wait=session.retry_wait,
            own_commands=OwnCommands(
                context=room(core.files, core.commands),
                events=core.events,
                ids=core.ids,
                clock=SystemClock(),
                captures=core.parts.captures,
            ),
            user_commands=session.commands.commands,
        )
