"""Send text to the clipboard of the terminal.

Owns the OSC 52 sequence, its wrapping for tmux and screen, the bound on its length, and the words
of the toast: whether the terminal takes it is not known, so it says "sent". Text is sent as it is
shown, with what hides in it as marks: what is pasted into a shell is what was seen. It starts no
program. Proven by tests/unit/ui/test_clipboard.py and tests/pilot/test_block_keys.py.
"""

import base64
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text, size_text

if TYPE_CHECKING:
    from textual.app import App

ResultT = TypeVar("ResultT")

MAX_BYTES = 74_994
"""Most UTF-8 bytes of a text: 99,992 of base64, where several terminals stop reading."""

_SCREEN_CHUNK = 512
"""Bytes of one wrapped piece; GNU screen drops strings of 768 and more."""

_ESCAPE = "\x1b"
_END = "\x1b\\"


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
    wrapped = wrapped_sequence(shown, os.environ)
    driver = app._driver  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]  # no public way
    if wrapped and driver is not None:
        driver.write(wrapped)
    lines = count_text(shown.count("\n") + 1, "line")
    app.notify(f"{lines} ({size_text(size)}) sent to the terminal.", markup=False)


def plain_sequence(text: str) -> str:
    """Return the OSC 52 sequence that sets the clipboard (xterm control sequences, 2026-11)."""
    encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
    return f"{_ESCAPE}]52;c;{encoded}\a"


def wrapped_sequence(text: str, variables: Mapping[str, str]) -> str:
    """Return the sequence as a multiplexer hands it on; empty where there is none.

    The plain sequence goes out besides: tmux takes that one with ``set-clipboard on``, and this
    one with ``allow-passthrough on``.

    Args:
        text: Already safe to paste.
        variables: The environment, for ``TMUX``, ``STY`` and ``TERM``.
    """
    sequence = plain_sequence(text)
    terminal = variables.get("TERM", "")
    if variables.get("TMUX") or terminal.startswith("tmux"):
        doubled = sequence.replace(_ESCAPE, _ESCAPE * 2)
        return f"{_ESCAPE}Ptmux;{doubled}{_END}"
    if variables.get("STY") or terminal.startswith("screen"):
        pieces = (
            sequence[start : start + _SCREEN_CHUNK]
            for start in range(0, len(sequence), _SCREEN_CHUNK)
        )
        return "".join(f"{_ESCAPE}P{piece}{_END}" for piece in pieces)
    return ""
