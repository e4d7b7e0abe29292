"""Run one prompt without a screen.

Owns who answers the questions of such a run, in this order: ``--allow-command`` and
``--auto-approve``, then ``--approver``. Proven by tests/unit/test_launch.py,
tests/e2e/test_headless.py and tests/e2e/test_approver.py.
"""

import asyncio
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from caramelo_tui.agent.approval_broker import Approver
from caramelo_tui.agent.approvers import FirstApproval, HeadlessApprover
from caramelo_tui.command_line import RunOptions
from caramelo_tui.composition import AgentOptions, CoreOptions, build_agent
from caramelo_tui.config.credentials import Connection, find_connection, secret_variables
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.start_notes import StartSituation, start_notes
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless.external_approver import ExternalApprover, find_approver
from caramelo_tui.headless.printers import ProgressPrinter
from caramelo_tui.headless.prompt_input import read_prompt
from caramelo_tui.headless.runner import HeadlessOptions
from caramelo_tui.headless.runner import run_prompt as run_to_end
from caramelo_tui.headless.signals import ended_in_full
from caramelo_tui.launch.collector import settle_collector
from caramelo_tui.launch.sessions import stored_session
from caramelo_tui.launch.start import OpenedFolder, Start, begin, open_folder
from caramelo_tui.sessions.opening import OpenedSession, open_session
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.subprocesses import CommandRunner

Say = Callable[[str], None]
"""Takes a line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answers:
    """Who answers, and what that one has running."""

    approver: Approver
    programs: CommandRunner


def run_prompt(options: RunOptions) -> int:
    """Run the prompt to its end and return the exit code.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    start = begin(options.common)
    folder = open_folder(start, options.common, Path())
    connection = find_connection(folder.settings, start.environment, kept=start.keys)
    say = _silence if options.is_quiet else ProgressPrinter(sys.stderr, is_quiet=False).say
    answers = _answers(options, start, folder, say)
    _say_notes(start, folder, connection, say)
    agent_options = AgentOptions(
        core=CoreOptions(
            root=folder.root,
            settings=_with_run_flags(folder.settings, options),
            locations=start.locations,
            environment=start.environment,
            approver=answers.approver,
            is_trusted=folder.is_trusted,
            opened=_opened(options, start, folder.root),
        ),
        connection=connection,
        keys=start.keys,
        keeps_session=options.keeps_session,
        is_watched=False,
    )
    prompt = read_prompt(options.prompt, sys.stdin.fileno(), say=say)
    return asyncio.run(_run_agent(agent_options, prompt, options, answers.programs))


def _opened(options: RunOptions, start: Start, root: Path) -> OpenedSession | None:
    """Take the session that is gone on with."""
    if options.session is None:
        return None
    return open_session(stored_session(start, root, options.session))


def _say_notes(start: Start, folder: OpenedFolder, connection: Connection, say: Say) -> None:
    situation = StartSituation(
        root=folder.root,
        connection=connection,
        is_trusted=folder.is_trusted,
        trust_file=start.trust.path,
        can_be_trusted=start.trust.can_be_trusted(folder.root),
    )
    for note in (*start_notes(situation), *folder.loaded.notes):
        say(note)
    if connection.endpoint_note:
        say(f"endpoint from the environment: {connection.endpoint_note}")


def _answers(options: RunOptions, start: Start, folder: OpenedFolder, say: Say) -> _Answers:
    try:
        approver: Approver = HeadlessApprover(
            allowed_commands=options.allowed_commands, auto_approves=options.approves_all
        )
    except ValueError as error:
        raise ConfigError("--allow-command", "", str(error)) from error
    # Apart from the agent's own children: what ends those must not end the one that answers.
    programs = CommandRunner(
        session_mark=secrets.token_hex(16),
        environment=ChildEnvironment(
            start.environment,
            provider_names=secret_variables(folder.settings),
            env_allow=folder.settings.env_allow,
        ),
        artifacts_folder=start.locations.sessions,
    )
    if options.approver is not None:
        program = find_approver(options.approver, start.environment.get("PATH", ""))
        external = ExternalApprover(program, commands=programs, root=folder.root, say=say)
        approver = FirstApproval(approver, external)
    return _Answers(approver=approver, programs=programs)


async def _run_agent(
    agent_options: AgentOptions, prompt: str, options: RunOptions, programs: CommandRunner
) -> int:
    headless = HeadlessOptions(
        prints_json=options.is_json,
        is_quiet=options.is_quiet,
        allows_refusals=options.allows_refusals,
        timeout_s=options.timeout_s,
        images=options.images,
    )
    agent = build_agent(agent_options)
    settle_collector()

    async def end() -> None:
        try:
            await agent.close()
            if agent.sessions.unkept:
                # Said even where nothing else is: it is an error.
                ProgressPrinter(sys.stderr, is_quiet=True).say(f"error: {agent.sessions.unkept}")
        finally:
            await programs.end_all()

    agent.start()
    async with ended_in_full(end):
        return await run_to_end(agent, prompt, headless, sys.stdout, sys.stderr)


def _with_run_flags(settings: Settings, options: RunOptions) -> Settings:
    if options.approves_all:
        settings = replace(settings, mode=ApprovalMode.AUTO, mode_origin="--auto-approve")
    if options.max_turns is not None:
        settings = replace(settings, turns=options.max_turns)
    return settings


def _silence(text: str) -> None:
    del text
