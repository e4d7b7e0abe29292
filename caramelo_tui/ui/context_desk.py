"""Carry out what the person wants of the context and of spending.

Owns ``/compact`` and ``/spending``. It decides nothing: it asks the agent, which says by events
what came of it. Proven by tests/pilot/test_compaction.py and tests/pilot/test_spending.py.
"""

from textual.app import App

from caramelo_tui.agent.context_port import CompactionPreview
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.ui.screens.compaction import CompactionScreen
from caramelo_tui.ui.screens.spending import SpendingScreen


class ContextDesk:
    """What keys, palette and slash commands ask about the context."""

    def __init__(self, app: App[None], agent: AgentPort) -> None:
        """Work with an agent's context."""
        self._app = app
        self._agent = agent

    def open(self, what: str) -> None:
        """Show what a compaction would do (``compact``), or the ledger (``spending``)."""
        if what == "compact":
            preview = self._agent.context.preview()
            self._app.push_screen(CompactionScreen(preview, self._pin), self._take)
        else:
            self._app.push_screen(SpendingScreen(self._agent.context.ledger))

    def _pin(self, place: int, is_pinned: bool) -> CompactionPreview:  # noqa: FBT001 - the screen's signature
        self._agent.context.pin(place, is_pinned=is_pinned)
        return self._agent.context.preview()

    def _take(self, is_wanted: bool | None) -> None:  # noqa: FBT001 - Textual's signature
        if is_wanted:
            self._app.run_worker(self._compact(), name="compact", group="compact")

    async def _compact(self) -> None:
        problem = await self._agent.context.compact()
        if problem:
            self._app.notify(problem, markup=False)
