"""A frame is compared line by line, and ticks only when something came."""

import time

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import strip_of
from caramelo_tui.ui.widgets.frame_view import BACKLOG_TICK_S, TICK_S, WORK_BUDGET_S, FrameView
from tests.doubles.clocks import ManualClock
from tests.pilot.pane_app import opened


class Lines(FrameView):
    """Shows some texts and counts what it was asked for."""

    def __init__(self, *texts: str, clock: ManualClock | None = None) -> None:
        super().__init__(monotonic=clock.monotonic if clock else time.monotonic)
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


class Flooded(Lines):
    """Has more to take in than one tick may, and notes what each tick did."""

    def __init__(self, slices: int, clock: ManualClock) -> None:
        super().__init__(clock=clock)
        self.slices = slices
        self.did: list[str] = []
        self._clock = clock

    def take_in(self) -> None:
        super().take_in()
        self.did.append("take")
        self._clock.seconds += WORK_BUDGET_S
        if self.slices:
            self.slices -= 1
            self.texts = [f"{self.slices} to come"]
            self.schedule_tick(is_soon=bool(self.slices))

    def repaint(self) -> None:
        self.did.append("paint")
        super().repaint()


async def test_a_flood_is_painted_as_rarely_as_a_stream_and_never_in_the_tick_of_a_slice() -> None:
    clock = ManualClock()
    view = Flooded(100, clock)
    async with opened(view, size=(20, 4)) as running:
        await running.settle()
        view.did.clear()
        view.schedule_tick()
        await running.until(lambda: not view.slices and view._tick_timer is None)
        await running.settle()
        assert running.shown().rstrip() == "0 to come"
        seconds = view.did.count("take") * WORK_BUDGET_S
        assert view.did.count("paint") <= seconds / TICK_S + 3
        assert view.did.count("paint") >= seconds / TICK_S - 3


async def test_what_comes_while_a_paint_is_owed_is_taken_in() -> None:
    view = Flooded(2, ManualClock())
    async with opened(view, size=(20, 4)) as running:
        view.schedule_tick()
        await running.until(lambda: view._owes_paint and not view._is_behind)
        view.slices = 3
        view.schedule_tick()
        await running.until(lambda: not view.slices and view._tick_timer is None)
        await running.settle()
        assert running.shown().rstrip() == "0 to come"
