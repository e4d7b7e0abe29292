"""A question about a command comes up while somebody types, and gets its answers."""

from pathlib import Path

from tests.e2e.sittings import OpenSitting, Sitting, results_of, user_texts
from tests.e2e.terminal import Terminal

SCENARIO = """
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-1" } }]
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-2" } }]
[[turns]]
calls = [{ name = "bash", arguments = { command = "touch ran-3" } }]
[[turns]]
text = "FINE-MARK"
"""

WORD = "x y n e m "
"""Begins with a key that is no answer: the others follow on its heels, as typed in one go."""


def test_typing_never_answers_and_nothing_typed_is_lost(
    open_sitting: OpenSitting, project: Path
) -> None:
    # The answer is slow to begin, so that the question comes into the typing.
    with open_sitting(SCENARIO, faults=[{"start_delay_s": 1.0}]) as sitting:
        sitting.send("go")
        typed = type_until_asked(sitting.terminal)
        typed += answer_by_accident(sitting.terminal)
        assert not (project / "ran-1").exists()
        assert not sitting.events("ApprovalSettled")

        sitting.terminal.answer_command("touch ran-1", "m")
        sitting.terminal.wait_for("enter denies")
        sitting.send("make is there for that")
        sitting.terminal.answer_command("touch ran-2", "y")
        sitting.wait_until((project / "ran-2").exists, "the approved command")
        sitting.terminal.answer_command("touch ran-3", "Escape")
        sitting.wait_for_ends(1)
        sitting.terminal.wait_for("aborted")

        # What was typed is the draft; it is sent as it was typed.
        sitting.terminal.press("Enter")
        sitting.terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(2)
        check_requests(sitting, typed)
        sitting.quit()
    assert not (project / "ran-1").exists()
    assert not (project / "ran-3").exists()


def type_until_asked(terminal: Terminal) -> str:
    """Type on and on until the question stands there, and five words more."""
    typed, after = "", 0
    while after < 5:
        terminal.type(WORD)
        typed += WORD
        # Faster than any person types, but as keys and not as a flood.
        terminal.rest()
        after += "Run this command?" in terminal.screen()
    return typed


def answer_by_accident(terminal: Terminal) -> str:
    """Press Enter on Run, and paste an answer; return what goes to the draft."""
    terminal.wait_for("ready: y runs it once")
    terminal.press("Left")
    terminal.press("Left")
    terminal.wait_for("▸y Run once◂")
    terminal.wait_for("ready: y runs it once")
    terminal.press("Enter")
    terminal.wait_for("Enter never runs a command")
    terminal.paste("y\ny\n")
    terminal.wait_for("finish typing")
    return "y\ny\n"


def check_requests(sitting: Sitting, typed: str) -> None:
    """Look at what the model was told."""
    bodies = sitting.server.bodies()
    assert len(bodies) == 4
    denied, ran, stopped = results_of(bodies[3])
    assert denied.startswith("denied by the user; nothing was run.")
    assert "make is there for that" in denied
    assert "exit_code: 0" in ran
    assert "stopped the run" in stopped
    assert user_texts(bodies[3])[-1] == typed
    assert sitting.endings() == ["aborted", "completed"]
