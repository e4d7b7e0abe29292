"""What commands start: seen, ended on demand, and gone with the session, however that ends."""

import os
import signal
from pathlib import Path

import psutil
import pytest

from tests.doubles.processes import is_running, read_pid
from tests.e2e.sittings import BUSY, IDLE, OpenSitting, Sitting, results_of

BACKGROUND = """
[[turns]]
[[turns.calls]]
name = "bash"
arguments = { command = "sleep 300 & echo $! > first" }

[[turns]]
[[turns.calls]]
name = "bash"
[turns.calls.arguments]
command = "setsid sh -c 'echo $$ > second; sleep 300' & sleep 300"
timeout_ms = 1500

[[turns]]
text = "DONE-MARK"
"""


def test_processes_are_listed_ended_and_do_not_outlive_a_timeout(
    open_sitting: OpenSitting, project: Path
) -> None:
    with open_sitting(BACKGROUND, size=(160, 45)) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.answer_command("sleep 300 &", "y")
        terminal.answer_command("setsid", "y")
        terminal.wait_for("DONE-MARK")
        first, second = read_pid(project / "first"), read_pid(project / "second")
        assert is_running(first)
        # The detached child of the command that ran out of time is gone with it.
        assert not is_running(second)
        assert "timed out" in results_of(sitting.server.bodies()[-1])[-1]
        assert list(sitting.session_processes()) == [first]

        terminal.press("F5")
        terminal.wait_for("▶ 4 Tools")
        terminal.press("Home")
        terminal.wait_for("background")
        terminal.press("x")
        sitting.wait_until(lambda: not is_running(first), "the end of the process")
        terminal.wait_for(lambda screen: "background" not in screen)
        sitting.quit()


FLOOD = """
[[turns]]
[[turns.calls]]
name = "bash"
arguments = { command = "yes", timeout_ms = 2000 }
[[turns]]
text = "DONE-MARK"
"""

MOST_GROWTH = 60 * 1024 * 1024


def test_a_flood_of_output_neither_blocks_keys_nor_fills_memory(
    open_sitting: OpenSitting,
) -> None:
    with open_sitting(FLOOD) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.wait_for("ready: y runs it once")
        program = psutil.Process(terminal.pid)
        before = program.memory_info().rss
        terminal.press("y")
        terminal.wait_for(BUSY)
        sizes = []
        for typed in ("k", "ke", "key", "keys"):
            # Each key is on the screen while the flood goes on.
            terminal.type(typed[-1])
            terminal.wait_for(f"┃ {typed} ")
            sizes.append(program.memory_info().rss)
        assert not sitting.events("ToolCallFinished"), "the flood was over before the keys"
        terminal.wait_for("DONE-MARK")
        sizes.append(program.memory_info().rss)
        assert max(sizes) - before < MOST_GROWTH
        (result,) = results_of(sitting.server.bodies()[-1])
        assert "timed out" in result
        assert len(result) < 30_000
        sitting.wait_for_ends(1)
        sitting.quit()


ENDS = """
[[turns]]
[[turns.calls]]
name = "bash"
arguments = { command = "setsid sleep 300 & sleep 300 & echo $! > first" }
[[turns]]
[[turns.calls]]
name = "bash"
arguments = { command = "echo $$ > second; sleep 300 # busy", timeout_ms = 100000 }
[[turns]]
text = "DONE-MARK"
"""


def start_processes(sitting: Sitting) -> None:
    """Leave two processes in the background and a command running."""
    sitting.send("go")
    sitting.terminal.answer_command("setsid", "y")
    sitting.terminal.answer_command("echo $$", "y")
    sitting.wait_until(lambda: read_pid(sitting.project / "second") != 0, "the command's start")
    sitting.terminal.wait_for(BUSY)
    # Two in the background; the shell of the running command and its child.
    assert len(sitting.session_processes()) == 4


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["TERM", "HUP"]
)
def test_a_signal_restores_the_terminal_and_ends_every_process(
    number: signal.Signals, code: int, open_sitting: OpenSitting
) -> None:
    with open_sitting(ENDS) as sitting:
        start_processes(sitting)
        os.kill(sitting.terminal.pid, number)
        assert sitting.terminal.wait_for_end() == code
        assert sitting.session_processes() == {}
        sitting.terminal.check_restored()
        assert "Traceback" not in sitting.terminal.screen()
        assert sitting.endings() == ["cancelled"]


def test_quitting_while_a_command_runs_ends_every_process(open_sitting: OpenSitting) -> None:
    with open_sitting(ENDS) as sitting:
        start_processes(sitting)
        sitting.quit()
        assert sitting.session_processes() == {}
        assert sitting.endings() == ["cancelled"]


def test_a_closed_window_ends_every_process(open_sitting: OpenSitting) -> None:
    with open_sitting(ENDS) as sitting:
        start_processes(sitting)
        program = sitting.terminal.pid
        sitting.terminal.close_window()
        sitting.wait_until(lambda: not is_running(program), "the program's end")
        assert sitting.session_processes() == {}
        assert sitting.endings() == ["cancelled"]


def test_after_a_kill_the_next_start_works_and_nothing_hangs(
    open_sitting: OpenSitting,
) -> None:
    with open_sitting(ENDS) as sitting:
        start_processes(sitting)
        os.kill(sitting.terminal.pid, signal.SIGKILL)
        assert sitting.terminal.wait_for_end() == 128 + signal.SIGKILL
        # Nobody is left who could end them: what ran goes on, as docs/command-tools.md says.
        left = sitting.session_processes()
        assert len(left) == 4
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        # The file of the session is whole up to the kill.
        assert sitting.endings() == []
        assert len(sitting.events("ToolExecutionStarted")) == 2
    with open_sitting(ENDS) as sitting:
        sitting.terminal.wait_for(IDLE)
