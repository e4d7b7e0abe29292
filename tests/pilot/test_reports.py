"""Settings, rules, tools and cache are told on a page; a theme is shown by its name."""

import pytest
from textual.command import CommandPalette

from caramelo_tui.agent.reports_port import Report
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.pager import PagerScreen
from caramelo_tui.ui.slash_commands import REPORT_WORDS
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeReports
from tests.pilot.conftest import OpenApp


def test_each_report_can_be_asked_for_by_its_name() -> None:
    assert set(REPORT_WORDS) == {report.value for report in Report}


@pytest.mark.parametrize("report", list(Report))
async def test_a_report_is_shown_on_a_page(open_app: OpenApp, report: Report) -> None:
    texts = {report.value: "first [bold]line\n  second \x1b[2J line"}
    async with open_app(agent=FakeAgent(reports=FakeReports(texts=texts))) as running:
        await running.press(*f"/{report.value}", "enter")
        await running.until_screen(PagerScreen)
        await running.until(lambda: "first [bold]line" in running.shown())
        assert "second <U+001B>[2J line" in running.shown()
        assert running.agent.reports.asked == [report]
        assert running.agent.submitted == []
        await running.press("escape")
        await running.until_screen(MainScreen)


async def test_the_palette_offers_the_rules(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"Show the rules")
        await running.until(lambda: "/policy" in running.shown())
        await running.press("down", "enter")
        await running.until_screen(PagerScreen)


async def test_a_theme_is_shown_by_its_name(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/theme mono", "enter")
        await running.until(lambda: running.app.theme == "mono")
        await running.press(*"/theme nope'", "enter")
        await running.until(lambda: "There is no theme nope'; known: " in running.shown())
        assert running.app.theme == "mono"
