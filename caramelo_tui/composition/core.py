"""Wire what takes a call from request to result.

Owns the order in which the rooms below the run loop are put together. Needs no provider and no
screen. Proven by tests/unit/composition/test_core.py and tests/e2e/.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from caramelo_tui.agent.approval_broker import ApprovalBroker, Approver
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.command_captures import NO_CAPTURES
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.subagents import NoSubagents
from caramelo_tui.agent.tool_offer import ToolOffer, no_tools
from caramelo_tui.cache.store import CallCache
from caramelo_tui.composition.command_box import command_box
from caramelo_tui.composition.tool_choice import offered_tools, run_command_limits
from caramelo_tui.composition.undo import command_captures, session_journal
from caramelo_tui.config.credentials import secret_variables
from caramelo_tui.config.locations import Locations, home_or_root
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.ids import IdSource, RandomIds, SessionId, SystemClock
from caramelo_tui.domain.policy_settings import PolicySettings, Rule
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.sessions.folders import (
    outputs_folder,
    remove_outputs,
    session_path,
)
from caramelo_tui.sessions.opening import OpenedSession
from caramelo_tui.tools.base import OutputSink, Tool, ToolContext
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.command_box import CommandBox, NoBox
from caramelo_tui.tools.delegation.spawn_subagent import Delegate
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.profiles import ToolParts
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.tools.web.client import WebClient
from caramelo_tui.workspace.file_io import FileStore, StepHook, no_hook
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_repair import void_unwritten
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.tree_watch import TreeWatch

CACHE_BYTES = 64 * 1024 * 1024
"""Bound of all cached answers: a few hundred of the largest."""


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
    is_trusted: bool = False
    """Whether the user trusts the folder; else nothing in it may act."""
    keeps_command_changes: bool = False
    """Whether what commands change can be undone; looks at the tree before and after each."""
    keeps_outputs: bool = True
    """Whether whole outputs of commands outlive the session, to be opened later."""
    web: WebClient | None = None
    """The way to the web; ``None``: real connections."""
    step_hook: StepHook = no_hook
    """Called between the steps of a write; faults are put in here."""
    opened: OpenedSession | None = None
    """The stored session that goes on; ``None``: a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """All that takes a call from request to result; needs no provider and no screen."""

    session_id: SessionId
    ids: IdSource
    sandbox: Sandbox
    files: FileStore
    tools: tuple[Tool, ...]
    """The profile's tools, without those that the settings take off."""
    events: EventStream
    broker: ApprovalBroker
    mode: CurrentMode
    cache: CallCache
    commands: CommandRunner
    box: CommandBox
    """Where the model's commands run."""
    regexes: RegexProcesses
    parts: PipelineParts
    """What the pipeline is made of; a sub-agent's shares most of it."""
    journal: Journal
    """What every change of a file replaced."""
    pipeline: CallPipeline
    ledger: DiffLedger
    """The session's count of changed lines."""
    grants: SessionGrants
    """What the user let pass or blocked for the session."""
    own_writes: OwnWrites
    outside: OutsideChanges
    artifacts: Path
    """Folder of kept outputs."""
    session_file: Path
    """Where the session is kept, if it is."""
    opened: OpenedSession | None
    """The stored session that goes on; ``None``: a new one."""
    keeps_outputs: bool

    async def end_processes(self) -> None:
        """End every process of the session, search workers included; idempotent.

        Outputs that are not kept are removed then: nobody writes them any more.
        """
        self.regexes.close()
        self.cache.close()
        await self.commands.end_all()
        if not self.keeps_outputs:
            await asyncio.to_thread(remove_outputs, self.artifacts)


def build_core(
    options: CoreOptions,
    *,
    delegate: Delegate | None = None,
    skill_tools: Callable[[], tuple[Tool, ...]] = no_tools,
) -> Core:
    """Wire the rooms below the run loop.

    Args:
        options: What it is built from.
        delegate: Who starts sub-agents; ``None``: nobody can, outside of a run.
        skill_tools: The tools of the skills that are active at the moment.

    Raises:
        ConfigError: If the workspace is no folder, or a disabled tool does not exist.
    """
    settings, locations, clock = options.settings, options.locations, SystemClock()
    opened = options.opened
    session_id = new_session_id() if opened is None else opened.header.session_id
    sandbox = Sandbox(options.root)
    own_writes = OwnWrites()
    files = FileStore(sandbox, step_hook=options.step_hook, own_writes=own_writes)
    artifacts = outputs_folder(locations.sessions, sandbox.root, session_id)
    journal = session_journal(locations.checkpoints, sandbox.root, session_id, clock, opened=opened)
    if opened is not None:
        void_unwritten(journal, files)
    commands, regexes = _commands(options, artifacts), RegexProcesses()
    box = command_box(settings, sandbox.root, environment=options.environment, locations=locations)
    tools = offered_tools(settings, _tool_parts(options, sandbox.root, regexes, delegate))
    events = EventStream(clock, last_seq=0 if opened is None else opened.last_seq)
    mode = CurrentMode(settings.mode, settings.mode_origin)
    outside = OutsideChanges(files.stamp)
    ledger = DiffLedger(settings.policy, profile=settings.profile)
    grants = SessionGrants(root=sandbox.root, home=home_or_root(options.environment))
    parts = PipelineParts(
        registry=ToolOffer(tools, mode=mode, skill_tools=skill_tools),
        policy=_policy(options, sandbox.root, ledger, grants),
        broker=ApprovalBroker(events, options.approver),
        cache=CallCache(
            CACHE_BYTES,
            files=files,
            trees=TreeWatch(sandbox.root, environment=options.environment),
        ),
        journal=journal,
        events=events,
        clock=clock,
        ids=RandomIds(),
        mode=mode,
        context=room(files, commands, box),
        remember=outside.remember,
        lines=ledger,
        captures=(
            command_captures(sandbox, files, journal, events)
            if options.keeps_command_changes
            else NO_CAPTURES
        ),
    )
    return Core(
        session_id=session_id,
        ids=parts.ids,
        sandbox=sandbox,
        files=files,
        tools=tools,
        events=events,
        broker=parts.broker,
        mode=mode,
        cache=parts.cache,
        commands=commands,
        box=box,
        regexes=regexes,
        parts=parts,
        journal=journal,
        pipeline=CallPipeline(parts),
        ledger=ledger,
        grants=grants,
        own_writes=own_writes,
        outside=outside,
        artifacts=artifacts,
        session_file=session_path(locations.sessions, sandbox.root, session_id),
        opened=opened,
        keeps_outputs=options.keeps_outputs,
    )


def new_session_id() -> SessionId:
    """Return the id of a session that begins now; ids sort by their beginning."""
    return SessionId(f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")


def _tool_parts(
    options: CoreOptions, root: Path, regexes: RegexProcesses, delegate: Delegate | None
) -> ToolParts:
    return ToolParts(
        regexes=regexes,
        ripgrep=Ripgrep(find_ripgrep(options.environment.get("PATH", ""), outside=root)),
        git=git_program(options, root),
        web=options.web or WebClient(options.settings.web),
        delegate=delegate or NoSubagents(),
        run_command=run_command_limits(options.settings),
    )


def _policy(
    options: CoreOptions, root: Path, ledger: DiffLedger, grants: SessionGrants
) -> PolicyEngine:
    return PolicyEngine(
        root=root,
        home=home_or_root(options.environment),
        profile=options.settings.profile,
        settings=_with_own_folders(options.settings.policy, root, options.locations),
        ledger=ledger,
        grants=grants,
    )


def _with_own_folders(policy: PolicySettings, root: Path, locations: Locations) -> PolicySettings:
    """Protect the program's own files where the workspace holds them, such as a home folder."""
    own = (locations.config.resolve(), locations.state.resolve())
    inside = [folder.relative_to(root) for folder in own if folder.is_relative_to(root)]
    rules = tuple(
        Rule(text=f"{folder.as_posix()}/**" if folder.parts else "**") for folder in inside
    )
    return replace(policy, protected_paths=(*policy.protected_paths, *rules))


def git_program(options: CoreOptions, root: Path) -> GitProgram:
    """Return the git of a workspace; its filters run only where the user trusts it."""
    return GitProgram(
        root,
        is_trusted=options.is_trusted,
        environment=options.environment,
        provider_names=secret_variables(options.settings),
        env_allow=options.settings.env_allow,
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


def room(
    files: FileStore, commands: CommandRunner, box: CommandBox | None = None
) -> Callable[[OutputSink], ToolContext]:
    """Return how an agent's tools get what they can reach; it has one overlay for all.

    Args:
        files: The workspace.
        commands: Starts child processes.
        box: Where the model's commands run; ``None``: with the user's full rights.
    """
    overlay = Overlay(files)
    used = box or NoBox()

    def context(emit_output: OutputSink) -> ToolContext:
        return ToolContext(
            sandbox=files.sandbox,
            files=files,
            overlay=overlay,
            commands=commands,
            emit_output=emit_output,
            box=used,
        )

    return context
