"""Every default key of Files, Tools, lists and pages, pressed in a real terminal."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.e2e.key_lists import missing_keys
from tests.e2e.sittings import OpenSitting
from tests.e2e.test_keys import PROMPT, Keyboard

FILES = 60


def on_row(name: str) -> Callable[[str], bool]:
    """Return whether the cursor of Files is on a row that begins so."""
    return lambda screen: any(
        row.startswith("┃▌") and name in row[:26] for row in screen.splitlines()
    )


def tree(project: Path) -> None:
    """Make a repository with a long folder, a skipped one and an ignored file."""
    (project / "src").mkdir()
    for number in range(FILES):
        (project / "src" / f"a{number:02}.py").write_text(f"line {number}\n")
    (project / "build").mkdir()
    (project / ".gitignore").write_text("*.log\n")
    (project / "x.log").write_text("x\n")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=project, check=True)


def test_the_keys_of_files_and_the_preview(open_sitting: OpenSitting, project: Path) -> None:
    tree(project)
    with open_sitting('[[turns]]\ntext = "x"', size=(160, 45)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        keyboard.press("F2", "▶ 1 Files")
        sitting.terminal.wait_for("x.log")
        walk(keyboard)
        open_and_close(keyboard)
        ask_of_a_file(keyboard)
        choose_what_is_shown(keyboard)
        mention(keyboard)
        sitting.terminal.press("C-c")
        sitting.terminal.wait_for(lambda screen: PROMPT in screen and "again quits" not in screen)
        sitting.quit()
    assert missing_keys(keyboard.pressed, "Files", "Lists", "Preview") == []


def walk(keyboard: Keyboard) -> None:
    """Move the cursor by every key."""
    for key, row in (
        ("End", "x.log"),
        ("Home", ".git"),
        ("G", "x.log"),
        ("Up", ".gitignore"),
        ("g", ".git"),
        ("Down", "build"),
        ("Up", ".git"),
        ("j", "build"),
        ("k", ".git"),
        ("j", "build"),
        ("j", "src"),
    ):
        keyboard.press(key, on_row(row))


def open_and_close(keyboard: Keyboard) -> None:
    """Open the long folder by each key, and page through it."""
    keyboard.press("Right", "▾ src")
    keyboard.press("Left", "▸ src")
    keyboard.press("l", "▾ src")
    keyboard.press("h", "▸ src")
    keyboard.press("l", "a00.py")
    keyboard.press("NPage", lambda screen: not on_row("src")(screen))
    keyboard.press("PPage", on_row("src"))
    keyboard.press("Down", on_row("a00.py"))


def ask_of_a_file(keyboard: Keyboard) -> None:
    """Copy the path, open the file here and elsewhere, look for its change."""
    keyboard.press("y", "sent to the terminal")
    keyboard.press("o", "No editor is set")
    keyboard.press("d", "was not changed in this session")
    for key in ("q", "Escape"):
        keyboard.press("Enter", "━ src/a00.py")
        keyboard.press(key, lambda screen: "━ src/a00.py" not in screen)


def choose_what_is_shown(keyboard: Keyboard) -> None:
    """Show less, and more, of the tree."""
    keyboard.press("t", lambda screen: "a01.py" not in screen)
    keyboard.press("t", "a01.py")
    keyboard.press("i", lambda screen: "build" not in screen)
    keyboard.press("i", "build")
    keyboard.press("/", "┃ filter")
    keyboard.terminal.type("x.lo")
    keyboard.terminal.wait_for("No path matches.")
    keyboard.press("M-i", "x.log")
    keyboard.press("Escape", "a01.py")


def mention(keyboard: Keyboard) -> None:
    """Mention a file from the tree and from its preview, by each key."""
    for key, row in (("Home", ".git"), ("j", "build"), ("j", "src"), ("j", "a00.py")):
        keyboard.press(key, on_row(row))
    for count, key in enumerate(("@", "m"), start=1):
        keyboard.press(key, mentions(2 * count - 1))
        keyboard.press("F2", "▶ 1 Files")
        keyboard.press("Enter", "━ src/a00.py")
        keyboard.press(key, mentions(2 * count))
        if count == 1:
            keyboard.press("F2", "▶ 1 Files")


def mentions(count: int) -> Callable[[str], bool]:
    """Return whether the prompt has the focus and mentions the file so often."""
    return lambda screen: "▶ 1 Files" not in screen and screen.count("@src/a00.py") == count


TOOL_CALLS = """
[[turns]]
text = "Look."
[[turns.calls]]
name = "file_read"
arguments = { path = "app.py" }
[[turns.calls]]
name = "bash"
arguments = { command = "seq -f 'row %.0f of a long one' 1 9000" }
[[turns.calls]]
name = "bash"
arguments = { command = "echo begun; sleep 600", timeout_ms = 120000 }
[[turns]]
text = "Once more."
[[turns.calls]]
name = "bash"
arguments = { command = "echo anew; sleep 600", timeout_ms = 120000 }
[[turns]]
text = "DONE-MARK"
"""


def test_the_keys_of_tools_and_of_whole_outputs(open_sitting: OpenSitting, project: Path) -> None:
    (project / "app.py").write_text("one\n")
    with open_sitting(TOOL_CALLS, size=(160, 45)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        sitting.send("go")
        sitting.terminal.answer_command("seq -f", "y")
        sitting.terminal.answer_command("echo begun", "y")
        keyboard.press("F5", "▶ 4 Tools")
        keyboard.press("End", lambda screen: cursor_of_tools(screen) == "bash")
        sitting.terminal.wait_for(lambda screen: runs(screen, "echo begun"))
        keyboard.press("x", "■ bash")
        sitting.terminal.answer_command("echo anew", "y")
        keyboard.press("F5", "▶ 4 Tools")
        keyboard.press("End", lambda screen: runs(screen, "echo anew"))
        keyboard.press("Enter", "Output so far")
        keyboard.press("x", "cancelled")
        keyboard.press("Escape", lambda screen: "━ bash" not in screen)
        sitting.wait_for_ends(1)
        run_again(keyboard)
        look_through_an_output(keyboard)
        filter_rows(keyboard)
        keyboard.press("Escape", PROMPT)
        sitting.quit()
    titles = ("Tools", "Details of a call, preview of a file", "Pager")
    assert missing_keys(keyboard.pressed, *titles) == []


def runs(screen: str, command: str) -> bool:
    """Return whether a row of Tools says that a command runs."""
    return any("● bash" in row[100:] and command in row[100:] for row in screen.splitlines())


def cursor_of_tools(screen: str) -> str:
    """Return the tool in the row of Tools with the cursor."""
    rows = [row.partition("┃▌")[2] for row in screen.splitlines() if "┃▌" in row]
    return rows[0].split()[2] if rows and len(rows[0].split()) > 2 else ""


def run_again(keyboard: Keyboard) -> None:
    """Run the read again, from its row and from its details."""
    keyboard.press("Home", lambda screen: cursor_of_tools(screen) == "file_read")
    keyboard.press("C-r", "the same as what")
    keyboard.press("Escape", lambda screen: "the same as what" not in screen)
    keyboard.press("Enter", "━ file_read")
    keyboard.press("C-r", "the same as what")
    keyboard.press("Escape", lambda screen: "the same as what" not in screen)
    keyboard.press("q", lambda screen: "━ file_read" not in screen)


def look_through_an_output(keyboard: Keyboard) -> None:
    """Open the kept output and move in it by every key."""
    keyboard.press("Down", lambda screen: cursor_of_tools(screen) == "bash")
    keyboard.press("Enter", "━ bash")
    keyboard.press("o", "bash: whole output")
    for key, line in (
        ("G", "row 9000 of"),
        ("g", "row 1 of"),
        ("Space", "row 60 of"),
        ("PPage", "row 1 of"),
    ):
        keyboard.press(key, line)
    keyboard.press("j", lambda screen: "row 1 of" not in screen)
    keyboard.press("k", "row 1 of")
    for there, back in (("Right", "Left"), ("l", "h")):
        keyboard.press(there, lambda screen: "row 1 of" not in screen)
        keyboard.press(back, "row 1 of")
    keyboard.press("/", "search")
    keyboard.terminal.type("row 77")
    keyboard.terminal.press("Enter")
    keyboard.terminal.wait_for("1 of 111 lines")
    keyboard.press("n", "2 of 111 lines")
    keyboard.press("N", "1 of 111 lines")
    keyboard.press("Escape", lambda screen: "of 111 lines" not in screen)
    keyboard.press("y", "more than terminals take")
    keyboard.press("e", "No editor is set")
    keyboard.press("w", "bash: whole output")
    keyboard.press("q", lambda screen: "bash: whole output" not in screen)
    keyboard.press("Escape", "▶ 4 Tools")


def filter_rows(keyboard: Keyboard) -> None:
    """Filter by state, by tool and by typing."""
    keyboard.press("s", "is:ok")
    keyboard.press("t", "is:ok tool:file_read")
    keyboard.press("/", "is:ok tool:file_read")
    keyboard.press("Escape", lambda screen: "is:ok" not in screen)
