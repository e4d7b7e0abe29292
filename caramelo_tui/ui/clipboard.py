"""Send text to the clipboard of the terminal.

Owns the OSC 52 sequence, the bound on its length, and the words of the toast: whether the terminal
takes it is not known, so it says "sent". Text is sent as it is shown, with what hides in it as
marks: what is pasted into a shell is what was seen. It starts no program. Proven by
tests/unit/ui/test_clipboard.py and tests/pilot/test_block_keys.py.
"""

import base64
import os
from typing import TYPE_CHECKING, TypeVar

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text, size_text
from caramelo_tui.ui.terminal_sequences import wrapped

if TYPE_CHECKING:
    from textual.app import App

ResultT = TypeVar("ResultT")

MAX_BYTES = 74_994
"""Most UTF-8 bytes of a text: 99,992 of base64, where several terminals stop reading."""


def copy_text(app: "App[ResultT]", text: str) -> None:
    """Send a text to the terminal's clipboard, and say so.

    Args:
        app: Writes to the terminal, and keeps the text for its own fields too.
        text: As it came; an empty one, and one above ``MAX_BYTES``, is not sent and that is said.
    """
    shown = visible(text.replace("\r\n", "\n"))
    size = len(shown.encode("utf-8"))
    if not shown:
        app.notify("There is nothing to copy.", severity="warning", markup=False)
        return
    if size > MAX_BYTES:
        words = f"{count_text(size, 'byte')} are more than terminals take ({MAX_BYTES:,})."
        app.notify(f"{words} Nothing was sent.", severity="warning", markup=False)
        return
    app.copy_to_clipboard(shown)
    # tmux takes the plain sequence with set-clipboard on, this one with allow-passthrough on.
    again = wrapped(plain_sequence(shown), os.environ)
    driver = app._driver  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]  # no public way
    if again and driver is not None:
        driver.write(again)
    lines = count_text(shown.count("\n") + 1, "line")
    app.notify(f"{lines} ({size_text(size)}) sent to the terminal.", markup=False)


def plain_sequence(text: str) -> str:
    """Return the OSC 52 sequence that sets the clipboard (xterm control sequences, 2026-11)."""
    encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
    return f"\x1b]52;c;{encoded}\a"
