"""Every measurement is type-checked with the rest and run by ``make bench``."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.figures import FIGURES, HOW
from benchmarks.run import GROUPS

ROOT = Path(__file__).parents[2]


def test_make_bench_runs_every_measurement() -> None:
    run = re.findall(r"-m benchmarks\.(\w+)", (ROOT / "Makefile").read_text("utf-8"))
    # Without a rows-and-table of its own a module serves the others.
    measuring = {
        path.stem
        for path in (ROOT / "benchmarks").glob("*.py")
        if "if __name__" in path.read_text("utf-8") and not path.stem.endswith("_app")
    }
    assert sorted(run) == sorted(measuring)


def test_every_figure_has_a_name_of_its_own_and_a_measurement() -> None:
    keys = [figure.key for figure in FIGURES]
    assert sorted(set(keys)) == sorted(keys)
    assert {figure.group for figure in FIGURES} == set(GROUPS)
    assert list(HOW) == list(GROUPS)


def test_every_floor_is_a_figure_of_the_same_measurement() -> None:
    taken = {(figure.group, figure.samples) for figure in FIGURES}
    floors = [(one.group, one.floor.samples) for one in FIGURES if one.floor is not None]
    assert floors
    assert taken.issuperset(floors)


def test_the_measurements_are_type_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    # A changed port would otherwise break them unseen: no test runs them.
    assert "benchmarks" in settings["tool"]["mypy"]["files"]


@pytest.mark.parametrize(
    "app", sorted(path.stem for path in (ROOT / "benchmarks").glob("*_app.py"))
)
def test_what_is_measured_loads_nothing_that_drives_tests(app: str) -> None:
    # What it would weigh, and cost the collector, would be told as the program's own.
    code = (
        f"import sys, benchmarks.{app}; "
        "print([name for name in ('pytest', 'textual.pilot', 'hypothesis') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
