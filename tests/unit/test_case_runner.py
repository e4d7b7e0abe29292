"""The runner of the behaviour cases notices when an expectation does not hold."""

import copy
import json
from pathlib import Path

import pytest

from tests.case_runner.building import build_world
from tests.case_runner.checks import check
from tests.case_runner.play import play
from tests.case_runner.played import Look

CASES = Path(__file__).parent.parent / "cases"

BROKEN: list[tuple[str, str, object]] = [
    ("file_edit-001", "is_error", True),
    ("file_edit-001", "files", [{"path": "lib/sum.py", "text": "def total(xs):\n"}]),
    ("file_edit-001", "files", [{"path": "lib/sum.py", "absent": True}]),
    ("file_edit-002", "contains", ["never said"]),
    ("file_edit-002", "not_contains", ["did not match"]),
    ("file_edit-025", "files", [{"path": "mode/run.sh", "unchanged": True}]),
    ("file_read-001", "header", {"lines": "1-3 of 4"}),
    ("file_read-001", "body", "alpha\nbeta\n"),
    ("file_read-009", "truncated_flag", False),
    ("list_dir-001", "entries", [".env.sample", "sub/", "z.txt"]),
    ("grep-001", "rows", ["app/one.py:1:Token = 1"]),
    ("grep-027", "rows_ordered", ["a/z.txt:1:go", "A.txt:2:go", "a/z.txt:3:go"]),
    ("glob-001", "paths", []),
    ("bash-002", "exit_code", 0),
    ("bash-002", "stdout", "out"),
    ("bash-002", "stderr", ""),
    ("bash-008", "max_seconds", 0.01),
    ("bash-022", "approvals_asked", 0),
    ("schema-001", "executed", True),
    ("paths-001", "an_expectation_that_nobody_knows", True),
]
"""A case that holds, an expectation of it, and a value that is wrong."""


@pytest.mark.parametrize(("case_id", "key", "wrong"), BROKEN)
async def test_a_broken_expectation_is_noticed(
    tmp_path: Path, case_id: str, key: str, wrong: object
) -> None:
    area = case_id.rpartition("-")[0]
    cases = json.loads((CASES / f"{area}.json").read_text(encoding="utf-8"))["cases"]
    case = copy.deepcopy(next(found for found in cases if found["id"] == case_id))
    case["area"] = area
    world = build_world(case, tmp_path)
    played = await play(case, world)
    look = Look(world=world, played=played, result=played.results[-1])
    assert check(world.fill(case["expect"]), look) == []
    assert check(world.fill({key: wrong}), look) != []
