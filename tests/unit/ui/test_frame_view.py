"""A frame is compared line by line, and ticks only when something came."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import strip_of
from caramelo_tui.ui.widgets.frame_view import BACKLOG_TICK_S, FrameView
from tests.pilot.pane_app import opened


class Lines(FrameView):
    """Shows some texts and counts what it was asked for."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.texts = list(texts)
        self.taken = 0
        self.refreshed: list[Region] = []

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        texts = [*self.texts, *[""] * height][:height]
        return [strip_of([(text, self.palette.text)], width, self.palette.text) for text in texts]

    def take_in(self) -> None:
        self.taken += 1

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> "Lines":
        self.refreshed += regions
        super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        return self


class _Upper(LineFilter):
    """A filter that can be seen."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        del background
        return [Segment(text.upper(), style) for text, style, _control in segments]


async def test_only_lines_that_changed_are_refreshed() -> None:
    view = Lines("a", "b", "c")
    async with opened(view, size=(10, 4)) as running:
        await running.settle()
        view.refreshed.clear()
        view.texts[1] = "B"
        view.repaint()
        assert view.refreshed == [Region(0, 1, 10, 1)]
        await running.settle()
        assert running.shown() == "a\nB\nc\n"
        view.refreshed.clear()
        view.repaint()
        assert view.refreshed == []


async def test_many_ticks_are_one_timer() -> None:
    view = Lines()
    async with opened(view) as running:
        view.schedule_tick()
        timer = view._tick_timer
        view.schedule_tick()
        view.schedule_tick(is_soon=True)
        assert view._tick_timer is timer
        await running.until(lambda: view.taken)
        assert view._tick_timer is None
        assert view.taken == 1
        view.schedule_tick(is_soon=True)
        assert view._tick_timer is not None
        assert view._tick_timer._interval == BACKLOG_TICK_S


async def test_a_tick_wished_for_too_early_comes_with_the_mounting() -> None:
    view = Lines()
    view.schedule_tick()
    async with opened(view) as running:
        await running.until(lambda: view.taken)


async def test_the_bar_says_where_and_how_much() -> None:
    view = Lines()
    async with opened(view):
        marks = [
            "".join(part.text for part in view.bar_segments(6, total=total, top=top))
            for total, top in ((6, 0), (12, 0), (12, 6), (12, 3), (10_000, 8_000))
        ]
        assert marks == ["      ", "▐▐▐   ", "   ▐▐▐", "  ▐▐▐ ", "    ▐ "]


async def test_filters_of_the_app_reach_the_lines() -> None:
    view = Lines("a")
    async with opened(view) as running:
        await running.settle()
        app = running.app
        app._filters.append(_Upper())
        try:
            assert view.render_lines(Region(0, 0, 3, 1))[0].text == "A  "
        finally:
            app._filters.pop()
        assert view.render_line(0).text.startswith("a")
        assert not view.render_line(99).text.strip()
