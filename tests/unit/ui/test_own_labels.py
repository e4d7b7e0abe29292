"""The keys that panes declare, as labels."""

import pytest

from caramelo_tui.ui.keymap import KeyMap
from caramelo_tui.ui.own_labels import bindings_of_class, joined_labels, label_among
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from caramelo_tui.ui.widgets.diff_keys import DIFF_KEYS


def test_a_binding_is_named_by_its_first_key() -> None:
    bindings = tuple(bindings_of_class(ConversationView))
    assert label_among(bindings, "conversation.retry") == "r"
    assert label_among(bindings, "view.last") == "end"
    assert label_among(DIFF_KEYS, "diff.more_lines") == ">"


def test_the_users_own_keys_are_named() -> None:
    keys = KeyMap(changed={"diff.more_lines": "f12", "diff.wrap": ""})
    assert label_among(DIFF_KEYS, "diff.more_lines", keys) == "F12"
    assert label_among(DIFF_KEYS, "diff.wrap", keys) == ""


def test_a_name_that_is_none_is_a_fault() -> None:
    with pytest.raises(KeyError):
        label_among(DIFF_KEYS, "diff.nothing")


@pytest.mark.parametrize(
    ("labels", "joined"),
    [
        (["alt+up", "alt+down"], "alt+↑↓"),
        (["j", "k"], "j/k"),
        (["y"], "y"),
        (["j", ""], ""),
        (["alt+up", "ctrl+down"], "alt+up/ctrl+down"),
    ],
)
def test_a_pair_of_keys_is_short(labels: list[str], joined: str) -> None:
    assert joined_labels(labels) == joined
