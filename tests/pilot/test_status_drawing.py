"""The status bar draws what stands at the end of a turn of the loop, once."""

from dataclasses import replace

from textual.strip import Strip

from caramelo_tui.ui.panes.status_bar import StatusBar
from tests.pilot.pane_app import opened


class CountingBar(StatusBar):
    """Counts how often its line was composed."""

    composed = 0

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        self.composed += 1
        return super().compose_frame(width, height)


async def test_many_changes_in_one_turn_are_drawn_once() -> None:
    bar = CountingBar()
    async with opened(bar, size=(100, 1)) as running:
        await running.settle()
        before = bar.composed
        for turn in range(1, 100):
            bar.show(replace(bar.view, is_running=turn % 2 == 1, turn=turn))
        await running.settle()
        assert bar.composed == before + 1
        assert "ctrl+c stop" in running.shown()


async def test_what_changes_nothing_draws_nothing() -> None:
    bar = CountingBar()
    async with opened(bar, size=(100, 1)) as running:
        await running.settle()
        before = bar.composed
        bar.show(replace(bar.view))
        await running.settle()
        assert bar.composed == before
