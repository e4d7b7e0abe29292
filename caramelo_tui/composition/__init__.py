"""Build and wire every object; the only such place.

``core`` wires what takes a call from request to result, ``models`` the providers, ``agents`` what
a session's agents share and its sub-agents, ``main_agent`` the whole.
"""

from caramelo_tui.composition.agents import AgentOptions
from caramelo_tui.composition.core import Core, CoreOptions, build_core
from caramelo_tui.composition.main_agent import build_agent
from caramelo_tui.composition.providers import DEMO_MODEL, build_provider
from caramelo_tui.composition.tool_choice import offered_tools

__all__ = (
    "DEMO_MODEL",
    "AgentOptions",
    "Core",
    "CoreOptions",
    "build_agent",
    "build_core",
    "build_provider",
    "offered_tools",
)
