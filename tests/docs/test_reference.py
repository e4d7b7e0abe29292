"""docs/reference.md names every field of every schema as it is, and tests that are there."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from caramelo_tui.composition.tool_choice import offered_tools
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.profiles import PROFILES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)(?:\[([\w-]+)\])?`")
_HEADS = {
    ("field", "the reference", "here", "shown by"),
    ("the reference", "here", "shown by"),
}


def schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the schema of each tool of both profiles."""
    specs = [tool.spec for name in PROFILES for tool in offered_tools(Settings(profile=name))]
    return {spec.name: cast("Mapping[str, Any]", spec.input_schema) for spec in specs}


def described(field: Mapping[str, Any], *, is_required: bool) -> str:
    """Return a schema's field in the words of the page."""
    words = [_kind(field)]
    if field.get("minLength"):
        words.append("not empty")
    if "default" in field:
        words.append(f"default `{json.dumps(field['default'])}`")
    if is_required:
        words.append("required")
    return ", ".join(words)


def _kind(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return f"one of {', '.join(f'`{value}`' for value in field['enum'])}"
    if field["type"] == "array":
        return f"list of {field['items']['type']}s"
    if field["type"] == "object":
        return f"object of {field['additionalProperties']['type']}s"
    low, high = field.get("minimum"), field.get("maximum")
    if high is not None:
        return f"{field['type']} {low:,} to {high:,}"
    return str(field["type"]) if low is None else f"{field['type']} from {low:,}"


@cache
def sections() -> Mapping[str, str]:
    return dict(_SECTION.findall(PAGE))


def rows_of(text: str) -> Sequence[Sequence[str]]:
    """Return the cells of all rows of all tables, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in lines]
    return [row for row in cells if row not in _HEADS and set(row[0]) != {"-"}]


def test_every_tool_of_both_profiles_has_a_section() -> None:
    assert list(sections()) == list(schemas())


@pytest.mark.parametrize("name", schemas())
def test_each_field_has_a_row_that_is_its_schema(name: str) -> None:
    schema = schemas()[name]
    required = schema.get("required", [])
    fields = {row[0].strip("`"): row for row in rows_of(sections()[name]) if len(row) == 4}
    assert list(fields) == list(schema["properties"])
    for field, row in fields.items():
        expected = described(schema["properties"][field], is_required=field in required)
        assert row[2].partition("; ")[0] == expected
    assert schema["additionalProperties"] is False


def test_each_row_names_a_test() -> None:
    rows = rows_of(PAGE)
    assert len(rows) > 150
    assert [row for row in rows if len(row) not in {3, 4} or not _TEST.search(row[-1])] == []


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


@cache
def case_ids() -> frozenset[str]:
    files = (ROOT / "tests" / "cases").glob("*.json")
    loaded = [json.loads(file.read_text(encoding="utf-8"))["cases"] for file in files]
    return frozenset(case["id"] for cases in loaded for case in cases)


def test_every_named_test_is_there() -> None:
    named = set(_TEST.findall(PAGE))
    assert len(named) > 150
    missing = [
        (path, name, case)
        for path, name, case in sorted(named)
        if not (ROOT / path).exists()
        or name not in functions_of(path)
        or (case and case not in case_ids())
    ]
    assert missing == []
