"""Capabilities decide, never a vendor's name: the rooms above the providers compare none."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import caramelo_tui
from caramelo_tui.providers.presets import PRESETS

PACKAGE = Path(caramelo_tui.__file__).parent
ROOMS = ("domain", "workspace", "policy", "tools", "cache", "sessions", "agent", "ui", "headless")
"""Rooms that know providers by their protocol only. Configuration, composition and the start choose
one by its name: that is what the name is for."""
CLASSES = ("AnthropicProvider", "OpenAICompatibleProvider", "ResponsesProvider", "CopilotProvider")
LOGIN_WORDS = {"local", "demo", "custom"}
"""Presets whose names are plain words too."""


def comparisons(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each comparison with a provider."""
    vendors = set(PRESETS) - LOGIN_WORDS
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            parts = node.args[1:]
        inner = (each for part in parts for each in ast.walk(part))
        for each in (expression for expression in inner if isinstance(expression, ast.expr)):
            text = ast.unparse(each)
            is_name = isinstance(each, ast.Constant) and each.value in vendors
            if is_name or text.startswith("ProviderName.") or text in CLASSES:
                yield each.lineno, text


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_branches_on_the_name_of_a_provider(room: str) -> None:
    found = [
        f"{file.relative_to(PACKAGE)}:{line}: {text}"
        for file in sorted((PACKAGE / room).rglob("*.py"))
        for line, text in comparisons(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'x = provider.name == "anthropic"',
        "x = name in {ProviderName.OPENAI}",
        "x = isinstance(p, CopilotProvider)",
        'match name:\n    case "groq":\n        pass',
    ],
)
def test_a_branch_would_be_found(code: str) -> None:
    assert list(comparisons(ast.parse(code)))
