"""SECURITY.md names for each known kind of attack what holds it."""

import re
from pathlib import Path

import pytest

from tests.docs.test_reference import functions_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (A\d+) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
NUMBERS = [f"A{number}" for number in range(1, 29)]
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_each_attack_stands_there_once_in_order() -> None:
    assert [number for number, *_ in ROWS] == NUMBERS


@pytest.mark.parametrize(("number", "attack", "held_by"), ROWS)
def test_what_holds_it_is_there(number: str, attack: str, held_by: str) -> None:
    assert attack.endswith("."), number
    for part in held_by.split(", "):
        found = _TEST.fullmatch(part)
        if found is None:
            assert re.search(rf"^\| {re.escape(part)} \|", PAGE, re.MULTILINE), part
        else:
            assert found[2] in functions_of(found[1]), part
