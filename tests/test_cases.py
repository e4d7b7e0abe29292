"""Every behaviour case holds, or is skipped with its reason.

``CARAMELO_CASES`` names a folder with further cases of the same form.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.case_runner.checks import Look, check
from tests.case_runner.play import play
from tests.case_runner.world import Case, build_world

OWN_CASES = Path(__file__).parent / "cases"
AREAS = frozenset(
    {
        "file_read",
        "list_dir",
        "grep",
        "glob",
        "file_edit",
        "file_write",
        "bash",
        "paths",
        "schema",
    }
)
"""Areas that this version promises in full."""
SEVEN_TOOLS = frozenset(
    {"file_read", "list_dir", "grep", "glob", "file_edit", "file_write", "bash"}
)
UNKNOWN_TOOL = "file_reed"
"""The name that a case uses to call a tool that does not exist."""


def all_cases() -> Iterator[Case]:
    """Yield the cases of this repository and of ``CARAMELO_CASES``."""
    folders = [OWN_CASES]
    if os.environ.get("CARAMELO_CASES"):
        folders.append(Path(os.environ["CARAMELO_CASES"]))
    for folder in folders:
        for file in sorted(folder.glob("*.json")):
            loaded = json.loads(file.read_text(encoding="utf-8"))
            for case in loaded["cases"]:
                yield {"area": loaded["area"], **case}


def tools_of(case: Case) -> set[str]:
    """Return the tools that a case calls."""
    calls = [case, *case.get("calls", []), *(case.get("setup") or {}).get("prior_calls", [])]
    return {call["tool"] for call in calls if "tool" in call} - {"sequence", UNKNOWN_TOOL}


def reason_to_skip(case: Case) -> str | None:
    """Return why a case cannot be played by this version, ``None`` when it can."""
    others = sorted(tools_of(case) - SEVEN_TOOLS)
    if others:
        return f"this version has no {', '.join(others)}"
    if case["area"] == "cache":
        return None
    if case["area"] not in AREAS:
        return f"area {case['area']} is not promised by this version"
    if "ui" in case.get("needs", []):
        return "needs the screen"
    return None


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in all_cases()])
async def test_case(case: Case, tmp_path: Path) -> None:
    reason = reason_to_skip(case)
    if reason:
        pytest.skip(reason)
    world = build_world(case, tmp_path)
    played = await play(case, world)
    result = played.results[-1] if len(played.results) == 1 else None
    problems = check(world.fill(case["expect"]), Look(world=world, played=played, result=result))
    assert not problems, "\n".join([case["title"], *problems])
