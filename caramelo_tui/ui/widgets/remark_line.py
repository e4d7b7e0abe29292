"""Write one line about a proposal.

Owns the input and what the line is about; what becomes of the remark is the pane's matter.
Proven by tests/pilot/test_changes.py.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from caramelo_tui.ui.widgets.cells import cut_left, one_line
from caramelo_tui.ui.widgets.diff_lines import ChosenLines
from caramelo_tui.ui.widgets.diff_sections import HunkSection

_TITLE_CELLS = 40


class RemarkLine(Input):
    """A line that is there only while a remark is written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave without a remark", show=False, id="remark.leave"),
    ]

    class Kept(Message):
        """The user finished a remark; an empty one takes the earlier one back."""

        def __init__(
            self,
            text: str,
            section: HunkSection,
            *,
            is_about_hunk: bool,
            lines: ChosenLines | None = None,
        ) -> None:
            super().__init__()
            self.lines = lines
            self.text = text
            self.section = section
            self.is_about_hunk = is_about_hunk

    class Left(Message):
        """The user left the line without a remark."""

    def __init__(self) -> None:
        super().__init__(id="changes-remark", placeholder="remark for the model, then Enter")
        # A blinking cursor is a timer and a repaint for nothing.
        self.cursor_blink = False
        self.display = False
        self._section: HunkSection | None = None
        self._is_about_hunk = True
        self._lines: ChosenLines | None = None

    def open(
        self, section: HunkSection, *, is_about_hunk: bool, lines: ChosenLines | None = None
    ) -> None:
        """Come up, empty, for a hunk, for chosen lines of it, or for its file."""
        self._section = section
        self._is_about_hunk = is_about_hunk
        self._lines = lines
        path = cut_left(one_line(section.path), _TITLE_CELLS)
        place = lines.words if lines is not None else f"line {section.hunk.new_start}"
        about = f"{path}, {place}" if is_about_hunk else path
        self.border_title = Content(f"remark on {about}")
        self.value = ""
        self.display = True
        self.focus()

    def close(self) -> None:
        """Go away."""
        self._section = None
        self.display = False

    def action_leave(self) -> None:
        """Go away without a remark."""
        self.close()
        self.post_message(self.Left())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the remark on."""
        event.stop()
        section = self._section
        self.close()
        if section is not None:
            self.post_message(
                self.Kept(
                    event.value, section, is_about_hunk=self._is_about_hunk, lines=self._lines
                )
            )
