"""ctrl+c in every state of a run: it ends whole, nothing is applied, the next one works."""

from pathlib import Path

import pytest

from tests.doubles.processes import is_running, read_pid
from tests.e2e.sittings import BUSY, IDLE, OpenSitting, Sitting, last_line, results_of, user_texts

SCENARIO = """
[[turns]]
text = "STREAM-MARK and then much more that does not come at the first time."
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "one", replace = "two" }

[[turns]]
text = "Now a command."
[[turns.calls]]
name = "bash"
arguments = { command = "touch asked.txt" }

[[turns]]
text = "A long one."
[[turns.calls]]
name = "bash"
arguments = { command = "echo $$ > pid; sleep 600 # long", timeout_ms = 120000 }
[[turns.calls]]
name = "bash"
arguments = { command = "touch second.txt" }

[[turns]]
text = "FINE-MARK"
"""


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_a_run_can_be_stopped_in_every_state(
    vendor: str, open_sitting: OpenSitting, project: Path
) -> None:
    (project / "app.py").write_text("one\n")
    # The first answer stops in the middle of its text; it is played whole when asked again.
    stalls = 1100 if vendor == "anthropic" else 1400
    with open_sitting(SCENARIO, vendor=vendor, faults=[{"stall_at": stalls}]) as sitting:
        stop_while_the_model_works(sitting)
        stop_while_a_command_runs(sitting)
        # The queue is the draft now, and nothing of it was sent.
        assert len(sitting.server.bodies()) == 4
        sitting.terminal.press("Enter")
        sitting.terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(5)
        assert sitting.endings() == ["cancelled"] * 4 + ["completed"]
        calls = [event["call_id"] for event in sitting.events("ToolCallStarted")]
        assert sorted(calls) == sorted(e["call_id"] for e in sitting.events("ToolCallFinished"))
        sitting.quit()
        bodies = sitting.server.bodies()
    assert (project / "app.py").read_text() == "one\n"
    assert not (project / "asked.txt").exists()
    assert not (project / "second.txt").exists()
    assert not is_running(read_pid(project / "pid"))
    assert len(bodies) == 5
    told = results_of(bodies[-1])
    assert told[:2] == ["interrupted, not applied", "interrupted, not run"]
    assert "interrupted while it ran" in told[2]
    assert told[3:] == ["interrupted, not run"]
    assert user_texts(bodies[-1])[-1] == "queued one\n\nqueued two"


def stop_while_the_model_works(sitting: Sitting) -> None:
    """Stop while text streams, while a review waits, while a question is open."""
    terminal = sitting.terminal
    sitting.send("while text streams")
    terminal.wait_for("STREAM-MARK")
    sitting.interrupt(run=1)
    sitting.send("while a review waits")
    terminal.wait_for("1 waiting")
    sitting.interrupt(run=2)
    terminal.wait_for("not applied")
    assert "waiting" not in last_line(terminal.screen())
    sitting.send("while a question is open")
    terminal.wait_for("ready: y runs it once")
    sitting.interrupt(run=3)
    terminal.wait_for(IDLE)


def stop_while_a_command_runs(sitting: Sitting) -> None:
    """Stop with prompts in the queue."""
    terminal = sitting.terminal
    sitting.send("while a command runs")
    terminal.answer_command("echo $$ > pid; sleep 600", "y")
    terminal.answer_command("touch second.txt", "y")
    sitting.wait_until(lambda: read_pid(sitting.project / "pid") != 0, "the command's start")
    terminal.wait_for(BUSY)
    for prompt in ("queued one", "queued two"):
        sitting.send(prompt)
        terminal.wait_for(f"queued  {prompt}")
    sitting.interrupt(run=4)
