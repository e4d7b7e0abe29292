"""Choose which tools are offered right now.

Owns that mode ``plan`` offers only what reads, and that the tools of a skill exist only while it
is active. Within one mode and one set of skills the offer never varies, since providers cache
it. Proven by tests/unit/agent/test_tool_offer.py.
"""

from collections.abc import Callable, Sequence

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.tool_calls import Effect, ToolSpec
from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.registry import ToolRegistry

ENDS_A_RUN = "task_done"
"""Offered in every mode: without it a run of profile ``core`` could not end."""


def no_tools() -> tuple[Tool, ...]:
    """Return the tools of no skill."""
    return ()


class ToolOffer:
    """The tools of one agent; looks like the registry of those that are offered."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        mode: Callable[[], ApprovalMode],
        skill_tools: Callable[[], tuple[Tool, ...]] = no_tools,
    ) -> None:
        """Offer tools, in this order.

        Args:
            tools: The profile's, without those that the settings take off.
            mode: The approval mode in force.
            skill_tools: The tools of the active skills, offered behind the others.

        Raises:
            ValueError: If two tools have the same name.
        """
        self._tools = tuple(tools)
        self._mode = mode
        self._skill_tools = skill_tools
        self._made_for: tuple[bool, tuple[Tool, ...]] = (False, ())
        self._registry = ToolRegistry(self._tools)

    @property
    def registry(self) -> ToolRegistry:
        """The offer as it is now."""
        wanted = (self._mode() is ApprovalMode.PLAN, self._skill_tools())
        if wanted != self._made_for:
            is_plan, from_skills = wanted
            tools = (*self._tools, *from_skills)
            self._registry = ToolRegistry(tool for tool in tools if not is_plan or _reads(tool))
            self._made_for = wanted
        return self._registry

    def get(self, name: str) -> Tool | None:
        """Return the tool of exactly that name, ``None`` when it is not offered."""
        return self.registry.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the offered tools, in order."""
        return self.registry.names

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """Specs of the offered tools, in order."""
        return self.registry.specs

    def unknown_tool_text(self, name: str) -> str:
        """Return the error result for a name that is not offered."""
        text = self.registry.unknown_tool_text(name)
        is_left_out = self._mode() is ApprovalMode.PLAN and any(
            tool.spec.name == name for tool in self._tools
        )
        return (
            f"{name} is not offered in mode plan, which only reads. {text}" if is_left_out else text
        )


def _reads(tool: Tool) -> bool:
    return tool.effect is Effect.READ or tool.spec.name == ENDS_A_RUN
