"""Find a tool by the name that the model used.

Owns the offered tools of one session, in a stable order. Knows no policy. Proven by
tests/unit/tools/test_registry.py.
"""

from collections.abc import Iterable

from caramelo_tui.domain.tool_calls import ToolSpec
from caramelo_tui.tools.base import Tool


class ToolRegistry:
    """The tools that are offered to the model."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Take the tools in the order in which they are offered.

        Raises:
            ValueError: If two tools have the same name.
        """
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            name = tool.spec.name
            if name in self._tools:
                msg = f"two tools are called {name!r}"
                raise ValueError(msg)
            self._tools[name] = tool

    def get(self, name: str) -> Tool | None:
        """Return the tool of exactly that name, ``None`` when it is not offered."""
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the offered tools, in order."""
        return tuple(self._tools)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """Specs of the offered tools, in the same order in every request (prompt caching)."""
        return tuple(tool.spec for tool in self._tools.values())

    def unknown_tool_text(self, name: str) -> str:
        """Return the error result for a name that is not offered."""
        return f"There is no tool {name!r}. The offered tools are: {', '.join(self._tools)}."
