"""Name the requests that pass between the panes and the main screen.

Owns messages that more than one module posts. Past tense of the act; they carry values only.
Proven by tests/pilot/.
"""

from textual.message import Message


class DraftTyped(Message):
    """Text was typed or pasted into a question; it belongs to the prompt's draft."""

    def __init__(self, text: str, *, is_paste: bool = False) -> None:
        super().__init__()
        self.text = text
        self.is_paste = is_paste


class QuitAsked(Message):
    """The person wants to leave; what is undecided is asked about first."""
