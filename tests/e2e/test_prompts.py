"""What is typed and pasted into the prompt is what the model gets, whole and in order."""

import sys
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.sittings import BUSY, IDLE, OpenSitting, opener, user_texts

ANSWERS = """
closing_text = "CLOSING"
[[turns]]
text = "ANSWER-1"
[[turns]]
text = "ANSWER-2"
[[turns]]
text = "ANSWER-3"
"""


def test_keys_typed_from_the_first_moment_on_stand_in_the_prompt(
    open_sitting: OpenSitting,
) -> None:
    with open_sitting(ANSWERS, waits=False) as sitting:
        terminal = sitting.terminal
        typed = ""
        for number in range(200):
            word = f"early-{number:03} "
            terminal.type(word)
            typed += word
            terminal.press("o", "BSpace")
            if "F1 keys" in terminal.screen():
                break
        assert len(typed) > 30, "the first paint came before the first keys"
        terminal.type("late")
        terminal.wait_for("late")
        assert IDLE not in terminal.screen()
        terminal.press("Enter")
        terminal.wait_for("ANSWER-1")
        (body,) = sitting.server.bodies()
        assert user_texts(body) == [f"{typed}late"]
        sitting.quit()


def test_a_large_paste_is_a_chip_and_is_sent_whole(open_sitting: OpenSitting) -> None:
    text = "".join(f"{number:06} line of a log, ünï © [x]\n" for number in range(32_000))
    assert len(text.encode()) > 1_000_000
    with open_sitting(ANSWERS) as sitting:
        terminal = sitting.terminal
        terminal.type("Look: ")
        terminal.wait_for("Look:")
        terminal.paste(text)
        terminal.wait_for("[paste 32,001 lines]")
        terminal.type(" that was it.")
        terminal.wait_for("that was it.")
        terminal.press("Enter")
        terminal.wait_for("ANSWER-1")
        (body,) = sitting.server.bodies()
        assert user_texts(body) == [f"Look: {text} that was it."]
        sitting.quit()


WAITING = """
[[turns]]
calls = [{ name = "bash", arguments = { command = "until [ -e go ]; do sleep 0.05; done" } }]
[[turns]]
text = "ANSWER-1"
[[turns]]
text = "ANSWER-2"
[[turns]]
text = "ANSWER-3"
"""


def test_queued_prompts_run_one_after_the_other(open_sitting: OpenSitting, project: Path) -> None:
    with open_sitting(WAITING) as sitting:
        terminal = sitting.terminal
        sitting.send("first")
        terminal.answer_command("until", "y")
        terminal.wait_for(BUSY)
        for number, prompt in enumerate(("second", "third"), start=1):
            sitting.send(prompt)
            terminal.wait_for(f"queued  {prompt}")
            terminal.wait_for(f"{number} queued")
        (project / "go").touch()
        terminal.wait_for("ANSWER-3")
        sitting.wait_for_ends(3)
        assert sitting.endings() == ["completed"] * 3
        assert [event["prompt"] for event in sitting.events("RunStarted")] == [
            "first",
            "second",
            "third",
        ]
        assert "queued" not in terminal.screen()
        last = sitting.server.bodies()[-1]
        assert user_texts(last) == ["first", "second", "third"]
        sitting.quit()


def test_a_steered_prompt_goes_out_with_the_next_turn(
    open_sitting: OpenSitting, project: Path
) -> None:
    with open_sitting(WAITING) as sitting:
        terminal = sitting.terminal
        sitting.send("first")
        terminal.answer_command("until", "y")
        terminal.wait_for(BUSY)
        terminal.type("use tabs")
        terminal.wait_for("use tabs")
        terminal.press("C-t")
        terminal.wait_for("next turn  use tabs")
        (project / "go").touch()
        terminal.wait_for("ANSWER-1")
        sitting.wait_for_ends(1)
        assert user_texts(sitting.server.bodies()[1]) == ["first", "use tabs"]
        assert [event["text"] for event in sitting.events("PromptSteered")] == ["use tabs"]
        assert "next turn" not in terminal.screen()
        sitting.quit()


EDITOR = """
import pathlib, sys

path = pathlib.Path(sys.argv[1])
print("EDITOR-HAS-IT", path.read_text(), flush=True)
path.write_text(path.read_text() + " " + input())
"""


def test_an_editor_has_the_terminal_while_the_agent_works_on(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    script = project.parent / "editor.py"
    script.write_text(EDITOR)
    with_editor = {**user, "VISUAL": f"'{sys.executable}' '{script}'"}
    with opener(program, with_editor, project)(WAITING) as sitting:
        terminal = sitting.terminal
        sitting.send("first")
        terminal.answer_command("until", "y")
        terminal.wait_for(BUSY)
        terminal.type("my draft")
        terminal.wait_for("my draft")
        terminal.press("C-g")
        terminal.wait_for("EDITOR-HAS-IT my draft")
        # The run ends meanwhile, and nothing of it is painted over the editor.
        (project / "go").touch()
        sitting.wait_for_ends(1)
        assert "ANSWER-1" not in terminal.screen()
        terminal.type("is better")
        terminal.press("Enter")
        terminal.wait_for("┃ my draft is better")
        terminal.wait_for("ANSWER-1")
        terminal.press("Enter")
        terminal.wait_for("ANSWER-2")
        assert user_texts(sitting.server.bodies()[-1])[-1] == "my draft is better"
        sitting.quit()


def test_a_command_of_ones_own_runs_beside_the_agent(
    open_sitting: OpenSitting, project: Path
) -> None:
    with open_sitting(WAITING) as sitting:
        terminal = sitting.terminal
        sitting.send("first")
        terminal.answer_command("until", "y")
        terminal.wait_for(BUSY)
        # It lets the agent's own command come to its end.
        sitting.send("!echo OWN-$((40 + 2)); touch go")
        terminal.wait_for("ANSWER-1")
        sitting.wait_for_ends(1)
        assert "OWN-42" not in str(sitting.server.bodies())
        terminal.press("C-n")
        terminal.wait_for("OWN-42")
        terminal.press("Enter")
        terminal.wait_for("ANSWER-2")
        assert "OWN-42" in user_texts(sitting.server.bodies()[-1])[-1]
        sitting.quit()
    assert (project / "go").exists()
