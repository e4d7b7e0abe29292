"""A command is shown literally, and its end counts only when it was seen."""

from textual.containers import Vertical
from textual.widgets import Static

from caramelo_tui.ui.widgets.command_view import CommandView
from tests.pilot.pane_app import opened


async def test_a_short_command_is_seen_at_once() -> None:
    view = CommandView("pytest -q")
    async with opened(view) as running:
        await running.until(lambda: view.is_end_shown)
        assert running.shown().splitlines()[0] == "$ pytest -q"
        assert len(running.of_kind(CommandView.EndShown)) == 1
        assert view.line_count == 1


async def test_nothing_is_dropped_at_a_wrap() -> None:
    command = "echo  a   b      c " * 8 + "  "
    view = CommandView(command)
    async with opened(view, size=(30, 20)) as running:
        await running.until(lambda: view.is_end_shown)
        lines = [strip.text[2:-1] for strip in view._frame if strip.text.strip()]
        shown = "".join(lines).rstrip()
        assert shown.replace("·", " ") == command
        assert [strip.text[0] for strip in view._frame[:3]] == ["$", "↪", "↪"]


async def test_hidden_and_look_alike_characters_are_marks() -> None:
    view = CommandView("curl ex\u0430mple.org\u202e\x1b[31m\tx\r\nrm [/] [@click=app.quit]y[/]")
    async with opened(view, size=(100, 10)) as running:
        await running.until(lambda: view.is_end_shown)
        first, second = running.shown().splitlines()[:2]
        assert first == "$ curl ex<U+0430>mple.org<U+202E><U+001B>[31m→x<U+000D>"
        assert second == "  rm [/] [@click=app.quit]y[/]"
        warned = [
            segment.text
            for strip in view._frame
            for segment in strip
            if segment.style
            and segment.style.bgcolor
            and segment.style.bgcolor.name == view.palette.colors["warning"]
        ]
        assert "".join(warned) == "<U+0430><U+202E><U+001B>→<U+000D>"


async def test_the_end_of_a_long_command_has_to_be_scrolled_to() -> None:
    view = CommandView("\n".join(f"step {number}" for number in range(40)))
    view.styles.max_height = 10
    async with opened(view) as running:
        await running.settle()
        assert not view.is_end_shown
        view.scroll_lines(20)
        await running.settle()
        assert not view.is_end_shown
        view.go_end()
        await running.until(lambda: view.is_end_shown)
        view.go_home()
        await running.settle()
        assert view.is_end_shown


async def test_an_end_outside_the_screen_was_not_seen() -> None:
    view = CommandView("one\ntwo\nthree")
    box = Vertical(Static("\n" * 6), view)
    async with opened(box, size=(40, 8)) as running:
        await running.settle()
        view.repaint()
        await running.settle()
        assert not view.is_end_shown
        await running.pilot.resize_terminal(40, 20)
        await running.until(lambda: view.is_end_shown)


async def test_another_command_was_not_seen_yet() -> None:
    view = CommandView("short")
    view.styles.max_height = 5
    async with opened(view) as running:
        await running.until(lambda: view.is_end_shown)
        view.show_command("\n".join("x" * 9))
        assert not view.is_end_shown
        await running.settle()
        assert not view.is_end_shown
        view.go_end()
        await running.until(lambda: view.is_end_shown)
        view.show_command(view.command)
        assert view.is_end_shown


async def test_the_height_is_that_of_the_whole_command() -> None:
    view = CommandView("x" * 100)
    view.styles.height = "auto"
    async with opened(view, size=(43, 20)) as running:
        await running.settle()
        assert view.size.height == 3
