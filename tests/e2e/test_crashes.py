"""A fault of the program itself: the terminal, the draft and the session survive it."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.sittings import IDLE, OpenSitting, opener

ANSWERS = """
[[turns]]
text = "ANSWER-1"
"""

FAULTY = """#!{python}
import sys

from caramelo_tui.cli import main
from caramelo_tui.ui.app import CarameloApp


def fail(self):
    raise RuntimeError("refused sk-ant-api03-abcdefghijklmnop")


CarameloApp.action_switch_mouse = fail
sys.exit(main())
"""
"""The program with a fault behind the key that leaves the mouse to the terminal."""


@pytest.fixture
def faulty(tmp_path: Path, user: Mapping[str, str], project: Path) -> OpenSitting:
    """Opens the program with the fault."""
    path = tmp_path / "faulty"
    path.write_text(FAULTY.format(python=sys.executable))
    path.chmod(0o755)
    return opener(str(path), user, project)


def test_a_crash_restores_the_terminal_and_keeps_draft_and_session(
    faulty: OpenSitting, open_sitting: OpenSitting
) -> None:
    with faulty(ANSWERS) as sitting:
        sitting.send("go")
        sitting.terminal.wait_for("ANSWER-1")
        sitting.wait_for_ends(1)
        sitting.terminal.type("half a thought")
        sitting.terminal.wait_for("half a thought")
        sitting.terminal.press("S-F8")
        assert sitting.terminal.wait_for_end() == 1
        sitting.terminal.check_restored()
        screen = sitting.terminal.screen()
        assert "Caramelo ended by a fault of its own (RuntimeError)." in screen
        assert "caramelo -c" in screen
        assert "Traceback" not in screen
        (report,) = (sitting.home / "logs").glob("crash-*.txt")
        text = report.read_text()
        assert "RuntimeError: refused [hidden]" in text
        assert "in fail" in text
        assert "sk-" not in text
        assert sitting.endings() == ["completed"]
    with open_sitting(ANSWERS, waits=False) as sitting:
        sitting.terminal.wait_for("half a thought")
        sitting.terminal.wait_for("typed last time")
        sitting.terminal.press("C-c")
        sitting.terminal.wait_for(IDLE)
