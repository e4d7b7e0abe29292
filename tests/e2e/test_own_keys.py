"""Keys and sizes of the user's own, in a real terminal, from one start to the next."""

from collections.abc import Mapping
from pathlib import Path

from tests.e2e.sittings import OpenSitting

SCENARIO = """
[[turns]]
text = "DONE-MARK"
"""
KEYS = """
[keys]
"screen.zoom" = "F12"
"screen.help" = "alt+h"
"screen.files" = "ctrl+i"
"""


def column_of(screen: str, title: str) -> int:
    return next(line.index(title) for line in screen.splitlines() if title in line)


def test_keys_and_sizes_of_the_user(open_sitting: OpenSitting, user: Mapping[str, str]) -> None:
    own = Path(user["CARAMELO_HOME"])
    own.mkdir(parents=True, exist_ok=True)
    (own / "keys.toml").write_text(KEYS, encoding="utf-8")
    with open_sitting(SCENARIO, size=(160, 45)) as sitting:
        terminal = sitting.terminal
        terminal.wait_for("alt+h keys")
        terminal.wait_for("keys.toml:5: ctrl+i cannot be used")
        terminal.press("F4")
        terminal.press("F12")
        terminal.wait_for(lambda screen: "1 Files ─" not in screen)
        terminal.press("F12")
        terminal.wait_for("1 Files ─")
        before = column_of(terminal.screen(), "3 Changes")
        for _ in range(3):
            terminal.press("C-Left")
        # The title has a sign before it while the pane has the focus.
        terminal.wait_for(lambda screen: column_of(screen, "3 Changes") == before - 6)
        terminal.press("M-h")
        terminal.wait_for("Keys that could not be set")
        terminal.press("Escape")
        terminal.press("Escape")
        sitting.quit()
    with open_sitting(SCENARIO, size=(160, 45)) as sitting:
        # Two columns less: nobody has the focus there yet.
        sitting.terminal.wait_for(lambda screen: column_of(screen, "3 Changes") == before - 8)
        sitting.quit()
