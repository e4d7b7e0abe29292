"""Every default key of Changes, pressed in a real terminal, with a review and after it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.e2e.key_lists import missing_keys
from tests.e2e.sittings import OpenSitting, Sitting
from tests.e2e.test_keys import PROMPT, Keyboard

LINES = 120
CHANGED = {5: "five", 40: "forty", 80: "eighty"}
LONG = "a line that is much too long for the pane " * 4 + "LONG-END"


def numbered(changed: dict[int, str]) -> str:
    return "".join(f"{changed.get(number, f'line {number}')}\n" for number in range(1, LINES + 1))


def scenario() -> str:
    """Return two files with several hunks, and a third write once more is asked for."""
    calls = "".join(
        '[[turns.calls]]\nname = "file_write"\n[turns.calls.arguments]\n'
        f"path = \"{name}\"\noverwrite = true\ncontent = '''\n{numbered(CHANGED | {80: LONG})}'''\n"
        for name in ("a.txt", "b.txt")
    )
    return (
        f'[[turns]]\ntext = "Two files."\n{calls}[[turns]]\ntext = "FINE-MARK"\n'
        '[[turns]]\ntext = "AGAIN-MARK"\n'
    )


def test_the_keys_of_changes(open_sitting: OpenSitting, project: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (project / name).write_text(numbered({}))
    commit_all(project)
    with open_sitting(scenario(), size=(160, 45)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        sitting.send("go")
        sitting.terminal.wait_for("2 waiting")
        sitting.terminal.press("C-o")
        sitting.terminal.wait_for("▶ 3 Changes")
        sitting.terminal.wait_for("a accept  r reject")
        go_round(keyboard)
        change_the_look(keyboard)
        choose_lines(keyboard)
        decide(keyboard)
        settle(keyboard, sitting)
        look_back(keyboard)
        take_back(keyboard, sitting)
        keyboard.press("Escape", PROMPT)
        sitting.quit()
    assert missing_keys(keyboard.pressed, "Changes") == []


def commit_all(project: Path) -> None:
    """Make a repository with one commit."""
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for arguments in (["init", "-qb", "main"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *who, *arguments], cwd=project, check=True)


def current(words: str) -> Callable[[str], bool]:
    """Return whether the marked row of Changes says this."""
    return lambda screen: any("▌  @@" in row and words in row for row in screen.splitlines())


def file_of_current(screen: str) -> str:
    """Return the file of the marked hunk in Changes, ``?`` when its head is above the view."""
    name = "?"
    for row in screen.splitlines():
        part = row[103:]
        if "▌  @@" in part:
            return name
        name = next((one for one in ("a.txt", "b.txt") if f"  {one} " in part[:12]), name)
    return ""


def go_round(keyboard: Keyboard) -> None:
    """Go from hunk to hunk, file to file, and over the whole list."""
    keyboard.press("j", current("line 40"))
    keyboard.press("k", current("line 5 "))
    keyboard.press("J", lambda screen: file_of_current(screen) == "b.txt")
    keyboard.press("K", lambda screen: file_of_current(screen) == "a.txt")
    for there, back in (("End", "Home"), ("NPage", "PPage"), ("Down", "Up")):
        top = third_row(keyboard.terminal.screen())
        keyboard.press(there, begins_with(top, is_so=False))
        keyboard.press(back, begins_with(top, is_so=True))


def begins_with(row: str, *, is_so: bool) -> Callable[[str], bool]:
    """Return whether the list of Changes begins with a row, or does not."""
    return lambda screen: (third_row(screen) == row) is is_so


def third_row(screen: str) -> str:
    """Return the first row of the list of Changes."""
    return screen.splitlines()[3][104:158]


def change_the_look(keyboard: Keyboard) -> None:
    """Wrap and scroll long lines, show blanks, stand side by side."""
    keyboard.press("w", "too long for the pane a li")
    keyboard.press("Right", lambda screen: "line 6" not in screen)
    keyboard.press("Left", "line 6")
    keyboard.press("w", lambda screen: "too long for the pane a li" not in screen)
    keyboard.press("W", "line·6")
    keyboard.press("W", lambda screen: "line·6" not in screen)
    keyboard.terminal.press("F8")
    keyboard.press("b", lambda screen: "line 6" in screen)
    keyboard.press("b", lambda screen: "line 6" in screen)
    keyboard.terminal.press("F8")
    keyboard.terminal.wait_for("1 Files ─")


def choose_lines(keyboard: Keyboard) -> None:
    """Choose lines to remark on, and give the choice up."""
    keyboard.press(".", lambda screen: screen.count("►") == 1)
    keyboard.press(">", lambda screen: screen.count("►") == 2)
    keyboard.press("<", lambda screen: screen.count("►") == 1)
    keyboard.press(".", lambda screen: screen.count("►") == 1)
    keyboard.press(",", lambda screen: screen.count("►") == 1)
    keyboard.press("Escape", lambda screen: "►" not in screen)
    for key, about in (("c", "remark on a.txt, line 5"), ("C", "remark on a.txt")):
        keyboard.press(key, about)
        keyboard.press("Escape", lambda screen: "remark on a.txt" not in screen)


def decide(keyboard: Keyboard) -> None:
    """Decide by hunk, by file, and all."""
    keyboard.press("g", "Ask no more")
    keyboard.press("Escape", lambda screen: "Ask no more" not in screen)
    keyboard.press("e", "No editor is set")
    keyboard.press("Space", "5 undecided")
    keyboard.press("a", "5 undecided")
    keyboard.press("r", "4 undecided")
    keyboard.press("A", "3 undecided")
    keyboard.press("R", "0 undecided")
    keyboard.press("N", "0 undecided")
    keyboard.press("Y", "0 undecided")


def settle(keyboard: Keyboard, sitting: Sitting) -> None:
    """Reject one hunk and settle."""
    keyboard.press("K", lambda screen: file_of_current(screen) == "a.txt")
    keyboard.press("r", "rejected")
    keyboard.press("s", "FINE-MARK")
    sitting.terminal.wait_for("applied 5 of 6 hunks in 2 files")
    sitting.wait_for_ends(1)


def look_back(keyboard: Keyboard) -> None:
    """Look at what waits, at the total, at git, and open the file."""
    keyboard.press("v", "Nothing waits for you.")
    keyboard.press("v", "run 1 · turn 1")
    keyboard.press("t", "since the session's start")
    keyboard.press("t", "run 1 · turn 1")
    keyboard.press("h", "differs")
    keyboard.press("h", "run 1 · turn 1")
    keyboard.press("o", "No editor is set")


def take_back(keyboard: Keyboard, sitting: Sitting) -> None:
    """Ask for the rejected hunk again; take one hunk back, then the rest of its file."""
    keyboard.press("K", current("line 5 "))
    keyboard.press("p", "AGAIN-MARK")
    sitting.wait_for_ends(2)
    keyboard.press("j", current("line 40"))
    keyboard.press("u", "↶")
    keyboard.press("U", "Take the changes of this file back?")
    keyboard.terminal.press("Enter")
    changed = sitting.project / "a.txt"
    sitting.wait_until(lambda: changed.read_text() == numbered({}), "the file as it was")
