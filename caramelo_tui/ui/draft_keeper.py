"""Keep what stands in the prompt, so that a crash does not cost it.

Owns when the store is written: a moment after the last change, off the event loop, one write at a
time. Nothing is armed while nothing changes. Proven by tests/pilot/test_kept_draft.py and
tests/e2e/test_crashes.py.
"""

import asyncio
import logging
from collections.abc import Callable

from textual.app import App

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.start_plan import DraftStore

PAUSE_S = 0.25
"""Seconds between a change and its write: changes that come meanwhile are written together."""

_log = logging.getLogger(__name__)


class DraftKeeper:
    """Writes one prompt's draft to one store."""

    def __init__(self, app: App[None], draft: Callable[[], str], store: DraftStore | None) -> None:
        """Take the store.

        Args:
            app: Runs the writing, and says when it failed.
            draft: What stands in the prompt now, pastes unfolded.
            store: ``None``: nothing is kept.
        """
        self._app = app
        self._draft = draft
        self._store = store
        self._kept = ""
        self._is_writing = False
        self._has_told = False

    def left_draft(self) -> str:
        """Return what an earlier program left in its prompt; empty when nothing. Quick."""
        return "" if self._store is None else self._store.load()

    def note_change(self) -> None:
        """Write the draft soon."""
        if self._store is not None and not self._is_writing:
            self._is_writing = True
            self._app.run_worker(self._write(self._store), name="draft", group="draft")

    def close(self) -> None:
        """Write what stands there at the end, and let go of the store. Blocks."""
        store, self._store = self._store, None
        if store is None:
            return
        try:
            if self._draft() != self._kept:
                store.save(self._draft())
        except OSError as error:
            _log.warning("the draft is not kept: %s", error)
        finally:
            store.close()

    async def _write(self, store: DraftStore) -> None:
        try:
            while (draft := self._draft()) != self._kept:
                await asyncio.sleep(PAUSE_S)
                draft = self._draft()
                await asyncio.to_thread(store.save, draft)
                self._kept, self._has_told = draft, False
        except OSError as error:
            # It is in the editor all the same; the next key tries again, and it is said once.
            self._tell(error)
        finally:
            self._is_writing = False

    def _tell(self, error: OSError) -> None:
        if not self._has_told:
            self._has_told = True
            self._app.notify(
                f"The draft is not kept: {visible(str(error))}", severity="warning", markup=False
            )
