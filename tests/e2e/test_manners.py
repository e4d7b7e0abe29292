"""What the terminal gets back: by a signal over an open review, and while the app is suspended."""

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.sittings import IDLE, OpenSitting, last_line

REVIEW = """
[[turns]]
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "one", replace = "two" }
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["TERM", "HUP"]
)
def test_a_signal_asks_nothing_though_hunks_are_undecided(
    number: signal.Signals, code: int, open_sitting: OpenSitting, project: Path
) -> None:
    (project / "app.py").write_text("one\n")
    with open_sitting(REVIEW) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.wait_for(lambda screen: "1 waiting" in last_line(screen))
        os.kill(terminal.pid, number)
        assert terminal.wait_for_end() == code
        terminal.check_restored()
        assert sitting.endings() == ["cancelled"]
    assert (project / "app.py").read_text() == "one\n"


def test_a_suspended_app_gives_the_shell_its_terminal_and_comes_back(
    open_sitting: OpenSitting,
) -> None:
    with open_sitting('[[turns]]\ntext = "DONE-MARK"') as sitting:
        terminal = sitting.terminal
        terminal.type("a draft")
        terminal.wait_for("a draft")
        terminal.press("C-p")
        terminal.wait_for("Find an action")
        terminal.type("Suspend to the shell")
        terminal.wait_for("fg comes back")
        terminal.press("Down", "Enter")
        terminal.wait_until(lambda: not terminal.is_alternate_screen, "the shell's screen")
        terminal.check_restored()
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait_for(lambda screen: "a draft" in screen and "F1 keys" in screen)
        terminal.press("Enter")
        terminal.wait_for("DONE-MARK")
        sitting.wait_for_ends(1)
        assert terminal.is_alternate_screen
        terminal.wait_for(IDLE)
        sitting.quit()
