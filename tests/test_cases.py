"""Every behaviour case holds, or is skipped with its reason.

``CARAMELO_CASES`` names a folder with further cases of the same form. Cases whose dialogs are
looked at on the screen are played by tests/pilot/test_approval_whole_cases.py.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.case_runner.building import build_world
from tests.case_runner.checks import check
from tests.case_runner.ordinary_user import can_be_ordinary, ordinary_user, reachable_folder
from tests.case_runner.play import play
from tests.case_runner.played import look_at
from tests.case_runner.world import Case, Spec, World
from tests.pilot import test_approval_whole_cases

OWN_CASES = Path(__file__).parent / "cases"
ON_SCREEN = "approval"
"""The area that is played by keys on the whole app."""


def all_cases() -> Iterator[Case]:
    """Yield the cases of this repository and of ``CARAMELO_CASES``."""
    folders = [OWN_CASES]
    if os.environ.get("CARAMELO_CASES"):
        folders.append(Path(os.environ["CARAMELO_CASES"]))
    for folder in folders:
        for file in sorted(folder.glob("*.json")):
            loaded = json.loads(file.read_text(encoding="utf-8"))
            for case in loaded["cases"]:
                if folder != OWN_CASES or loaded["area"] != ON_SCREEN:
                    yield {"area": loaded["area"], **case}


def _is_case_sensitive(folder: Path) -> bool:
    (folder / "Probe").touch()
    is_so = not (folder / "probe").exists()
    (folder / "Probe").unlink()
    return is_so


def reason_to_skip(case: Case, folder: Path) -> str | None:
    """Return what of a case's needs this machine lacks, ``None`` when it has all."""
    lacks = {
        "linux": sys.platform != "linux",
        "not_root": not can_be_ordinary(),
        "git": shutil.which("git") is None,
        "case_sensitive_fs": not _is_case_sensitive(folder),
    }
    lacking = [need for need in case.get("needs", []) if lacks.get(need)]
    return f"this machine lacks: {', '.join(lacking)}" if lacking else None


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in all_cases()])
async def test_case(case: Case, tmp_path: Path) -> None:
    reason = reason_to_skip(case, tmp_path)
    if reason:
        pytest.skip(reason)
    if case["area"] == ON_SCREEN:
        known = test_approval_whole_cases._LOOKS | test_approval_whole_cases._DEEDS
        assert set(case["expect"]) <= known
        await test_approval_whole_cases.test_case(case, tmp_path)
        return
    problems = await _problems(case, tmp_path)
    assert not problems, "\n".join([case["title"], *problems])


async def _problems(case: Case, base: Path) -> list[str]:
    if "not_root" in case.get("needs", []):
        return await _problems_of_ordinary_user(case, base)
    world = build_world(case, base)
    return check(_promised(case, world), look_at(world, await play(case, world)))


async def _problems_of_ordinary_user(case: Case, base: Path) -> list[str]:
    # What is imported while the case is played may be out of reach for others than root.
    await _problems({**case, "needs": []}, base)
    with reachable_folder(base / "again") as folder:
        folder.mkdir(exist_ok=True)
        world = build_world(case, folder)
        with ordinary_user(folder):
            played = await play(case, world)
        return check(_promised(case, world), look_at(world, played))


def _promised(case: Case, world: World) -> Spec:
    filled: Spec = world.fill(case["expect"])
    return filled
