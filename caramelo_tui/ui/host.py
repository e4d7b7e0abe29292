"""Give a widget's app with its type said in full.

Owns the one cast that Textual's open app type needs. Proven by the type checkers and
tests/pilot/test_tool_log.py.
"""

from typing import cast

from textual.app import App
from textual.widget import Widget


def host_of(widget: Widget) -> App[object]:
    """Return the app that a mounted widget belongs to."""
    # Textual leaves the type of the app's result open.
    return cast("App[object]", widget.app)  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly
