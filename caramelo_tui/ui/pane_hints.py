"""Write the keys at the lower edge of each pane, as they are in force.

Owns which keys are named there; F1 has them all. Proven by tests/unit/ui/test_pane_hints.py.
"""

from collections.abc import Iterator, Mapping

from caramelo_tui.ui.keymap import KeyMap, KeyPlace, hint_of
from caramelo_tui.ui.own_labels import bindings_of_class, joined_labels, label_among
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.widgets.conversation_view import ConversationView

_CONVERSATION = (
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
        Place.CONVERSATION: " · ".join(_conversation_parts(keys)),
        Place.TOOLS: f"{details} · {tools}" if tools else details,
    }


def _conversation_parts(keys: KeyMap) -> Iterator[str]:
    known = tuple(bindings_of_class(ConversationView))
    for names, words in _CONVERSATION:
        label = joined_labels([label_among(known, name, keys) for name in names])
        if label:
            yield f"{label} {words}"
