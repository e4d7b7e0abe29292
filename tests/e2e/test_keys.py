"""Every key of the frame, pressed in a real terminal, does what docs/keys.md says."""

from collections.abc import Callable, Mapping
from pathlib import Path

from caramelo_tui.ui.keymap import KeyPlace, keys_of
from tests.e2e.sittings import ARMED, IDLE, OpenSitting, last_line, user_texts
from tests.e2e.terminal import Terminal

SCENARIO = """
[[turns]]
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "one", replace = "two" }
[[turns]]
text = "DONE-MARK"
[[turns]]
text = "SECOND-MARK"
"""

PROMPT = f"┃ {IDLE}"
"""The empty prompt with the focus."""

JUMPS: Mapping[str, str] = {
    "F2": "▶ 1 Files",
    "F3": "▶ 2 Conversation",
    "F4": "▶ 3 Changes",
    "F5": "▶ 4 Tools",
    "M-1": "▶ 1 Files",
    "M-2": "▶ 2 Conversation",
    "M-3": "▶ 3 Changes",
    "M-4": "▶ 4 Tools",
}

TMUX_NAMES = {
    "ctrl+c": "C-c",
    "ctrl+g": "C-g",
    "ctrl+l": "C-l",
    "ctrl+n": "C-n",
    "ctrl+o": "C-o",
    "ctrl+p": "C-p",
    "ctrl+r": "C-r",
    "ctrl+t": "C-t",
    "shift+tab": "BTab",
    "shift+F5": "S-F5",
    "shift+F6": "S-F6",
    "shift+F7": "S-F7",
    "shift+F8": "S-F8",
    "shift+F9": "S-F9",
    "esc": "Escape",
    **{f"ctrl+{way.lower()}": f"C-{way}" for way in ("Left", "Right", "Up", "Down")},
    **{f"alt+{digit}": f"M-{digit}" for digit in "1234"},
    "alt+v": "M-v",
}


class Keyboard:
    """Presses keys and notes which ones had their effect."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.pressed: set[str] = set()

    def press(self, key: str, effect: str | Callable[[str], bool]) -> None:
        """Press a key and wait for its effect on the screen."""
        self.terminal.press(key)
        self.terminal.wait_for(effect)
        self.pressed.add(key)


def test_the_keys_of_the_frame(open_sitting: OpenSitting, project: Path) -> None:
    (project / "app.py").write_text("one\n")
    with open_sitting(SCENARIO, size=(160, 45)) as sitting:
        keyboard = Keyboard(sitting.terminal)
        move_among_the_panes(keyboard)
        change_mode_and_look_up_keys(keyboard)
        keyboard.press("C-o", "Nothing waits for you.")
        keyboard.press("F9", "There is no plan to carry out.")
        keyboard.press("S-F9", "There is no plan to edit.")
        keyboard.press("F7", "There is no limit of changed lines.")
        keyboard.press("S-F7", "Changed lines are counted from zero.")
        keyboard.press("C-l", "No prompt waits.")
        keyboard.press("M-v", "No image came from the clipboard")
        keyboard.press("C-n", "No command of yours has ended yet")
        keyboard.press("C-r", "There is no earlier prompt.")
        keyboard.press("C-g", "No editor is set")
        keyboard.press("S-F5", "* in use · ! no key")
        keyboard.press("Escape", PROMPT)
        keyboard.press("S-F8", "The terminal has the mouse. shift+F8 takes it back.")
        keyboard.press("S-F8", "The mouse works in Caramelo again.")
        # None of these keys has typed anything.
        assert PROMPT in sitting.terminal.screen()
        write_and_settle(keyboard)
        sitting.wait_for_ends(1)
        assert user_texts(sitting.server.bodies()[0]) == ["two\nlines"]
        keyboard.press("Escape", PROMPT)
        # Earlier prompts come back; clearing a draft arms quitting.
        keyboard.press("Up", "┃ lines")
        keyboard.press("C-c", lambda screen: ARMED in screen and PROMPT in screen)
        sitting.terminal.wait_for(lambda screen: ARMED not in screen)
        sitting.quit()
    named = {
        TMUX_NAMES.get(label, label)
        for place in (KeyPlace.APP, KeyPlace.SCREEN)
        for entry in keys_of(place)
        for label in entry.labels
    }
    assert named <= keyboard.pressed


def move_among_the_panes(keyboard: Keyboard) -> None:
    """Jump, go round and back, zoom."""
    for key, effect in JUMPS.items():
        keyboard.press(key, effect)
        keyboard.press("Escape", PROMPT)
    titles = ["▶ 3 Changes", "▶ 4 Tools", "▶ 1 Files", "▶ 2 Conversation"]
    for title in [*titles, PROMPT]:
        keyboard.press("F6", title)
    for title in [*reversed(titles), PROMPT]:
        keyboard.press("S-F6", title)
    keyboard.press("F5", "▶ 4 Tools")
    keyboard.press("F8", lambda screen: "1 Files ─" not in screen)
    assert "No tool calls yet." in keyboard.terminal.screen()
    keyboard.press("F8", "1 Files ─")
    move_the_borders(keyboard)
    keyboard.press("Escape", PROMPT)


def move_the_borders(keyboard: Keyboard) -> None:
    """Move the borders left of Tools and above it, there and back."""
    upright, level = title_of_tools(keyboard.terminal.screen())
    keyboard.press("C-Left", lambda screen: title_of_tools(screen) == (upright - 2, level))
    keyboard.press("C-Up", lambda screen: title_of_tools(screen) == (upright - 2, level - 1))
    keyboard.press("C-Right", lambda screen: title_of_tools(screen) == (upright, level - 1))
    keyboard.press("C-Down", lambda screen: title_of_tools(screen) == (upright, level))


def title_of_tools(screen: str) -> tuple[int, int]:
    """Return column and row of the title of Tools."""
    rows = screen.splitlines()
    row = next(row for row, line in enumerate(rows) if "4 Tools" in line)
    return rows[row].index("4 Tools"), row


def change_mode_and_look_up_keys(keyboard: Keyboard) -> None:
    """Go round the modes; open help and palette, and close them."""
    for mode in ("each", "auto", "plan", "review"):
        keyboard.press("BTab", says_mode(mode))
    keyboard.press("F1", "━ Keys ━")
    keyboard.press("Escape", lambda screen: "━ Keys ━" not in screen)
    keyboard.press("C-p", "Zoom the focused pane")
    keyboard.press("Escape", lambda screen: "Zoom the focused pane" not in screen)


def says_mode(mode: str) -> Callable[[str], bool]:
    """Return whether the status bar says a mode."""
    return lambda screen: last_line(screen).split()[0] == mode


def write_and_settle(keyboard: Keyboard) -> None:
    """Send two lines, and settle the review that comes of them."""
    terminal = keyboard.terminal
    terminal.type("two")
    terminal.wait_for("┃ two ")
    terminal.press("C-j")
    terminal.type("lines")
    # A line of its own, below the first one.
    terminal.wait_for("┃ lines")
    # Without a run there is nothing to steer: it is sent.
    keyboard.press("C-t", "1 waiting")
    keyboard.press("C-o", "▶ 3 Changes")
    terminal.decide("Y", undecided=0)
    terminal.press("s")
    terminal.wait_for("DONE-MARK")


LONG_COMMAND = """
[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = "echo first\\n{lines}touch end" }}
[[turns]]
text = "DONE-MARK"
"""


def test_the_command_of_a_modal_is_whole_on_a_small_screen(open_sitting: OpenSitting) -> None:
    scenario = LONG_COMMAND.format(lines="echo line\\n" * 30)
    with open_sitting(scenario, size=(60, 16)) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.wait_for("echo first")
        terminal.resize(40, 12)
        terminal.wait_for("scroll to the end")
        terminal.press("End")
        terminal.wait_for("touch end")
        terminal.wait_for("ready: y runs it once")
        terminal.press("n")
        terminal.wait_for("Too small")
        terminal.resize(60, 16)
        terminal.wait_for("DONE-MARK")
        sitting.wait_for_ends(1)
        sitting.quit()
    assert not (sitting.project / "end").exists()


LONG = """
[[turns]]
text = '''{text}
END-MARK'''
"""


def test_a_storm_of_resizes_while_text_streams(open_sitting: OpenSitting) -> None:
    words = "".join(
        f"{number} is **bold** and `code` in a list that wraps\n" for number in range(400)
    )
    fault = {"chunk_sizes": [4000], "pace_s": 0.05}
    with open_sitting(LONG.format(text=words), faults=[fault], size=(160, 45)) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.wait_for("bold")
        for number in range(30):
            terminal.resize(60 + number * 37 % 141, 16 + number * 13 % 35)
            # One look at each size: a broken frame would end the program.
            terminal.screen()
        assert not sitting.endings(), "the stream was over before the storm"
        terminal.resize(160, 45)
        terminal.wait_for("END-MARK")
        sitting.wait_for_ends(1)
        screen = terminal.wait_for(lambda screen: "╭─ 1 Files" in screen and "4 Tools" in screen)
        rows = screen.rstrip("\n").split("\n")
        assert len(rows) == 45
        assert all(len(row) == 160 for row in rows[:-1])
        terminal.resize(50, 10)
        terminal.wait_for("Too small: 60×16 is needed.")  # noqa: RUF001 - the sign for "by"
        terminal.resize(80, 24)
        # The same pane as before, and the focus in the prompt.
        terminal.wait_for(lambda screen: "END-MARK" in screen and PROMPT in screen)
        assert "1 Files   2 Conversation   3 Changes   4 Tools" in terminal.screen()
        sitting.quit()
