"""Show the four panes as tabs where only one has room.

Owns one line; a click on a tab asks for its pane. Proven by tests/pilot/test_layout.py.
"""

from collections.abc import Mapping

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.ui.pane_layout import PANES, Place
from caramelo_tui.ui.widgets.cells import Line, strip_of
from caramelo_tui.ui.widgets.frame_view import FrameView

PANE_NAMES: Mapping[Place, str] = {
    Place.FILES: "Files",
    Place.CONVERSATION: "Conversation",
    Place.CHANGES: "Changes",
    Place.TOOLS: "Tools",
}
"""Names of the panes as titles and tabs show them."""


class TabLine(FrameView):
    """Numbers, names and badges of the panes; the open one stands out by reverse and a sign."""

    class Clicked(Message):
        """The person clicked a tab."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.can_focus = False
        self._active = Place.CONVERSATION
        self._badges: Mapping[Place, str] = {}

    def show(self, active: Place, badges: Mapping[Place, str]) -> None:
        """Show which pane is open and the badges of all."""
        self._active, self._badges = active, dict(badges)
        self.repaint()

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the tabs."""
        palette = self.palette
        line: Line = []
        for place in PANES:
            is_active = place is self._active
            style = palette.style(
                "primary" if is_active else "muted", attributes="bold reverse" if is_active else ""
            )
            line.append((f" {self._label(place)} ", style))
            line.append((" ", palette.text))
        return [strip_of(line, width, palette.text)] + [
            strip_of([], width, palette.text) for _ in range(height - 1)
        ]

    def on_click(self, event: events.Click) -> None:
        """Ask for the pane of the clicked tab."""
        at = 0
        for place in PANES:
            end = at + cell_len(self._label(place)) + 2
            if at <= event.x < end:
                self.post_message(self.Clicked(place))
                return
            at = end + 1

    def _label(self, place: Place) -> str:
        return pane_label(place, self._badges.get(place, ""))


def pane_label(place: Place, badge: str) -> str:
    """Return number, name and badge of a pane, such as ``3 Changes ?2``."""
    label = f"{PANES.index(place) + 1} {PANE_NAMES[place]}"
    return f"{label} {badge}" if badge else label
