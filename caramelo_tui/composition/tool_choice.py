"""Choose the tools that a session offers.

Owns what ``tools.enable`` and ``tools.disable`` do to a profile's list. Proven by
tests/unit/composition/test_tool_choice.py.
"""

from pathlib import Path

from caramelo_tui.agent.subagents import NoSubagents
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.profiles import ToolParts, all_tools, known_names, profile_names
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.tools.shell.run_command import RunCommandLimits
from caramelo_tui.tools.web.client import WebClient


def run_command_limits(settings: Settings) -> RunCommandLimits:
    """Return what the configuration says about ``run_command``."""
    return RunCommandLimits(
        max_timeout_s=settings.run_command_max_timeout_s,
        model_output_kb=settings.run_command_output_kb,
    )


def offered_tools(settings: Settings, parts: ToolParts | None = None) -> tuple[Tool, ...]:
    """Return the tools of the profile, with what the settings add and without what they take off.

    Args:
        settings: What the user set.
        parts: What the tools are made of; ``None``: to be looked at only, not to be called.

    Raises:
        ConfigError: If a tool to add belongs to the other vocabulary.
    """
    parts = parts or ToolParts(
        regexes=RegexProcesses(),
        ripgrep=Ripgrep(None),
        git=GitProgram(Path(), is_trusted=False, environment={}),
        web=WebClient(settings.web),
        delegate=NoSubagents(),
        run_command=run_command_limits(settings),
    )
    offered = profile_names(settings.profile)
    for name in settings.enabled_tools:
        if name not in known_names(settings.profile):
            raise ConfigError(
                "tools.enable",
                "",
                f"{name!r} belongs to the other profile; one session never offers both "
                f"vocabularies. Profile {settings.profile} knows: "
                f"{', '.join(known_names(settings.profile))}",
            )
    wanted = {*offered, *settings.enabled_tools} - set(settings.disabled_tools)
    return tuple(tool for tool in all_tools(settings.profile, parts) if tool.spec.name in wanted)
