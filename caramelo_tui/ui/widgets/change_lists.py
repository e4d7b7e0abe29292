"""Put the changes on show: what waits, what is being written, what was applied.

Owns the desk, the growing calls beside it, and in which order both are handed to the view; it
follows a growing call for who does not use the view. Takes no keys and decides nothing. Proven by
tests/pilot/test_changes.py and tests/pilot/test_live_changes.py.
"""

from textual.widget import Widget

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.ui.live_proposals import LiveClock, LiveProposals
from caramelo_tui.ui.widgets.diff_sections import Section
from caramelo_tui.ui.widgets.diff_view import DiffView
from caramelo_tui.ui.widgets.head_list import HeadList
from caramelo_tui.ui.widgets.review_desk import ReviewDesk


class ChangeLists:
    """The lists of one pane."""

    def __init__(self, owner: Widget, view: DiffView) -> None:
        self.desk = ReviewDesk()
        self.live = LiveProposals()
        self.head = HeadList()
        self._owner = owner
        self._view = view
        self._clock = LiveClock(owner, self.live, self._show_live)
        self._follows_live = False

    def take_live(self, event: AgentEvent) -> None:
        """Follow the calls that the model is writing; other events change nothing here."""
        if self.live.take(event):
            self._show_live()
        self._clock.arm()

    def clear(self) -> None:
        """Forget everything."""
        self.desk = ReviewDesk()
        self.live.clear()

    def show(self, *, keeps_place: bool) -> None:
        """Hand the list on show to the view."""
        self._view.show_sections(self._sections(), keeps_place=keeps_place)

    def add_up(self) -> None:
        """Work out what the changes come to, once that is looked at."""
        if self.desk.shows_totals and not self.desk.history.totals.is_current:
            self._owner.run_worker(self._work_out_totals(), group="totals", exclusive=True)

    async def _work_out_totals(self) -> None:
        await self.desk.history.totals.work_out()
        self.show(keeps_place=True)

    def _sections(self) -> list[Section]:
        """Return what is being written above what is done, and below what waits for the user."""
        if self.head.is_shown:
            return self.head.sections()
        if self.desk.shows_waiting:
            return [*self.desk.sections(), *self.live.sections]
        return [*self.live.sections, *self.desk.sections()]

    def _show_live(self) -> None:
        """Show growing calls; who does not use the view sees their newest line."""
        followed, is_used = self._follows_live, self._view.has_focus
        growing = [] if self.head.is_shown else self.live.sections
        self._follows_live = bool(growing) and not is_used and not self.desk.shows_waiting
        if self._follows_live:
            self._view.follow(self._sections(), growing[-1])
        else:
            self.show(keeps_place=is_used or not followed)
