"""Output of any size opens at once, grows, and can be looked through."""

from caramelo_tui.ui.widgets.output_view import OutputView
from tests.pilot.pane_app import opened

LINES = b"".join(b"line %d of the output\n" % number for number in range(150_000))


async def test_lines_are_numbered_and_coloured() -> None:
    view = OutputView()
    async with opened(view) as running:
        view.show_bytes(b"\x1b[31mred\x1b[0m plain\nlast without end")
        await running.settle()
        assert running.shown().splitlines()[:2] == ["1  red plain", "2  last without end"]
        assert view.line_count == 2
        assert view.size_bytes == 35


async def test_a_large_output_is_reached_everywhere() -> None:
    view = OutputView()
    async with opened(view) as running:
        view.show_bytes(LINES)
        view.focus()
        await running.settle()
        assert view.line_count == 150_000
        assert "line 0 of the output" in running.shown()
        await running.press("end")
        assert "line 149999 of the output" in running.shown()
        view.scroll_lines(-75_000)
        await running.settle()
        assert "149999" not in running.shown()
        assert len(view._rendered) <= 300
        await running.press("g", "j", "space")
        assert view.top[0] == view.body_height
        await running.press("G")
        assert view.is_at_end


async def test_growing_output_is_followed_from_its_end() -> None:
    view = OutputView()
    async with opened(view, size=(40, 8)) as running:
        for number in range(30):
            view.append(f"line {number}\n")
        await running.until(lambda: "line 29" in running.shown())
        view.append("half")
        await running.until(lambda: "half" in running.shown())
        view.append(" and half\n")
        await running.until(lambda: "half and half" in running.shown())
        assert view.line_count == 31
        view.focus()
        await running.press("home")
        view.append("not in view\n")
        await running.until(lambda: view._tick_timer is None)
        assert "not in view" not in running.shown()
        assert "line 0" in running.shown()


async def test_long_lines_scroll_sideways_or_wrap() -> None:
    view = OutputView()
    async with opened(view, size=(40, 10)) as running:
        view.show_bytes(b"start " + b"x" * 80 + b" stop\nsecond\n")
        view.focus()
        await running.settle()
        assert "stop" not in running.shown()
        await running.press(*["right"] * 7)
        assert "stop" in running.shown()
        await running.press(*["left"] * 7, "w")
        assert "start" in running.shown()
        assert "stop" in running.shown()


async def test_an_empty_output_says_so() -> None:
    view = OutputView()
    async with opened(view) as running:
        view.show_bytes(b"")
        await running.settle()
        assert "No output." in running.shown()
        assert view.line_count == 0


async def test_an_index_counts_only_what_is_there() -> None:
    view = OutputView()
    async with opened(view):
        for data, count in ((b"\n", 1), (b"a\n\nb", 3), (b"a", 1), (b"a\nb\n", 2)):
            view.show_bytes(data)
            assert view.line_count == count


async def test_a_line_that_comes_in_pieces_is_one_line() -> None:
    view = OutputView()
    async with opened(view):
        for piece in ("a", "b", "", "\nc\n", "d"):
            view.append(piece)
        assert view.line_count == 3
        assert ["".join(text for text, _ in view.line(index)) for index in range(3)] == [
            "ab",
            "c",
            "d",
        ]
