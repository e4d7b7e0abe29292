"""A one-line filter that shows only while it is used.

Owns its coming and going; how the text changes is said by ``Input.Changed``. Proven by
tests/pilot/test_tool_log.py and tests/pilot/test_file_tree.py.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class FilterLine(Input):
    """Typing narrows a list; Enter goes to the list, Escape lifts the filter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "lift", "Lift the filter", show=False),
        Binding("enter,down", "to_list", "Go to the list", show=False),
    ]

    class Left(Message):
        """The person is done with the filter; it stands, or it is empty and hidden."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(
            id=id, placeholder="filter", compact=True, select_on_focus=False, classes="filter"
        )
        self.cursor_blink = False
        self.display = False

    def open(self) -> None:
        """Show the filter and type into it."""
        self.display = True
        self.focus()

    def show_value(self, value: str) -> None:
        """Show a filter that was not typed; the focus stays where it is."""
        self.value = value
        self.display = bool(value)

    def close(self) -> None:
        """Lift the filter and hide it."""
        self.value = ""
        self.display = False

    def action_lift(self) -> None:
        """Lift the filter and leave it."""
        self.close()
        self.post_message(self.Left())

    def action_to_list(self) -> None:
        """Leave the filter as it is; an empty one hides."""
        if not self.value:
            self.display = False
        self.post_message(self.Left())
