"""Tell a person who looks elsewhere that something waits, or that the run has ended.

Owns the terminal's title, and the bell and notification that go out when something new waits or
the run has ended, and the terminal has said that it lost the focus. A terminal that says nothing of
its focus counts as looked at. Proven by tests/unit/ui/test_notifications.py and
tests/pilot/test_notifications.py.
"""

from collections.abc import Callable, Mapping

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.terminal_sequences import BELL, notice_sequence, title_sequence


class Notifications:
    """What the terminal is told beside the picture."""

    def __init__(
        self, *, write: Callable[[str], None], variables: Mapping[str, str], rings: bool = True
    ) -> None:
        """Take the way to the terminal.

        Args:
            write: Prints a sequence.
            variables: The environment, to know a multiplexer by.
            rings: Whether bell and notification are wanted; the title is set in any case.
        """
        self._rings = rings
        self._write = write
        self._variables = variables
        self._name = ""
        self._waiting = 0
        self._is_running = False
        self._has_focus = True
        self._title = ""

    def show_name(self, name: str) -> None:
        """Take the name of what is worked on, such as ``Caramelo · project``."""
        self._name = name
        self._show_title()

    def show_course(self, *, is_running: bool, waiting: int) -> None:
        """Take how the run stands; who looks elsewhere is told of what waits, and of the end."""
        is_new = waiting > self._waiting
        is_done = self._is_running and not is_running
        self._waiting, self._is_running = waiting, is_running
        self._show_title()
        if is_new and not self._has_focus:
            self._ring(count_text(waiting, "question waits", "questions wait"))
        elif is_done and not self._has_focus:
            self._ring("the run has ended")

    def _ring(self, words: str) -> None:
        if self._rings:
            self._write(BELL + notice_sequence(f"{self._name}: {words}", self._variables))

    def note_focus(self, *, has_focus: bool) -> None:
        """Take what the terminal says of its focus."""
        self._has_focus = has_focus

    def show_again(self) -> None:
        """Set the title again, because another program had the terminal."""
        self._title = ""
        self._show_title()

    def _show_title(self) -> None:
        sign = f"? {self._waiting} · " if self._waiting else "● " if self._is_running else ""
        title = f"{sign}{self._name}"
        if title != self._title:
            self._title = title
            self._write(title_sequence(title))
