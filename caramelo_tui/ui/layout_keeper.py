"""Keep where the person put the borders, beyond this start.

Owns when the store is read and written: once before the panes are shown, and off the event loop
after each move, one write at a time. Proven by tests/pilot/test_pane_sizes.py.
"""

import asyncio

from textual.app import App

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.start_plan import LayoutStore


class LayoutKeeper:
    """Reads and writes one store for one area."""

    def __init__(self, app: App[None], area: PaneArea, store: LayoutStore | None) -> None:
        """Put the borders where the store says.

        Args:
            app: Runs the writing, and says when it failed.
            area: Whose borders they are.
            store: ``None``: nothing is kept.
        """
        self._app = app
        self._area = area
        self._store = store
        self._is_writing = False
        self._is_changed = False
        self._has_told = False
        if store is not None and (kept := store.load()):
            area.use_sizes(kept)

    def note_change(self) -> None:
        """Write the sizes soon; moves that come meanwhile are written together."""
        self._is_changed = True
        if self._store is not None and not self._is_writing:
            self._is_writing = True
            self._app.run_worker(self._write(self._store), name="layout", group="layout")

    async def _write(self, store: LayoutStore) -> None:
        try:
            while self._is_changed:
                self._is_changed = False
                await asyncio.to_thread(store.save, self._area.kept_sizes)
                self._has_told = False
        except OSError as error:
            # They hold for this start; the next move tries again, and it is said once.
            self._tell(error)
        finally:
            self._is_writing = False

    def _tell(self, error: OSError) -> None:
        if not self._has_told:
            self._has_told = True
            self._app.notify(
                f"The sizes of the panes are not kept: {visible(str(error))}",
                severity="warning",
                markup=False,
            )
