"""Give the tests of this folder a workspace with the tools of either profile."""

from tests.doubles.core_tool_worlds import core_world
from tests.doubles.tool_worlds import tool_world

__all__ = ["core_world", "tool_world"]
