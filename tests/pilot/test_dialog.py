"""What holds for every dialog."""

from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.pick import PickList, PickRow, PickScreen
from tests.pilot.conftest import OpenApp


async def test_a_second_answer_that_comes_at_once_closes_nothing_else(open_app: OpenApp) -> None:
    async with open_app() as running:
        answers: list[str | None] = []
        first, second = (
            PickScreen([PickRow(name=name, words="x")], title=name, intro="x")
            for name in ("below", "above")
        )
        running.app.push_screen(first, answers.append)
        running.app.push_screen(second, answers.append)
        await running.until(lambda: bool(second.query(PickList)))
        # As two presses of Enter whose messages wait side by side.
        rows = second.query_one(PickList)
        rows.action_open_row()
        rows.action_open_row()
        await running.settle()
        assert answers == ["above"]
        assert running.app.screen is first

        first.query_one(PickList).action_open_row()
        first.dismiss("again")
        await running.until_screen(MainScreen)
        await running.settle()
        assert answers == ["above", "again"]


async def test_a_dialog_under_another_screen_goes_when_it_is_in_front(open_app: OpenApp) -> None:
    async with open_app() as running:
        answers: list[str | None] = []
        first, second = (
            PickScreen([PickRow(name=name, words="x")], title=name, intro="x")
            for name in ("below", "above")
        )
        running.app.push_screen(first, answers.append)
        running.app.push_screen(second, answers.append)
        await running.until(lambda: bool(second.query(PickList)))
        # As a login that is done while something else is asked.
        first.dismiss("done")
        first.dismiss("too late")
        await running.settle()
        assert (answers, running.app.screen) == ([], second)

        await running.press("enter")
        await running.until_screen(MainScreen)
        assert answers == ["above", "done"]
