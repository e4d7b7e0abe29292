"""What an action will do is shown whole, and its end counts only when it was seen."""

from caramelo_tui.ui.screens.action_text import action_lines
from caramelo_tui.ui.widgets.action_view import ActionView
from tests.pilot.driving import COMMIT
from tests.pilot.pane_app import opened


async def test_a_short_action_is_seen_at_once() -> None:
    view = ActionView(action_lines(COMMIT))
    view.styles.width = "1fr"
    async with opened(view) as running:
        await running.until(lambda: view.is_end_shown)
        lines = running.shown().splitlines()
        assert lines[0] == "» Commit all changes"
        assert lines[1] == "  files  src/cli.py"
        assert len(running.of_kind(ActionView.EndShown)) == 1


async def test_wrapped_lines_drop_nothing_and_are_told_apart() -> None:
    text = "x" * 50
    view = ActionView([[("host  ", "muted"), (text, "foreground")]])
    view.styles.width = "1fr"
    async with opened(view, size=(30, 10)) as running:
        await running.until(lambda: view.is_end_shown)
        first, second, third = running.shown().splitlines()[:3]
        assert (first[0], second[0], third[0]) == ("»", "↪", "↪")
        assert sum(line.count("x") for line in (first, second, third)) == 50


async def test_the_end_of_a_long_action_counts_only_once_it_was_seen() -> None:
    view = ActionView([[(f"line {number}", "foreground")] for number in range(40)])
    view.styles.width = "1fr"
    async with opened(view, size=(30, 10)) as running:
        await running.settle()
        assert not view.is_end_shown
        view.go_end()
        await running.until(lambda: view.is_end_shown)
