"""Send text to the clipboard of the terminal, and to that of the system.

Owns the OSC 52 sequence, the bound on its length, and the words of the toast: whether the terminal
takes it is not known, so it says "sent"; what a program of the system took is "copied". Text is
sent as it is shown, with what hides in it as marks: what is pasted into a shell is what was seen.
Starts no program: the app hands the text on. Proven by tests/unit/ui/test_clipboard.py,
tests/pilot/test_copying.py and tests/pilot/test_block_keys.py.
"""

import base64
import os
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text, size_text
from caramelo_tui.ui.terminal_sequences import wrapped

if TYPE_CHECKING:
    from textual.app import App

ResultT = TypeVar("ResultT")


@runtime_checkable
class SystemCopier(Protocol):
    """An app that reaches the system's clipboard as well."""

    def copy_to_system(self, text: str, *, size_words: str) -> None:
        """Hand a text to the system, and say what became of it.

        Args:
            text: As it is shown.
            size_words: How much it is, to begin the sentence with.
        """
        ...


MAX_BYTES = 74_994
"""Most UTF-8 bytes of a text: 99,992 of base64, where several terminals stop reading."""


def copy_text(app: "App[ResultT]", text: str) -> None:
    """Send a text to the terminal's clipboard, hand it to the system's, and say so.

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
    words = f"{count_text(shown.count(chr(10)) + 1, 'line')} ({size_text(size)})"
    if isinstance(app, SystemCopier):
        app.copy_to_system(shown, size_words=words)
    else:
        app.notify(sent_text(words), markup=False)


def sent_text(size_words: str) -> str:
    """Return what is said where only the terminal was told."""
    return f"{size_words} sent to the terminal."


def plain_sequence(text: str) -> str:
    """Return the OSC 52 sequence that sets the clipboard (xterm control sequences, 2026-11)."""
    encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
    return f"\x1b]52;c;{encoded}\a"
