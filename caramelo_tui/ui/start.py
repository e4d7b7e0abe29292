"""Open the app.

Owns the first steps of an interactive start: nothing of Textual is imported by importing this
module, so that the command line can import it cheaply. The terminal is given back after every
kind of end; SIGTERM and SIGHUP leave with 143 and 129 without a question. Proven by
tests/unit/ui/test_start.py and tests/e2e/.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.start_plan import StartPlan

if TYPE_CHECKING:
    from caramelo_tui.ui.app import CarameloApp

PAINTS_PER_S = "240"
"""Ticks of Textual's paint timer: at its default of 60 a key that comes behind a stream's tick
waits for two periods. The timer is paused while nothing changes."""

_SIGNALS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}
"""Signals that end the app, and its exit codes (128 + number)."""


def run_app(plan: StartPlan) -> int:
    """Run the app until it ends.

    Returns:
        The exit code of the program.
    """
    # The imports make many objects that stay: collecting among them only costs time.
    gc.disable()
    try:
        with _paint_rate():
            from caramelo_tui.ui.app import CarameloApp  # noqa: PLC0415 - after the paint rate is set
        return asyncio.run(_run(CarameloApp(plan, warm_up=_warm_up)))
    finally:
        gc.enable()


async def _run(app: "CarameloApp") -> int:
    loop = asyncio.get_running_loop()
    for number, code in _SIGNALS.items():
        loop.add_signal_handler(number, app.exit_for_signal, code)
    try:
        await app.run_async()
    finally:
        # The terminal is the shell's again here; children end with the session.
        if unkept := await app.close_agent():
            sys.stderr.write(f"caramelo: {visible(unkept, keeps_newlines=False)}\n")
    return app.return_code or 0


@contextmanager
def _paint_rate() -> Generator[None]:
    """Set Textual's paint rate for its import; children of ours must not see it."""
    name = "TEXTUAL_FPS"
    if name in os.environ:
        yield
        return
    os.environ[name] = PAINTS_PER_S
    try:
        yield
    finally:
        del os.environ[name]


def _warm_up() -> None:
    """Import what the first coloured line needs, off the event loop."""
    from caramelo_tui.ui.widgets.code_colors import warm_up  # noqa: PLC0415 - pygments is heavy

    warm_up()
