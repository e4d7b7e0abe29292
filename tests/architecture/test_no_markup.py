"""No text goes through a markup parser, wherever it is from: brackets are shown as they are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

UI = Path(__file__).parents[2] / "caramelo_tui" / "ui"
PARSERS = frozenset({"from_markup", "from_rich_markup", "to_content", "render_markup", "markup"})
"""Names of what makes markup of a text."""
TITLES = frozenset({"border_title", "border_subtitle", "tooltip"})
"""Attributes that parse a plain text."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(UI.rglob("*.py")):
        yield str(path.relative_to(UI)), ast.parse(path.read_text(encoding="utf-8"))


def calls_of(name: str) -> Iterator[tuple[str, ast.Call]]:
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called(node) == name:
                yield f"{path}:{node.lineno}", node


def called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def is_literal(call: ast.Call) -> bool:
    """Whether a call says ``markup=False``."""
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def is_content(value: ast.expr) -> bool:
    """Whether a value is made by ``Content``, which takes a text as it is."""
    if isinstance(value, ast.IfExp):
        return is_content(value.body) and is_content(value.orelse)
    if not isinstance(value, ast.Call):
        return False
    made = value.func.value if isinstance(value.func, ast.Attribute) else value.func
    return isinstance(made, ast.Name) and made.id == "Content"


def test_nothing_parses_markup() -> None:
    names = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in PARSERS
    ]
    imports = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in {"rich.markup", "textual.markup"}
    ]
    assert names + imports == []


def test_every_toast_is_literal() -> None:
    toasts = list(calls_of("notify"))
    assert len(toasts) > 30
    assert [place for place, call in toasts if not is_literal(call)] == []


def test_every_widget_of_the_librarys_that_parses_is_told_not_to() -> None:
    made = list(calls_of("Static"))
    assert len(made) > 15
    parsing = [
        place
        for place, call in made
        if not is_literal(call) and not (call.args and is_content(call.args[0]))
    ]
    assert parsing == []


def test_titles_are_made_of_content() -> None:
    given = [
        (f"{path}:{node.lineno}", node.value)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in TITLES
    ]
    assert len(given) > 5
    assert [place for place, value in given if not is_content(value)] == []


@pytest.mark.parametrize("widget", ["Label", "Button", "Link", "OptionList", "DataTable", "Tree"])
def test_no_other_widget_that_parses_is_used(widget: str) -> None:
    assert [place for place, _ in calls_of(widget)] == []
