"""Build and wire every object; the only such place.

Owns the order in which a session is put together from settings, and nothing of what it does.
Modules that only one way of starting needs are imported there, so that a start pays for what
it uses. Proven by tests/unit/test_composition.py and tests/e2e/.
"""

import asyncio
import platform
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from caramelo_tui.agent.approval_broker import ApprovalBroker, Approver
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.context_builder import ContextBuilder, system_prompt
from caramelo_tui.agent.controller import AgentController, SessionParts
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.disk_watch import DiskWatch
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.port import AgentInfo
from caramelo_tui.agent.reply_stream import RealWaiting, ReplyStream
from caramelo_tui.agent.run_loop import RunLoop, RunSettings
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.workspace_view import WorkspaceView
from caramelo_tui.cache.invalidation import Invalidation
from caramelo_tui.cache.store import CallCache
from caramelo_tui.config.credentials import Connection, secret_variables
from caramelo_tui.config.locations import Locations, home_or_root
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.ids import IdSource, RandomIds, SessionId, SystemClock
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.catalog import DEFAULT_MODELS, context_window_of, max_tokens_for
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.sessions.folders import (
    outputs_folder,
    remove_outputs,
    session_path,
    workspace_folder,
)
from caramelo_tui.sessions.store import SessionFile, SessionHeader, SessionRecorder
from caramelo_tui.tools.base import OutputSink, Tool, ToolContext
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.profiles import caramelo_tools
from caramelo_tui.tools.registry import ToolRegistry
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.workspace.file_io import FileStore, StepHook, no_hook
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.watcher import Watcher

CACHE_BYTES = 64 * 1024 * 1024
"""Bound of all cached answers: a few hundred of the largest."""
DEMO_MODEL = "scripted"
"""Name shown where a model's name stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreOptions:
    """What a core is built from, beside the settings."""

    root: Path
    """The workspace; an existing folder."""
    settings: Settings
    locations: Locations
    environment: Mapping[str, str]
    """The user's variables."""
    approver: Approver
    keeps_outputs: bool = True
    """Whether whole outputs of commands outlive the session, to be opened later."""
    step_hook: StepHook = no_hook
    """Called between the steps of a write; faults are put in here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """All that takes a call from request to result; needs no provider and no screen."""

    session_id: SessionId
    ids: IdSource
    sandbox: Sandbox
    files: FileStore
    registry: ToolRegistry
    events: EventStream
    broker: ApprovalBroker
    mode: CurrentMode
    cache: CallCache
    commands: CommandRunner
    regexes: RegexProcesses
    pipeline: CallPipeline
    own_writes: OwnWrites
    outside: OutsideChanges
    artifacts: Path
    """Folder of kept outputs."""
    keeps_outputs: bool

    async def end_processes(self) -> None:
        """End every process of the session, search workers included; idempotent.

        Outputs that are not kept are removed then: nobody writes them any more.
        """
        self.regexes.close()
        await self.commands.end_all()
        if not self.keeps_outputs:
            await asyncio.to_thread(remove_outputs, self.artifacts)


def build_core(options: CoreOptions) -> Core:
    """Wire the rooms below the run loop.

    Raises:
        ConfigError: If the workspace is no folder, or a disabled tool does not exist.
    """
    settings, locations, clock = options.settings, options.locations, SystemClock()
    session_id = SessionId(f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
    sandbox = Sandbox(options.root)
    own_writes = OwnWrites()
    files = FileStore(sandbox, step_hook=options.step_hook, own_writes=own_writes)
    artifacts = outputs_folder(locations.sessions, sandbox.root, session_id)
    images = workspace_folder(locations.checkpoints, sandbox.root) / session_id
    commands, regexes = _commands(options, artifacts), RegexProcesses()
    events, mode = EventStream(clock), CurrentMode(settings.mode)
    outside = OutsideChanges(files.stamp)
    parts = PipelineParts(
        registry=ToolRegistry(offered_tools(settings, regexes)),
        policy=PolicyEngine(root=sandbox.root, home=home_or_root(options.environment)),
        broker=ApprovalBroker(events, options.approver),
        cache=CallCache(CACHE_BYTES, files=files),
        journal=Journal(images, clock),
        events=events,
        clock=clock,
        ids=RandomIds(),
        mode=mode,
        context=_room(files, commands),
        remember=outside.remember,
    )
    return Core(
        session_id=session_id,
        ids=parts.ids,
        sandbox=sandbox,
        files=files,
        registry=parts.registry,
        events=events,
        broker=parts.broker,
        mode=mode,
        cache=parts.cache,
        commands=commands,
        regexes=regexes,
        pipeline=CallPipeline(parts),
        own_writes=own_writes,
        outside=outside,
        artifacts=artifacts,
        keeps_outputs=options.keeps_outputs,
    )


def _commands(options: CoreOptions, artifacts: Path) -> CommandRunner:
    return CommandRunner(
        session_mark=secrets.token_hex(16),
        environment=ChildEnvironment(
            options.environment,
            provider_names=secret_variables(options.settings),
            env_allow=options.settings.env_allow,
        ),
        artifacts_folder=artifacts,
    )


def _room(files: FileStore, commands: CommandRunner) -> Callable[[OutputSink], ToolContext]:
    """Return how a tool gets what it can reach; the overlay is one for all."""
    overlay = Overlay(files)

    def context(emit_output: OutputSink) -> ToolContext:
        return ToolContext(
            sandbox=files.sandbox,
            files=files,
            overlay=overlay,
            commands=commands,
            emit_output=emit_output,
        )

    return context


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """What an agent is built from, beside its core."""

    core: CoreOptions
    connection: Connection
    is_trusted: bool
    keeps_session: bool = True
    """Whether a session file and the whole outputs of commands are kept."""
    is_watched: bool = True
    """Whether somebody looks on: the demo's model then answers at a human pace."""
    notes: tuple[str, ...] = ()
    """Said to the user at the start."""


def build_agent(options: AgentOptions) -> AgentController:
    """Wire a whole agent; it does nothing before ``start``.

    Raises:
        ConfigError: If a setting cannot be used.
    """
    core = build_core(replace(options.core, keeps_outputs=options.keeps_session))
    settings, connection = options.core.settings, options.connection
    provider, model = build_provider(settings, connection, is_watched=options.is_watched)
    for note in _start_notes(options, provider, model):
        core.events.raise_notice(NoticeLevel.INFO, note)
    run_settings = RunSettings(
        session_id=core.session_id,
        provider=provider.name,
        model=model,
        profile=settings.profile,
        is_trusted=options.is_trusted,
        limits=RunLimits(turns=settings.turns, answer_tokens=max_tokens_for(model)),
    )
    conversation = _conversation(core, run_settings)
    activity = CommandActivity(
        events=core.events, processes=core.commands, command_tools=("bash",), clock=SystemClock()
    )
    return AgentController(
        info=_info(run_settings, connection, core.sandbox.root),
        runs=_runs(core, run_settings, conversation, provider),
        events=core.events,
        approvals=core.broker,
        mode=core.mode,
        parts=SessionParts(
            provider=provider,
            calls=core.pipeline,
            commands=activity,
            disk=_disk_watch(core, conversation, activity),
            view=WorkspaceView(core.files, core.artifacts),
            end_commands=core.end_processes,
            recorder=_recorder(options, core) if options.keeps_session else None,
        ),
    )


def _info(run_settings: RunSettings, connection: Connection, workspace: Path) -> AgentInfo:
    return AgentInfo(
        workspace=workspace,
        provider=run_settings.provider,
        model=run_settings.model,
        profile=run_settings.profile,
        is_trusted=run_settings.is_trusted,
        is_demo=connection.provider is ProviderName.DEMO,
        endpoint_note=connection.endpoint_note,
        context_window=context_window_of(run_settings.model),
    )


def _conversation(core: Core, run_settings: RunSettings) -> Conversation:
    return Conversation(
        outside=core.outside,
        context=ContextBuilder(
            model=run_settings.model,
            system=system_prompt(
                root_name=core.sandbox.root.name,
                system=platform.system(),
                date=f"{datetime.now().astimezone():%Y-%m-%d}",
            ),
            tools=core.registry.specs,
            answer_tokens=run_settings.limits.answer_tokens,
            context_window=context_window_of(run_settings.model),
        ),
    )


def _runs(
    core: Core, run_settings: RunSettings, conversation: Conversation, provider: Provider
) -> RunLoop:
    return RunLoop(
        settings=run_settings,
        conversation=conversation,
        replies=ReplyStream(
            provider=provider,
            events=core.events,
            call_ids=CallIds(core.ids),
            waiting=RealWaiting(),
        ),
        calls=core.pipeline,
        events=core.events,
        ids=core.ids,
    )


def _disk_watch(core: Core, conversation: Conversation, activity: CommandActivity) -> DiskWatch:
    troubles: list[DiskWatch] = []
    watcher = Watcher(
        core.sandbox,
        # The watch is made from the watcher, and told of its troubles: bound in two steps.
        on_trouble=lambda problem: troubles[0].take_trouble(problem),  # noqa: PLW0108
        own_writes=core.own_writes,
    )
    watch = DiskWatch(
        watcher=watcher,
        cache=Invalidation(core.cache),
        questions=core.pipeline,
        outside=conversation.outside,
        commands=activity,
        events=core.events,
    )
    troubles.append(watch)
    return watch


def _start_notes(options: AgentOptions, provider: Provider, model: str) -> tuple[str, ...]:
    is_demo = options.connection.provider is ProviderName.DEMO
    if options.core.settings.model is not None or is_demo:
        return options.notes
    return (*options.notes, f"No model is set: using {model} of {provider.name} (--model chooses).")


def offered_tools(settings: Settings, regexes: RegexProcesses) -> tuple[Tool, ...]:
    """Return the tools of the profile without those that the settings take off.

    Raises:
        ConfigError: If a tool to take off does not exist.
    """
    tools = caramelo_tools(regexes)
    names = [tool.spec.name for tool in tools]
    for name in settings.disabled_tools:
        if name not in names:
            raise ConfigError(
                "tools.disable", "", f"there is no tool {name!r}; known: {', '.join(names)}"
            )
    return tuple(tool for tool in tools if tool.spec.name not in settings.disabled_tools)


def build_provider(
    settings: Settings, connection: Connection, *, is_watched: bool = True
) -> tuple[Provider, str]:
    """Return the provider and the model in use; ``is_watched`` paces the demo.

    Raises:
        ConfigError: If the endpoint cannot be used.
    """
    if connection.provider is ProviderName.DEMO:
        return _demo_provider(is_watched=is_watched), DEMO_MODEL
    endpoint = EndpointSettings(
        key=connection.key, base_url=connection.base_url or "", stall_s=settings.stall_s
    )
    model = settings.model or DEFAULT_MODELS[connection.provider]
    build = _anthropic if connection.provider is ProviderName.ANTHROPIC else _openai
    try:
        return build(endpoint), model
    except ValueError as error:
        raise ConfigError("base URL", "", str(error)) from error


def _anthropic(endpoint: EndpointSettings) -> Provider:
    from caramelo_tui.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return AnthropicProvider(endpoint)


def _openai(endpoint: EndpointSettings) -> Provider:
    from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return OpenAICompatibleProvider(endpoint)


def _demo_provider(*, is_watched: bool) -> Provider:
    from caramelo_tui.demo.sample_workspace import scenario_text  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.providers.scenario_files import parse_scenario  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.providers.scripted import (  # noqa: PLC0415 - paid for by whoever needs it only
        AT_ONCE,
        LIFELIKE,
        ScriptedProvider,
    )

    scenario = parse_scenario(scenario_text(), source="demo")
    return ScriptedProvider(scenario, pace=LIFELIKE if is_watched else AT_ONCE)


def _recorder(options: AgentOptions, core: Core) -> SessionRecorder:
    path = session_path(options.core.locations.sessions, core.sandbox.root, core.session_id)
    header = SessionHeader(
        session_id=core.session_id, workspace=str(core.sandbox.root), started_at=SystemClock().now()
    )
    return SessionRecorder(
        SessionFile(path, header),
        on_trouble=lambda problem: core.events.raise_notice(NoticeLevel.WARNING, problem),
    )
