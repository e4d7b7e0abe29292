"""Write the keys at the lower edge of each pane, as they are in force.

Owns which keys are named there; F1 has them all. Proven by tests/unit/ui/test_pane_hints.py.
"""

from collections.abc import Mapping

from caramelo_tui.ui.keymap import KeyMap, KeyPlace, hint_of
from caramelo_tui.ui.own_labels import NamedKeys, bindings_of_class, hint_among
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.widgets.conversation_view import ConversationView

_CONVERSATION: tuple[NamedKeys, ...] = (
    (("conversation.block_up", "conversation.block_down"), "block"),
    (("conversation.copy_block",), "copy"),
    (("conversation.search",), "search"),
    (("view.last",), "follow"),
)
"""What is named of the conversation: bindings, and the word behind their keys."""


def pane_hints(keys: KeyMap) -> Mapping[Place, str]:
    """Return the hint of each pane that has one."""
    tools = hint_of(KeyPlace.TOOLS, "cancel_call", "run_again", "filter", keys=keys)
    details = hint_of(KeyPlace.LIST, "open_row", keys=keys).removesuffix("open") + "details"
    return {
        Place.FILES: hint_of(KeyPlace.FILES, "mention", "filter", keys=keys),
        Place.CONVERSATION: hint_among(bindings_of_class(ConversationView), _CONVERSATION, keys),
        Place.TOOLS: f"{details} · {tools}" if tools else details,
    }
