"""Show what the agent tells of settings, rules, tools and cache.

Owns the way from a wish to a page. The words are the agent's. Proven by
tests/pilot/test_reports.py.
"""

from collections.abc import Callable

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.reports_port import Report
from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.slash_commands import REPORT_WORDS


class ReportDesk:
    """What can be told of a session, a page each."""

    def __init__(self, app: App[None], agent: AgentPort) -> None:
        """Ask an agent."""
        self._app = app
        self._agent = agent

    def show(self, name: str) -> None:
        """Show a report by its name, one of ``REPORT_WORDS``."""
        self._app.run_worker(self._shown(Report(name)), name="report", group="report")

    async def _shown(self, report: Report) -> None:
        from caramelo_tui.ui.screens.pager import PagerScreen  # noqa: PLC0415 - loaded when it is asked for

        text = await self._agent.reports.report(report)
        title = REPORT_WORDS[report.value].removeprefix("Show ").capitalize()
        self._app.push_screen(PagerScreen(text, title=title, edit=self._edit_with()))

    def _edit_with(self) -> Callable[[str], None]:
        def edit(text: str) -> None:
            # What is changed there changes nothing here: it is a copy to read or keep.
            self._app.run_worker(
                edit_in_editor(self._app, text, suffix=".txt"), name="editor", group="editor"
            )

        return edit
