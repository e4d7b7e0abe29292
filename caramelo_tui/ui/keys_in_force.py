"""Say which keys are in force, to who stands over the main screen.

Owns the way from a dialog to the main screen's keys. Proven by tests/pilot/test_user_keys.py.
"""

from textual.widget import Widget

from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap
from caramelo_tui.ui.main_screen import MainScreen


def keys_in_force(widget: Widget) -> KeyMap:
    """Return the keys of the main screen below; the defaults where there is none yet."""
    for screen in host_of(widget).screen_stack:
        if isinstance(screen, MainScreen):
            return screen.keys
    return DEFAULT_KEYS
