"""SECURITY.md names each of the thirty requirements once, with modules and tests that are there."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_reference import case_ids, functions_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (R\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
_TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)(?:\[([\w-]+)\])?")
NUMBERS = [f"R{number}" for number in range(1, 31)]


@cache
def rows() -> Sequence[tuple[str, str, str, str]]:
    return _ROW.findall(PAGE)


def quoted(cell: str) -> list[str]:
    """Return what stands in backticks; nothing else stands in the cell."""
    parts = cell.split(", ")
    assert all(part.startswith("`") and part.endswith("`") for part in parts), cell
    return [part.strip("`") for part in parts]


def test_each_requirement_stands_there_once_in_order() -> None:
    assert [number for number, *_ in rows()] == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_each_named_module_and_test_is_there(number: str) -> None:
    ((_, promise, modules, tests),) = [row for row in rows() if row[0] == number]
    assert promise.endswith(".")
    missing = [name for name in quoted(modules) if not (ROOT / "caramelo_tui" / name).is_file()]
    for text in quoted(tests):
        found = _TEST.fullmatch(text)
        is_there = (
            found is not None
            and (ROOT / found[1]).is_file()
            and found[2] in functions_of(found[1])
            and (not found[3] or found[3] in case_ids())
        )
        missing += [] if is_there else [text]
    assert missing == []


def test_no_test_is_named_twice_in_a_row() -> None:
    for number, _, modules, tests in rows():
        for cell in (modules, tests):
            assert len(quoted(cell)) == len(set(quoted(cell))), number


def test_it_is_shipped_and_linked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "SECURITY.md" in settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert "](SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_names_no_address_to_write_to() -> None:
    assert "@" not in PAGE.replace("`@click`", "")
