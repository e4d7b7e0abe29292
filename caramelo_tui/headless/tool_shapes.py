"""Give a tool's schema the form in which a vendor takes it.

Owns the forms of ``caramelo tools --shape``. The JSON Schema is the same object in each; the forms
of Anthropic and OpenAI are those that the providers send. Proven by
tests/unit/headless/test_tool_shapes.py.

Source, read 2026-11-30: code.visualstudio.com, "VS Code API: LanguageModelChatTool".
"""

from collections.abc import Callable, Mapping

from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.providers import anthropic_wire, openai_wire

ToolShape = Callable[[ToolSpec], dict[str, JsonValue]]


def neutral(spec: ToolSpec) -> dict[str, JsonValue]:
    """Return name, description and schema."""
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": dict(spec.input_schema),
    }


def copilot(spec: ToolSpec) -> dict[str, JsonValue]:
    """Return the form of an editor's language model tools."""
    return {
        "name": spec.name,
        "description": spec.description,
        "inputSchema": dict(spec.input_schema),
    }


SHAPES: Mapping[str, ToolShape] = {
    "neutral": neutral,
    "anthropic": anthropic_wire.wire_tool,
    "openai": openai_wire.wire_tool,
    "copilot": copilot,
}
"""By the word of ``--shape``."""
