"""Blocks are drawn when they are looked at, and what is seen stays put."""

from rich.segment import Segment

from caramelo_tui.ui.widgets.block_frame import KEPT_BLOCKS, Rendered
from caramelo_tui.ui.widgets.block_view import FAR_LINES, BlockView
from caramelo_tui.ui.widgets.cells import strip_of
from caramelo_tui.ui.widgets.heights import MeasuredHeights
from tests.pilot.pane_app import Opened, opened


class Numbers(BlockView):
    """Block ``n`` has as many lines as its place in ``sizes`` says; all are estimated as one."""

    def __init__(self, *sizes: int, follows: bool = False) -> None:
        heights = MeasuredHeights()
        heights.extend([1] * len(sizes))
        super().__init__(heights, follows=follows)
        self.sizes = sizes
        self.drawn: list[int] = []
        self.late: set[int] = set()

    def render_block(self, index: int, width: int) -> Rendered:
        self.drawn.append(index)
        lines = [f"{index}.{line}" for line in range(self.sizes[index])]
        style = self.palette.text
        strips = [strip_of([(line, style)], width, style) for line in lines]
        return Rendered(strips, index not in self.late)

    def gutter_of(self, block: int, line: int) -> Segment:
        del block, line
        return Segment("  ", self.palette.text)


def lines(running: Opened) -> list[str]:
    return [line.strip(" ▐") for line in running.shown().splitlines()]


async def test_only_blocks_in_view_are_drawn() -> None:
    view = Numbers(*[2] * 1_000)
    async with opened(view, size=(20, 6)) as running:
        await running.settle()
        assert lines(running) == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]
        assert max(view.drawn) < 4
        view.go_end()
        await running.settle()
        assert lines(running)[-1] == "999.1"
        assert len(set(view.drawn)) < 10


async def test_a_wrong_estimate_moves_nothing_that_is_seen() -> None:
    view = Numbers(*[5] * 100)
    async with opened(view, size=(20, 4)) as running:
        view.scroll_to_block(50, line=2)
        await running.settle()
        before = lines(running)
        assert before == ["50.2", "50.3", "50.4", "51.0"]
        view.heights.put(10, 500)
        view.repaint()
        await running.settle()
        assert lines(running) == before


async def test_scrolling_goes_line_by_line_over_blocks() -> None:
    view = Numbers(1, 0, 3, 1, 4)
    async with opened(view, size=(20, 3)) as running:
        await running.settle()
        seen = [lines(running)[0]]
        for _ in range(6):
            view.scroll_lines(1)
            await running.settle()
            seen.append(lines(running)[0])
        assert seen == ["0.0", "2.0", "2.1", "2.2", "3.0", "4.0", "4.1"]
        assert view.is_at_end
        view.scroll_lines(5)
        assert view.is_at_end
        view.scroll_lines(-100)
        assert view.top == (0, 0)


async def test_a_far_way_goes_by_estimates() -> None:
    view = Numbers(*[1] * 5_000)
    async with opened(view, size=(20, 5)) as running:
        await running.settle()
        view.drawn.clear()
        view.scroll_lines(FAR_LINES * 5)
        await running.settle()
        assert view.top[0] == FAR_LINES * 5
        assert len(view.drawn) < 20


async def test_a_view_that_follows_shows_the_end_until_it_is_scrolled_up() -> None:
    view = Numbers(*[1] * 50, follows=True)
    async with opened(view, size=(20, 5)) as running:
        await running.settle()
        assert lines(running)[-1] == "49.0"
        view.scroll_lines(-1)
        assert not view.follows
        view.scroll_lines(1)
        await running.settle()
        assert view.is_at_end
        view.go_end()
        assert view.follows


async def test_a_block_is_shown_with_as_little_scrolling_as_needed() -> None:
    view = Numbers(*[2] * 50)
    async with opened(view, size=(20, 6)) as running:
        await running.settle()
        view.show_block(1)
        assert view.top == (0, 0)
        view.show_block(5)
        await running.settle()
        assert lines(running)[-1] == "5.1"
        view.show_block(2)
        await running.settle()
        assert lines(running)[0] == "2.0"


async def test_a_block_larger_than_the_view_is_shown_from_its_start() -> None:
    view = Numbers(1, 1, 1, 1, 1, 1, 50)
    async with opened(view, size=(20, 5)) as running:
        await running.settle()
        view.show_block(6)
        await running.settle()
        assert lines(running)[0] == "6.0"


async def test_few_drawn_blocks_are_kept() -> None:
    view = Numbers(*[1] * (KEPT_BLOCKS * 3))
    async with opened(view, size=(20, 50)) as running:
        for start in range(0, KEPT_BLOCKS * 3, 40):
            view.scroll_to_block(start)
        await running.settle()
        assert len(view._rendered) <= KEPT_BLOCKS


async def test_a_block_that_is_not_final_is_drawn_again_at_the_next_tick() -> None:
    view = Numbers(1, 1)
    view.late = {1}
    async with opened(view, size=(20, 4)) as running:
        await running.until(lambda: view.drawn.count(1) > 1)
        view.late.clear()
        await running.until(lambda: view._tick_timer is None)
        count = len(view.drawn)
        view.repaint()
        assert len(view.drawn) == count


async def test_a_frame_takes_dressed_lines_again() -> None:
    view = Numbers(*[1] * 30)
    async with opened(view, size=(20, 5)) as running:
        await running.settle()
        before = list(view._frame)
        view.scroll_lines(1)
        # The bar's thumb has not moved for the lines that have only gone up by one.
        again = [after for after in view._frame if any(after is one for one in before)]
        assert len(again) >= 3


async def test_a_view_without_blocks_takes_every_key() -> None:
    view = Numbers()
    async with opened(view) as running:
        view.focus()
        await running.press("up", "down", "pageup", "pagedown", "home", "end")
        assert view.is_at_end
        assert view.shown_blocks == (0, -1)
        assert view.block_at(0) is None
