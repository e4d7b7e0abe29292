"""Every measurement is type-checked with the rest and run by ``make bench``."""

import re
import tomllib
from pathlib import Path

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


def test_the_measurements_are_type_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    # A changed port would otherwise break them unseen: no test runs them.
    assert "benchmarks" in settings["tool"]["mypy"]["files"]
