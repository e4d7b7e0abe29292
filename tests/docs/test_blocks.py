"""Configuration, JSON, Python and tables of arguments in the pages are what the program takes."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from caramelo_tui.composition.tool_choice import offered_tools
from caramelo_tui.config.loader import SettingsSources, load_settings
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.user_keys import read_key_wishes
from caramelo_tui.config.user_models import read_user_models
from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.domain.profiles import PROFILES
from caramelo_tui.domain.strict_json import load_json
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.scenario_files import parse_scenario
from caramelo_tui.tools.delegation.spawn_subagent import (
    ChangedLines,
    DelegationReport,
    report_text,
)
from caramelo_tui.ui.key_file import key_map_of
from caramelo_tui.ui.key_sections import known_actions
from caramelo_tui.ui.themes import ThemeFailure, load_theme
from tests.docs.examples import DOCS

ROOT = DOCS.parent
PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_ARGUMENT = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ?([^|]*)\|$", re.MULTILINE)
_WORDS_FOR = {"string": "text", "boolean": "true or false", "integer": "integer", "array": "list"}


def blocks(kind: str) -> list[Any]:
    """Return all blocks of a kind, each with the page's name and its place on it."""
    return [
        pytest.param(path.name, text, id=f"{path.name}-{number}")
        for path in PAGES
        for number, (found, text) in enumerate(_BLOCK.findall(path.read_text(encoding="utf-8")))
        if found == kind
    ]


@pytest.mark.parametrize(("page", "text"), blocks("toml"))
def test_a_toml_block_is_taken(page: str, text: str, tmp_path: Path) -> None:
    if page == "providers.md" and "[[turns]]" in text:
        assert parse_scenario(text, source=page).turns
        return
    file = tmp_path / "my-theme.toml"
    file.write_text(text, encoding="utf-8")
    if page == "models.md" and "[models." in text:
        found = read_user_models(file)
        assert found.models
        assert found.problems == ()
        return
    if page == "themes.md":
        assert not isinstance(load_theme(file), ThemeFailure)
        return
    if page == "keys.md":
        assert key_map_of(read_key_wishes(file), known_actions()).problems == ()
        return
    sources = SettingsSources(user_file=file, is_file_required=True, environment={}, flags={})
    loaded = load_settings(sources)
    assert loaded.settings != Settings()
    assert loaded.notes == ()


@pytest.mark.parametrize(("page", "text"), blocks("json"))
def test_a_json_block_is_strict_json(page: str, text: str) -> None:
    loaded, repeated = load_json(text)
    assert isinstance(loaded, dict), page
    assert not repeated


@pytest.mark.parametrize(("page", "text"), blocks("python"))
def test_a_python_block_can_be_compiled(page: str, text: str) -> None:
    assert ast.parse(text, filename=page).body


def schemas() -> Mapping[str, Mapping[str, Any]]:
    settings = [Settings(profile=name) for name in PROFILES]
    offered = [tool.spec for each in settings for tool in offered_tools(each)]
    return {spec.name: cast("Mapping[str, Any]", spec.input_schema) for spec in offered}


def sections() -> Mapping[str, str]:
    """Return the section of each tool, from whatever page it is on."""
    known = schemas()
    return {
        name: text
        for path in sorted(DOCS.glob("*.md"))
        for name, text in _SECTION.findall(path.read_text(encoding="utf-8"))
        if name in known
    }


def test_every_tool_has_a_section() -> None:
    # web_fetch has a page of its own.
    assert {*sections(), "web_fetch"} == set(schemas())


@pytest.mark.parametrize("name", sorted(sections()))
def test_a_table_of_arguments_is_the_schema(name: str) -> None:
    schema = schemas()[name]
    rows = {row[0]: (row[1], row[2]) for row in _ARGUMENT.findall(sections()[name])}
    assert list(rows) == list(schema["properties"])
    for argument, (kind, said) in rows.items():
        field = schema["properties"][argument]
        assert kind.endswith(", required") == (argument in schema.get("required", []))
        if "enum" in field:
            assert re.findall(r"`(\w+)`", kind) == field["enum"]
        else:
            assert kind.startswith(_WORDS_FOR[field["type"]])
        for bound in ("minimum", "maximum"):
            # Where the schema leaves the upper bound open, the words may tell of another limit.
            assert bound not in field or f"{field[bound]:,}" in f"{kind} {said}"
        if field.get("default"):
            assert default_words(field["default"]) in said.replace("`", ""), argument


def default_words(value: object) -> str:
    if value == ".":
        return "default: the root"
    if isinstance(value, bool):
        return f"default {json.dumps(value)}"
    return f"default {value:,}" if isinstance(value, int) else f"default {value}"


def test_the_report_of_a_sub_agent_is_the_one_shown() -> None:
    page = (DOCS / "sub-agents.md").read_text(encoding="utf-8")
    (shown,) = [text for kind, text in _BLOCK.findall(page) if kind == "report"]
    report = DelegationReport(
        summary="CHANGES.md names the new function.",
        ending=Ending.COMPLETED,
        problem="",
        files=(ChangedLines(path="CHANGES.md", added=1, removed=0),),
        ran_commands=False,
        usage=Usage(input_tokens=2310, output_tokens=95),
        turns=2,
        model="gpt-6",
        model_note="the role coder is not configured: the parent's model",
        refused_calls=0,
        is_error=False,
        stops_run=False,
    )
    assert f"{report_text(report)}\n" == shown
