"""Every key of the conversation, pressed in a real terminal, does what docs/keys.md says."""

from collections.abc import Callable

from tests.e2e.key_lists import missing_keys
from tests.e2e.sittings import OpenSitting, Sitting
from tests.e2e.test_keys import PROMPT, Keyboard

SCENARIO = """
[[turns]]
text = '''
First words of a needle.

- one
- two
- three
- a needle
- five

```sh
make check
```
'''
[[turns]]
text = "SECOND-MARK"
"""


def test_the_keys_of_the_conversation(open_sitting: OpenSitting) -> None:
    fault = {"status": 400}
    with open_sitting(SCENARIO, faults=[fault], size=(100, 40)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        sitting.send("look for it")
        sitting.terminal.wait_for("F3 and then r sends the prompt again")
        sitting.terminal.press("F3")
        sitting.terminal.wait_for("▶ 2 Conversation")
        keyboard.press("r", "make check")
        sitting.wait_for_ends(2)
        use_the_cursor(keyboard)
        search(keyboard)
        read_on_pages(keyboard)
        scroll(keyboard)
        keyboard.press("q", "┃ > First words of a needle.")
        clear_the_draft(sitting)
        sitting.terminal.press("F3")
        sitting.terminal.wait_for("▶ 2 Conversation")
        # The session as a whole goes on in another file, with the prompt as its draft.
        keyboard.press("u", "No change of a file is left")
        keyboard.press("f", "┃ look for it")
        clear_the_draft(sitting)
        sitting.quit()
    assert missing_keys(keyboard.pressed, "Conversation") == []


def clear_the_draft(sitting: Sitting) -> None:
    """Clear what stands in the prompt, and wait until ctrl+c would not quit."""
    sitting.terminal.press("C-c")
    sitting.terminal.wait_for(lambda screen: PROMPT in screen and "again quits" not in screen)


def use_the_cursor(keyboard: Keyboard) -> None:
    """Walk up to the code and the list, copy and fold."""
    keyboard.press("M-Up", "▌ ── completed")
    keyboard.press("M-Up", "▌  make check")
    keyboard.press("y", "3 lines (20 B) sent to the terminal.")
    keyboard.press("c", "1 line (10 B) sent to the terminal.")
    keyboard.press("Y", "11 lines")
    keyboard.press("M-Up", "▌ • one")
    keyboard.press("Space", "folded, 5 lines in all")
    keyboard.press("Space", "• three")
    keyboard.press("M-Down", "▌  make check")
    # Nothing to open there; the cursor stays.
    keyboard.press("Enter", "▌  make check")


def search(keyboard: Keyboard) -> None:
    """Search, walk to and fro, and end it."""
    terminal = keyboard.terminal
    keyboard.press("/", "search")
    terminal.type("needle")
    terminal.wait_for("/needle  match ")
    terminal.press("Enter")
    # The line that was typed into is gone: keys are the conversation's again.
    terminal.wait_for(
        lambda screen: (
            "/needle  match 1 of 2" in screen
            and not any(row.startswith("┃ needle") for row in screen.splitlines())
        )
    )
    keyboard.press("n", "match 2 of 2")
    keyboard.press("N", "match 1 of 2")
    keyboard.press("Escape", lambda screen: "match" not in screen)


def scroll(keyboard: Keyboard) -> None:
    """Go through a conversation that is longer than its pane."""
    terminal = keyboard.terminal
    terminal.resize(60, 16)
    terminal.wait_for("1 Files   2 Conversation")
    keyboard.press("End", "── completed")
    keyboard.press("Home", "you  look for it")
    for there, back in (("Down", "Up"), ("NPage", "PPage")):
        top = first_row(terminal.screen())
        keyboard.press(there, has_first_row(top, is_so=False))
        keyboard.press(back, has_first_row(top, is_so=True))
    terminal.resize(100, 40)
    terminal.wait_for("3 Changes ─")


def has_first_row(row: str, *, is_so: bool) -> Callable[[str], bool]:
    """Return whether a row is the first of the pane, or is not."""
    return lambda screen: (first_row(screen) == row) is is_so


def first_row(screen: str) -> str:
    """Return the first row of the pane on a narrow screen."""
    return screen.splitlines()[2]


def read_on_pages(keyboard: Keyboard) -> None:
    """Open the block and the transcript, and ask for the editor that is not there."""
    terminal = keyboard.terminal
    keyboard.press("o", "━ Answer ━")
    terminal.press("Escape")
    terminal.wait_for(lambda screen: "━ Answer ━" not in screen)
    keyboard.press("t", "━ Transcript ━")
    terminal.press("Escape")
    terminal.wait_for(lambda screen: "━ Transcript ━" not in screen)
    keyboard.press("T", "No editor is set")
