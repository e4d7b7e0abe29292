"""What is installed is whole: code, prompts, styles, themes and the demo's sample."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent.parent

LOOK = """
import json, sys
import caramelo_tui
from caramelo_tui.demo.sample_workspace import copy_sample, scenario_text
from caramelo_tui.ui.themes import load_themes
sample = copy_sample()
loaded = load_themes()
print(json.dumps({
    "package": caramelo_tui.__file__,
    "sample": sorted(str(path.relative_to(sample)) for path in sample.rglob("*")),
    "has_script": bool(scenario_text()),
    "themes": sorted(theme.name for theme in loaded.themes),
    "failures": [str(failure) for failure in loaded.failures],
}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def tracked(folder: str) -> set[str]:
    done = subprocess.run(
        ["git", "ls-files", "-z", "--", folder], cwd=REPOSITORY, check=True, capture_output=True
    )
    names = os.fsdecode(done.stdout).split("\0")
    return {name for name in names if name and (REPOSITORY / name).exists()}


def test_the_wheel_holds_every_file_of_the_package_and_the_themes(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = tracked("caramelo_tui") | {f"caramelo_tui/{name}" for name in tracked("themes")}
    assert not wanted - names
    kinds = {Path(name).suffix for name in wanted}
    assert {".py", ".md", ".toml", ".tcss", ".txt"} <= kinds
    assert "caramelo_tui/py.typed" in names
    strangers = {name for name in names if not name.startswith(("caramelo_tui/", "caramelo_tui-"))}
    assert not strangers
    assert not {name for name in names if "__pycache__" in name}


def test_an_installed_copy_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "TMPDIR": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)
    assert found["package"].startswith(str(installed))
    assert {"expenses.txt", "tally/cli.py", "tests/test_cli.py"} <= set(found["sample"])
    assert not [name for name in found["sample"] if "__pycache__" in name]
    assert found["has_script"]
    assert {"caramelo", "mono"} <= set(found["themes"])
    assert not found["failures"]
