"""Give the tests of this folder a workspace with tools."""

from tests.doubles.tool_worlds import tool_world

__all__ = ["tool_world"]
