"""Run tools by hand, and print which are offered.

Owns which profile a tool's name means where no flag says so. Proven by tests/unit/test_launch.py
and tests/e2e/test_command_line.py.
"""

import asyncio
import json
import shutil
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.agent.tool_offer import ToolOffer
from caramelo_tui.command_line import ApproveFlag, CommonOptions, ToolOptions, ToolsOptions
from caramelo_tui.composition import CoreOptions, build_core, offered_tools
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.profiles import PROFILES
from caramelo_tui.headless.line_channel import LineChannel
from caramelo_tui.headless.signals import ended_in_full, until_signal
from caramelo_tui.headless.tool_shapes import SHAPES
from caramelo_tui.headless.tools_by_hand import ToolsByHand, run_one, serve_lines
from caramelo_tui.launch.notes import say_notes
from caramelo_tui.launch.start import OpenedFolder, Start, begin, open_folder
from caramelo_tui.tools.profiles import known_names

LISTING_WIDTH = 100
"""Widest line of the plain tool listing, in cells."""
_LEAST_TEXT = 13
"""Cells of a description's line that are kept on the narrowest terminal."""


def run_tools(options: ToolOptions) -> int:
    """Run one call, or those that standard input holds, and return the exit code.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    start = begin(options.common)
    folder = _opened_for(options, start)
    say_notes(folder)
    approver = ByHandApprover(
        approves_writes=options.approve is not ApproveFlag.NONE,
        approves_commands=options.approve is ApproveFlag.ALL,
    )
    core_options = CoreOptions(
        root=folder.root,
        settings=folder.settings,
        locations=start.locations,
        environment=start.environment,
        approver=approver,
        is_trusted=folder.is_trusted,
        keeps_outputs=False,
    )
    return asyncio.run(_run_by_hand(core_options, options))


def print_tools(options: ToolsOptions) -> int:
    """Print the tools that a session in the current folder would offer; return 0.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    start = begin(options.common)
    folder = open_folder(start, options.common, Path())
    say_notes(folder)
    settings = folder.settings
    specs = ToolOffer(offered_tools(settings), mode=lambda: settings.mode).specs
    if options.shape is not None:
        shaped = [SHAPES[options.shape](spec) for spec in specs]
        sys.stdout.write(json.dumps(shaped, indent=2) + "\n")
        return 0
    names = max((len(spec.name) for spec in specs), default=0) + 1
    width = min(shutil.get_terminal_size().columns, LISTING_WIDTH)
    for spec in specs:
        lines = textwrap.wrap(
            spec.description.splitlines()[0],
            width=max(width, names + _LEAST_TEXT),
            initial_indent=spec.name.ljust(names),
            subsequent_indent=" " * names,
        )
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _opened_for(options: ToolOptions, start: Start) -> OpenedFolder:
    """Return the folder, with the settings of the profile that has the tool.

    Raises:
        ConfigError: If a flag chooses a profile without the tool, and the other one has it.
    """
    folder = open_folder(start, options.common, options.workspace)
    name, profile = options.name, folder.settings.profile
    if name is None or name in known_names(profile):
        return folder
    other = next((each for each in PROFILES if name in known_names(each)), None)
    if other is None:
        return folder
    if options.common.flags.get("--profile") is not None:
        raise ConfigError(
            "NAME", "", f"{name} belongs to profile {other}: leave out --profile {profile}"
        )
    return _in_profile(options, other)


def _in_profile(options: ToolOptions, profile: str) -> OpenedFolder:
    common = options.common
    chosen = CommonOptions(
        flags={**common.flags, "--profile": profile},
        config_file=common.config_file,
        reads_workspace_config=common.reads_workspace_config,
        is_trusted=common.is_trusted,
    )
    folder = open_folder(begin(chosen), chosen, options.workspace)
    # What the user adds to the other vocabulary is none of this one's business.
    added = tuple(name for name in folder.settings.enabled_tools if name in known_names(profile))
    settings = replace(folder.settings, enabled_tools=added)
    return replace(folder, loaded=replace(folder.loaded, settings=settings))


async def _run_by_hand(core_options: CoreOptions, options: ToolOptions) -> int:
    core = build_core(core_options)
    tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
    async with ended_in_full(core.end_processes):
        if options.name is None:
            channel = LineChannel(source=sys.stdin.fileno(), sink=sys.stdout.fileno())
            return await until_signal(serve_lines(tools, channel))
        return await until_signal(run_one(tools, options.name, options.arguments_json, sys.stdout))
