"""Search a program's output, colours and all.

Owns the plain text of the bytes, made when it is first searched; drawing, moving and the matches
are those of the views below. Proven by tests/pilot/test_tool_log.py.
"""

import re

from caramelo_tui.ui.widgets.block_pager import PagerView

_SEQUENCES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])"
)
"""Colours and other orders to a terminal. Source: ECMA-48, 5th edition, 5.4 and 5.6."""


class SearchedOutput(PagerView):
    """A whole output with a search."""

    def __init__(self, data: bytes, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__("", id=id)
        self._raw = data
        self._is_plain_known = False

    def show_start(self) -> None:
        """Show the bytes from their start, lines as long as they are."""
        self.show_bytes(self._raw)

    def search(self, text: str) -> None:
        """Search from the line at the top; an empty text ends the search."""
        if text and not self._is_plain_known:
            self._is_plain_known = True
            self._text = plain_text(self._raw)
        super().search(text)

    @property
    def plain(self) -> str:
        """The output as a person reads it; control characters are still to be made safe."""
        return plain_text(self._raw)


def plain_text(data: bytes) -> str:
    """Return an output without orders to a terminal, with as many lines."""
    return _SEQUENCES.sub(b"", data).replace(b"\r\n", b"\n").decode("utf-8", "replace")
