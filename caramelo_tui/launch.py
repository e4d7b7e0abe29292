"""Start the program in the way that the command line asks for.

Owns the four ways: the app, one prompt without a screen, tools by hand, the list of tools.
Decides what is asked before a session begins (trust, provider) and builds nothing itself.
Proven by tests/unit/test_launch.py and tests/e2e/.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from caramelo_tui.command_line import (
    AppOptions,
    ApproveFlag,
    CommonOptions,
    Options,
    RunOptions,
    ToolOptions,
    ToolsOptions,
)
from caramelo_tui.config.credentials import (
    Connection,
    NoProviderError,
    find_connection,
)
from caramelo_tui.config.loader import load_settings
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.log_file import start_logging
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError


def launch(options: Options) -> int:
    """Start what the options ask for and return the exit code.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    match options:
        case AppOptions():
            return _open_app(options)
        case RunOptions():
            return _run_prompt(options)
        case ToolOptions():
            return _run_tools(options)
        case ToolsOptions():
            return _print_tools(options)
        case _:
            assert_never(options)


def workspace_root(path: Path) -> Path:
    """Return the resolved folder that is opened.

    Raises:
        ConfigError: If it does not exist or is no folder.
    """
    try:
        root = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ConfigError(str(path), "", "there is no such folder") from error
    if not root.is_dir():
        raise ConfigError(str(path), "", "is no folder; name the folder to work in")
    return root


def _settings(common: CommonOptions, environment: Mapping[str, str]) -> tuple[Settings, Locations]:
    locations = Locations.from_environment(environment)
    settings = load_settings(
        user_file=common.config_file or locations.config_file,
        is_file_required=common.config_file is not None,
        environment=environment,
        flags=common.flags,
    )
    is_debug = common.is_debug or bool(environment.get("CARAMELO_DEBUG"))
    settings = replace(settings, is_debug=is_debug)
    start_logging(locations.logs, is_debug=is_debug)
    return settings, locations


def _trust_store(locations: Locations, environment: Mapping[str, str]) -> TrustStore:
    return TrustStore(locations.trust_file, home=Path(environment.get("HOME") or Path.home()))


def _open_app(options: AppOptions) -> int:
    from caramelo_tui.app_start import (  # noqa: PLC0415 - the app's way alone needs it
        DEMO_CONNECTION,
        AppStart,
        StartFacts,
    )
    from caramelo_tui.ui.start import run_app  # noqa: PLC0415

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "terminal", "", "the app needs one; without a terminal use `caramelo run`"
        )
    environment = dict(os.environ)
    settings, locations = _settings(options.common, environment)
    connection: Connection | None = DEMO_CONNECTION
    if not options.is_demo:
        try:
            connection = find_connection(settings, environment)
        except NoProviderError:
            connection = None
    start = AppStart(
        StartFacts(
            root=None if options.is_demo else workspace_root(options.path),
            settings=settings,
            locations=locations,
            environment=environment,
            connection=connection,
            trust=_trust_store(locations, environment),
            is_trusted_by_flag=options.common.is_trusted,
            first_prompt=options.prompt or "",
        )
    )
    return run_app(start.plan())


def _run_prompt(options: RunOptions) -> int:
    from caramelo_tui.agent.approvers import HeadlessApprover  # noqa: PLC0415
    from caramelo_tui.composition import AgentOptions, CoreOptions, build_agent  # noqa: PLC0415
    from caramelo_tui.headless.runner import HeadlessOptions, run_prompt  # noqa: PLC0415

    environment = dict(os.environ)
    settings, locations = _settings(options.common, environment)
    settings = _with_run_flags(settings, options)
    root = workspace_root(Path())
    connection = find_connection(settings, environment)
    is_trusted = options.common.is_trusted or _trust_store(locations, environment).is_trusted(root)
    prompt = _prompt_text(options)
    try:
        approver = HeadlessApprover(
            allowed_commands=options.allowed_commands, auto_approves=options.approves_all
        )
    except ValueError as error:
        raise ConfigError("--allow-command", "", str(error)) from error
    for note in _run_notes(connection, is_trusted=is_trusted):
        if not options.is_quiet:
            sys.stderr.write(f"caramelo: {note}\n")

    async def run() -> int:
        agent = build_agent(
            AgentOptions(
                core=CoreOptions(
                    root=root,
                    settings=settings,
                    locations=locations,
                    environment=environment,
                    approver=approver,
                ),
                connection=connection,
                is_trusted=is_trusted,
                keeps_session=options.keeps_session,
            )
        )
        agent.start()
        try:
            return await run_prompt(
                agent,
                prompt,
                HeadlessOptions(
                    prints_json=options.is_json,
                    is_quiet=options.is_quiet,
                    allows_refusals=options.allows_refusals,
                    timeout_s=options.timeout_s,
                ),
                sys.stdout,
                sys.stderr,
            )
        finally:
            await agent.close()

    return asyncio.run(run())


def _with_run_flags(settings: Settings, options: RunOptions) -> Settings:
    if options.approves_all:
        settings = replace(settings, mode=ApprovalMode.AUTO)
    if options.max_turns is None:
        return settings
    if not 3 <= options.max_turns <= 50:  # noqa: PLR2004 - said in the message
        raise ConfigError("--max-turns", "", f"must be 3 to 50, not {options.max_turns}")
    return replace(settings, turns=options.max_turns)


def _prompt_text(options: RunOptions) -> str:
    """Return the prompt, with standard input attached below it where there is one.

    Raises:
        ConfigError: If there is neither.
    """
    piped = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()
    if options.prompt is None:
        if not piped.strip():
            raise ConfigError("PROMPT", "", "is missing: give it as an argument or on stdin")
        return piped
    return f"{options.prompt}\n\n{piped}" if piped.strip() else options.prompt


def _run_notes(connection: Connection, *, is_trusted: bool) -> list[str]:
    notes = [connection.note] if connection.note else []
    if not is_trusted:
        notes.append("this folder is not trusted: working restricted (--trust trusts it once)")
    return notes


def _run_tools(options: ToolOptions) -> int:
    from caramelo_tui.agent.approvers import ByHandApprover  # noqa: PLC0415
    from caramelo_tui.composition import CoreOptions, build_core  # noqa: PLC0415
    from caramelo_tui.headless.tools_by_hand import (  # noqa: PLC0415
        ToolsByHand,
        run_one,
        serve_lines,
    )

    environment = dict(os.environ)
    settings, locations = _settings(options.common, environment)
    approver = ByHandApprover(
        approves_writes=options.approve is not ApproveFlag.NONE,
        approves_commands=options.approve is ApproveFlag.ALL,
    )
    core_options = CoreOptions(
        root=workspace_root(options.workspace),
        settings=settings,
        locations=locations,
        environment=environment,
        approver=approver,
    )

    async def run() -> int:
        core = build_core(core_options)
        tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        try:
            if options.name is None:
                return await serve_lines(tools, sys.stdin, sys.stdout)
            return await run_one(tools, options.name, options.arguments_json, sys.stdout)
        finally:
            await core.end_processes()

    return asyncio.run(run())


def _print_tools(options: ToolsOptions) -> int:
    from caramelo_tui.composition import offered_tools  # noqa: PLC0415
    from caramelo_tui.tools.search.regex_process import RegexProcesses  # noqa: PLC0415

    settings, _ = _settings(options.common, dict(os.environ))
    specs = [tool.spec for tool in offered_tools(settings, RegexProcesses())]
    if options.is_json:
        shapes = [
            {
                "name": spec.name,
                "description": spec.description,
                "input_schema": dict(spec.input_schema),
            }
            for spec in specs
        ]
        sys.stdout.write(json.dumps(shapes, indent=2) + "\n")
        return 0
    for spec in specs:
        sys.stdout.write(f"{spec.name:<12} {spec.description.splitlines()[0]}\n")
    return 0
