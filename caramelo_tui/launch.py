"""Start the program in the way that the command line asks for.

Owns the four ways: the app, one prompt without a screen, tools by hand, the list of tools.
Decides what is asked before a session begins (trust, provider) and builds nothing itself.
Proven by tests/unit/test_launch.py and tests/e2e/.
"""

import asyncio
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

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
from caramelo_tui.config.loader import SettingsSources, load_settings
from caramelo_tui.config.locations import Locations, home_or_root
from caramelo_tui.config.log_file import start_logging
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError

if TYPE_CHECKING:
    from caramelo_tui.composition import AgentOptions, CoreOptions

LISTING_WIDTH = 100
"""Widest line of the plain tool listing, in cells."""
_NAME_WIDTH = 13
"""Cells for the names of that listing: the longest and a blank."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """What every way of starting needs first."""

    environment: Mapping[str, str]
    """The user's variables."""
    settings: Settings
    locations: Locations
    trust: TrustStore


def workspace_root(path: Path) -> Path:
    """Return the resolved folder that is opened.

    Raises:
        ConfigError: If it does not exist or is no folder.
    """
    try:
        root = path.expanduser().resolve(strict=True)
        is_folder = root.is_dir()
    except FileNotFoundError as error:
        raise ConfigError(str(path), "", "there is no such folder") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(str(path), "", f"cannot be opened ({error})") from error
    if not is_folder:
        raise ConfigError(str(path), "", "is no folder; name the folder to work in")
    if not os.access(root, os.R_OK | os.X_OK):
        raise ConfigError(str(path), "", "cannot be read (permission denied)")
    return root


def _start(common: CommonOptions) -> _Start:
    environment = dict(os.environ)
    locations = Locations.from_environment(environment)
    sources = SettingsSources(
        user_file=common.config_file or locations.config_file,
        is_file_required=common.config_file is not None,
        environment=environment,
        flags=common.flags,
    )
    settings = load_settings(sources).settings
    settings = replace(settings, is_debug=settings.is_debug or common.is_debug)
    start_logging(locations.logs, is_debug=settings.is_debug)
    return _Start(
        environment=environment,
        settings=settings,
        locations=locations,
        trust=TrustStore(locations.trust_file, home=home_or_root(environment)),
    )


def _keep_apart(root: Path, start: _Start) -> None:
    """Refuse a workspace that holds the program's own folders because a variable says so.

    Its files would then say what is trusted. Where the folders lie by default is let be: who
    opens the home folder or a part of it sees them there anyway.

    Raises:
        ConfigError: Naming the folder.
    """
    home = home_or_root(start.environment).resolve()
    if home.is_relative_to(root):
        return
    default = Locations.from_environment({"HOME": str(home)})
    for own, usual in (
        (start.locations.config, default.config),
        (start.locations.state, default.state),
    ):
        if own.resolve().is_relative_to(root) and own.resolve() != usual.resolve():
            raise ConfigError(
                str(own),
                "",
                f"holds Caramelo's own files and lies in the workspace {root}; let CARAMELO_HOME "
                "(or XDG_CONFIG_HOME and XDG_STATE_HOME) name a folder outside of it",
            )


def _open_app(options: AppOptions) -> int:
    from caramelo_tui.app_start import (  # noqa: PLC0415 - the app's way alone needs it
        DEMO_CONNECTION,
        AppStart,
        StartFacts,
    )
    from caramelo_tui.ui.start import run_app  # noqa: PLC0415 - paid for by whoever needs it only

    start = _start(options.common)
    connection: Connection | None = DEMO_CONNECTION
    root: Path | None = None
    if not options.is_demo:
        root = workspace_root(options.path)
        _keep_apart(root, start)
        try:
            connection = find_connection(start.settings, start.environment)
        except NoProviderError:
            connection = None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "terminal", "", "the app needs one; without a terminal use `caramelo run`"
        )
    facts = StartFacts(
        root=root,
        settings=start.settings,
        locations=start.locations,
        environment=start.environment,
        connection=connection,
        trust=start.trust,
        is_trusted_by_flag=options.common.is_trusted,
        first_prompt=options.prompt or "",
    )
    return run_app(AppStart(facts).plan())


def _run_prompt(options: RunOptions) -> int:
    from caramelo_tui.agent.approvers import HeadlessApprover  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.composition import AgentOptions, CoreOptions  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.config.start_notes import StartSituation, start_notes  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.printers import ProgressPrinter  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.prompt_input import read_prompt  # noqa: PLC0415 - paid for by whoever needs it only

    start, root = _start(options.common), workspace_root(Path())
    _keep_apart(root, start)
    connection = find_connection(start.settings, start.environment)
    is_trusted = start.trust.is_trusted_at_start(root, by_flag=options.common.is_trusted)
    try:
        approver = HeadlessApprover(
            allowed_commands=options.allowed_commands, auto_approves=options.approves_all
        )
    except ValueError as error:
        raise ConfigError("--allow-command", "", str(error)) from error
    situation = StartSituation(
        root=root,
        connection=connection,
        is_trusted=is_trusted,
        can_be_trusted=start.trust.can_be_trusted(root),
    )
    say = _silence if options.is_quiet else ProgressPrinter(sys.stderr, is_quiet=False).say
    for note in start_notes(situation):
        say(note)
    if connection.endpoint_note:
        say(f"endpoint from the environment: {connection.endpoint_note}")
    agent_options = AgentOptions(
        core=CoreOptions(
            root=root,
            settings=_with_run_flags(start.settings, options),
            locations=start.locations,
            environment=start.environment,
            approver=approver,
            is_trusted=is_trusted,
        ),
        connection=connection,
        keeps_session=options.keeps_session,
        is_watched=False,
    )
    prompt = read_prompt(options.prompt, sys.stdin.fileno(), say=say)
    return asyncio.run(_run_agent(agent_options, prompt, options))


async def _run_agent(agent_options: "AgentOptions", prompt: str, options: RunOptions) -> int:
    from caramelo_tui.composition import build_agent  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.runner import HeadlessOptions, run_prompt  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.signals import ended_in_full  # noqa: PLC0415 - paid for by whoever needs it only

    headless = HeadlessOptions(
        prints_json=options.is_json,
        is_quiet=options.is_quiet,
        allows_refusals=options.allows_refusals,
        timeout_s=options.timeout_s,
    )
    agent = build_agent(agent_options)
    agent.start()
    async with ended_in_full(agent.close):
        return await run_prompt(agent, prompt, headless, sys.stdout, sys.stderr)


def _with_run_flags(settings: Settings, options: RunOptions) -> Settings:
    if options.approves_all:
        settings = replace(settings, mode=ApprovalMode.AUTO)
    if options.max_turns is not None:
        settings = replace(settings, turns=options.max_turns)
    return settings


def _silence(text: str) -> None:
    del text


def _run_tools(options: ToolOptions) -> int:
    from caramelo_tui.agent.approvers import ByHandApprover  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.composition import CoreOptions  # noqa: PLC0415 - paid for by whoever needs it only

    start, root = _start(options.common), workspace_root(options.workspace)
    _keep_apart(root, start)
    approver = ByHandApprover(
        approves_writes=options.approve is not ApproveFlag.NONE,
        approves_commands=options.approve is ApproveFlag.ALL,
    )
    core_options = CoreOptions(
        root=root,
        settings=start.settings,
        locations=start.locations,
        environment=start.environment,
        approver=approver,
        is_trusted=start.trust.is_trusted_at_start(root, by_flag=options.common.is_trusted),
        keeps_outputs=False,
    )
    return asyncio.run(_run_by_hand(core_options, options))


async def _run_by_hand(core_options: "CoreOptions", options: ToolOptions) -> int:
    from caramelo_tui.composition import build_core  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.line_channel import LineChannel  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.signals import ended_in_full, until_signal  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.headless.tools_by_hand import (  # noqa: PLC0415 - paid for by whoever needs it only
        ToolsByHand,
        run_one,
        serve_lines,
    )

    core = build_core(core_options)
    tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
    async with ended_in_full(core.end_processes):
        if options.name is None:
            channel = LineChannel(source=sys.stdin.fileno(), sink=sys.stdout.fileno())
            return await until_signal(serve_lines(tools, channel))
        return await until_signal(run_one(tools, options.name, options.arguments_json, sys.stdout))


def _print_tools(options: ToolsOptions) -> int:
    from caramelo_tui.composition import offered_tools  # noqa: PLC0415 - paid for by whoever needs it only

    specs = [tool.spec for tool in offered_tools(_start(options.common).settings)]
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
    width = min(shutil.get_terminal_size().columns, LISTING_WIDTH)
    for spec in specs:
        lines = textwrap.wrap(
            spec.description.splitlines()[0],
            width=max(width, 2 * _NAME_WIDTH),
            initial_indent=spec.name.ljust(_NAME_WIDTH),
            subsequent_indent=" " * _NAME_WIDTH,
        )
        sys.stdout.write("\n".join(lines) + "\n")
    return 0
