"""Every default key of questions, the prompt and lists to choose from, in a real terminal."""

from collections.abc import Callable
from pathlib import Path

from tests.e2e.key_lists import missing_keys
from tests.e2e.sittings import ARMED, BUSY, OpenSitting, Sitting
from tests.e2e.test_keys import PROMPT, Keyboard

READY = "ready: y runs it once"
QUESTIONS = """
[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = "echo first\\n{lines}touch end" }}
[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = "touch two" }}
[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = "touch three" }}
[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = "touch four" }}
"""


def test_the_keys_of_a_question(open_sitting: OpenSitting, project: Path) -> None:
    scenario = QUESTIONS.format(lines="echo line\\n" * 80)
    # So small that what is said of the command has to be scrolled too.
    with open_sitting(scenario, size=(60, 16)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        sitting.send("go")
        scroll_and_choose(keyboard)
        answer(keyboard, sitting)
        sitting.quit()
    assert missing_keys(keyboard.pressed, "Question about a command or another action") == []
    assert sorted(path.name for path in project.iterdir()) == ["two"]


def ready_and(holds: Callable[[str], bool]) -> Callable[[str], bool]:
    """Return whether the question can be answered and something holds besides."""
    return lambda screen: READY in screen and holds(screen)


def scroll_and_choose(keyboard: Keyboard) -> None:
    """Scroll the command and what is said of it; choose among the answers."""
    # Before that no key does anything.
    keyboard.terminal.wait_for("scroll to the end to run it")
    for there, back in (("Down", "Up"), ("NPage", "PPage"), ("End", "Home")):
        keyboard.press(there, lambda screen: "$ echo first" not in screen)
        keyboard.press(back, "$ echo first")
    keyboard.terminal.press("End")
    before = keyboard.terminal.wait_for(ready_and(lambda screen: "touch end" in screen))
    keyboard.press("S-Down", ready_and(lambda screen: screen != before))
    keyboard.press("S-Up", ready_and(lambda screen: screen == before))
    for key in ("Tab", "Right", "Left"):
        before = keyboard.terminal.wait_for(READY)
        keyboard.press(key, ready_and(before.__ne__))


def answer(keyboard: Keyboard, sitting: Sitting) -> None:
    """Answer each question in another way."""
    terminal = sitting.terminal
    terminal.wait_for(READY)
    keyboard.press("n", lambda screen: "$ touch two" in screen and READY in screen)
    keyboard.press("e", "esc discards")
    terminal.press("Escape")
    terminal.wait_for(READY)
    keyboard.press("y", lambda screen: "$ touch three" in screen and READY in screen)
    keyboard.press("b", "enter blocks, denies")
    terminal.press("Escape")
    terminal.wait_for(READY)
    keyboard.press("m", "enter denies")
    sitting.send("not that")
    terminal.wait_for(lambda screen: "$ touch four" in screen and READY in screen)
    keyboard.press("Escape", "aborted")
    sitting.wait_for_ends(1)


STREAM = """
[[turns]]
text = "FIRST-MARK"
[[turns]]
text = '''{text}'''
[[turns]]
text = "LAST-MARK"
"""


def test_the_keys_of_the_prompt_and_of_lists(open_sitting: OpenSitting, project: Path) -> None:
    for number in range(60):
        (project / f"note{number:02}.txt").write_text("x\n")
    slow = {"chunk_sizes": [40], "pace_s": 0.3}
    scenario = STREAM.format(text="word after word after word " * 200)
    with open_sitting(scenario, faults=[None, slow], size=(100, 30)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        write(keyboard, sitting)
        see_to_the_queue(keyboard, sitting)
        sitting.quit()
    # Where shift+enter arrives is the terminal's affair; tmux sends Enter for it.
    missing = missing_keys(keyboard.pressed, "Prompt", "Lists to choose from")
    assert missing == ["S-Enter"]


def write(keyboard: Keyboard, sitting: Sitting) -> None:
    """Offers, lines, pastes, a command of one's own, and what was sent before."""
    terminal = sitting.terminal
    keyboard.press("@", "note00.txt")
    terminal.press("BSpace")
    keyboard.press("/", "/help")
    terminal.press("BSpace")
    terminal.wait_for(PROMPT)
    keyboard.press("!", "┃ !")
    terminal.type("echo OWN-MARK")
    terminal.wait_for("!echo OWN-MARK")
    terminal.press("Enter")
    terminal.wait_for("exit 0")
    terminal.paste("".join(f"pasted {number}\n" for number in range(50)))
    terminal.wait_for("[paste 51 lines]")
    keyboard.press("C-e", "pasted 49")
    terminal.press("C-c")
    terminal.wait_for(lambda screen: PROMPT in screen and "again quits" not in screen)
    terminal.type("one")
    terminal.wait_for("┃ one")
    keyboard.press("C-j", lambda screen: "┃ one" in screen)
    terminal.type("two")
    terminal.wait_for("┃ two")
    keyboard.press("Enter", "FIRST-MARK")
    sitting.wait_for_ends(1)
    keyboard.press("Up", "┃ two")
    keyboard.press("Down", PROMPT)


def see_to_the_queue(keyboard: Keyboard, sitting: Sitting) -> None:
    """Queue more prompts than a list shows, move among them, remove one and take one back."""
    terminal = sitting.terminal
    sitting.send("stream")
    terminal.wait_for(BUSY)
    for number in range(30):
        sitting.send(f"waits {number:02}")
        terminal.wait_for(f"{number + 1} queued")
    title = "Prompts that wait"
    for key, effect in (
        ("C-l", title),
        ("Down", title),
        ("Up", title),
        ("NPage", title),
        ("PPage", title),
        ("C-d", lambda screen: title in screen and "waits 00" not in screen),
        ("Escape", lambda screen: title not in screen),
        ("C-l", title),
        ("Enter", lambda screen: title not in screen and "┃ waits" in screen),
    ):
        keyboard.press(key, effect)
    # Armed must be seen first: a screen that does not show it yet looks like one of later.
    terminal.press("C-c")
    terminal.wait_for(ARMED)
    sitting.wait_for_ends(2)
    # The queue is the draft now; it is cleared before leaving.
    terminal.wait_for(lambda screen: ARMED not in screen)
    terminal.press("C-c")
    terminal.wait_for(ARMED)
    terminal.wait_for(lambda screen: PROMPT in screen and ARMED not in screen)
    sitting.send("/rewind")
    terminal.wait_for("Go back to before a prompt")
    keyboard.press("q", lambda screen: "Go back to before a prompt" not in screen)


def test_the_keys_of_the_models(open_sitting: OpenSitting) -> None:
    with open_sitting('[[turns]]\ntext = "x"', size=(120, 30)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        terminal = sitting.terminal
        terminal.press("S-F5")
        before = terminal.wait_for("* in use · ! no key")
        for there, back in (("Down", "Up"), ("NPage", "PPage")):
            keyboard.press(there, before.__ne__)
            keyboard.press(back, before.__eq__)
        # The marked model is the one in use, so it is the server of this test that is asked.
        keyboard.press("C-l", "has no list of models (HTTP 404)")
        keyboard.press("C-r", "Use anthropic/test for a role")
        terminal.press("Escape")
        terminal.wait_for(lambda screen: "for a role" not in screen)
        terminal.press("S-F5")
        terminal.wait_for("* in use · ! no key")
        keyboard.press("Escape", lambda screen: "* in use" not in screen)
        terminal.press("S-F5")
        terminal.wait_for("* in use · ! no key")
        keyboard.press("Enter", lambda screen: "* in use" not in screen)
        sitting.quit()
    assert missing_keys(keyboard.pressed, "Models") == []
