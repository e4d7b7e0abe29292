"""Keep the first picture of a start for the next one with the same words.

Owns when it is taken: as soon as it is painted, before anything is typed into it, and only where
no question comes first. Uses a name of Textual that is not documented (``_compositor``). Proven
by tests/pilot/test_frame_keeper.py.
"""

import asyncio
import logging
import os
from typing import TYPE_CHECKING

from caramelo_tui.ui.start_picture import Field, Picture, written

if TYPE_CHECKING:
    from textual.app import App
    from textual.strip import Strip

    from caramelo_tui.ui.main_screen import MainScreen
    from caramelo_tui.ui.start_plan import FrameStore, StartPlan

_log = logging.getLogger(__name__)


def keep_first_picture(app: "App[None]", screen: "MainScreen", plan: "StartPlan") -> None:
    """Keep what was just painted, where the plan wants it; the writing is a worker of the app."""
    if plan.frame is None or plan.asks_first or app.screen is not screen:
        return
    text = written(_picture(app, screen), [os.fspath(path) for path in plan.frame.depends_on])
    app.run_worker(_save(plan.frame, text), name="first picture", group="first picture")


async def _save(store: "FrameStore", text: str) -> None:
    try:
        await asyncio.to_thread(store.save, text)
    except OSError as error:
        # The next start only takes longer to its first picture.
        _log.debug("the first picture was not kept: %s", error)


def _picture(app: "App[None]", screen: "MainScreen") -> Picture:
    strips = screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # nothing public gives a screen's lines

    def row(strip: "Strip") -> str:
        return strip.discard_meta().simplify().render(app.console)

    editor = screen.prompt.editor
    place, end = editor.cursor_screen_offset, editor.content_region.right
    colours = row(strips[place.y].crop(end - 1, end)).partition("\x1b[")[2].partition("m")[0]
    field = Field(place.y + 1, place.x + 1, end - place.x, colours or "0")
    return Picture(app.size.width, field, [row(strip) for strip in strips])
