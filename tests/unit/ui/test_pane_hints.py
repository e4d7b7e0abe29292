"""What the lower edges of panes say of their keys."""

from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap
from caramelo_tui.ui.pane_hints import pane_hints
from caramelo_tui.ui.pane_layout import Place


def test_the_default_keys_are_named() -> None:
    hints = pane_hints(DEFAULT_KEYS)
    assert hints[Place.CONVERSATION] == "alt+↑↓ block · y copy · / search · end follow"
    assert hints[Place.TOOLS].startswith("enter details · x cancel")


def test_the_users_own_keys_are_named_and_lost_ones_are_not() -> None:
    hints = pane_hints(
        KeyMap(
            changed={
                "conversation.copy_block": "f12",
                "conversation.search": "",
                "list.open_row": "f11",
            }
        )
    )
    assert hints[Place.CONVERSATION] == "alt+↑↓ block · F12 copy · end follow"
    assert hints[Place.TOOLS].startswith("F11 details")
