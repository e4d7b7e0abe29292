"""A flood costs the screen what is looked at, not what came."""

from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from tests.pilot.pane_app import opened

PARAGRAPHS = 4_000
LINES = 12


class WatchedView(ConversationView):
    """Notes which blocks each paint rendered, and which of them it did not show."""

    def __init__(self) -> None:
        super().__init__()
        self.in_view = 0
        self.out_of_view = 0
        self._now: list[int] = []

    def render_block(self, index: int, width: int) -> Rendered:
        self._now.append(index)
        return super().render_block(index, width)

    def repaint(self) -> None:
        self._now.clear()
        super().repaint()
        first, last = self.shown_blocks
        shown = sum(first <= index <= last for index in self._now)
        self.in_view += shown
        self.out_of_view += len(self._now) - shown


async def test_blocks_out_of_view_are_not_rendered_in_a_flood() -> None:
    view = WatchedView()
    async with opened(view, size=(60, LINES)) as running:
        for number in range(PARAGRAPHS):
            view.add_text(f"Paragraph {number} of *it* all.\n\n")
        await running.until(lambda: view.is_settled and view._tick_timer is None)
        assert len(view.blocks) == PARAGRAPHS
        assert view.in_view > 0
        assert view.out_of_view == 0


async def test_a_flood_mounts_no_widget() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        before = len(list(running.app.query("*")))
        for number in range(5_000):
            pane.show_notice("info", f"notice {number}")
        await running.until(lambda: pane.view.is_settled and pane.view._tick_timer is None)
        assert len(list(running.app.query("*"))) == before
