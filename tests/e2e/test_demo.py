"""The demo, by keyboard alone: no key, no network, to the end of its task."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from caramelo_tui.demo.sample_workspace import FIRST_PROMPT
from tests.e2e.terminal import Terminal

HUNKS = 6
"""Hunks of the demo's first review."""
REJECTED = 2
"""The third one, a matter of taste, is turned down."""


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
def test_the_task_is_driven_to_its_end(
    size: tuple[int, int], program: str, user: Mapping[str, str], tmp_path: Path
) -> None:
    environment = {**user, "TMPDIR": str(tmp_path)}
    with Terminal([program, "demo"], cwd=tmp_path, environment=environment, size=size) as terminal:
        terminal.wait_for(FIRST_PROMPT[:30])
        terminal.wait_for("ctrl+p")
        terminal.press("Enter")
        terminal.wait_for(f"{HUNKS} hunks" if size[0] > 100 else "2 waiting")
        terminal.press("C-o")
        terminal.wait_for(f"▌waiting 2 files · {HUNKS} hunks")
        for number in range(HUNKS):
            key = "r" if number == REJECTED else "a"
            terminal.decide(key, undecided=HUNKS - 1 - number)
        terminal.press("s")
        run_an_edited_command(terminal)
        terminal.wait_for("1 waiting")
        terminal.press("C-o")
        terminal.wait_for("▌waiting 1 file")
        terminal.decide("a", undecided=0)
        terminal.press("s")
        terminal.answer_command("python3 -m unittest", "y")
        terminal.press("F3")
        terminal.wait_for("All tests pass")
        terminal.press("C-c")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
        assert not terminal.is_alternate_screen
    check_the_workspace(next(tmp_path.glob("caramelo-demo-*/tally")))


def run_an_edited_command(terminal: Terminal) -> None:
    """Change `-q` to `-v` in the question and run that."""
    terminal.answer_command("python3 -m unittest -q", "e")
    terminal.wait_for("esc discards")
    terminal.press("BSpace")
    terminal.wait_for("│ python3 -m unittest - ")
    terminal.type("v")
    terminal.wait_for("│ python3 -m unittest -v")
    terminal.press("Enter")
    terminal.answer_command("python3 -m unittest -v", "y")


def check_the_workspace(root: Path) -> None:
    """Exactly what was accepted is on disk, and it works."""
    cli = (root / "tally" / "cli.py").read_text()
    report = (root / "tally" / "report.py").read_text()
    assert 'description="expenses"' in cli
    assert "render = render_json if options.json else render_text" in cli
    assert '"--json", action="store_true"' in cli
    assert "float(amount) for name, amount in sums.items()" in report
    assert not list(root.rglob("*.caramelo-*"))
    done = subprocess.run(
        [sys.executable, "-m", "tally", "report", "--json", "expenses.txt"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    assert '"tools": 42.0' in done.stdout
