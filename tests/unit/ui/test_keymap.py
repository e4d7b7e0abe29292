from collections import Counter

from caramelo_tui.ui.key_names import key_label
from caramelo_tui.ui.keymap import (
    KEYS,
    KeyPlace,
    bindings_of,
    hint_of,
    keys_of,
    label_of,
)

EATEN = {"ctrl+a", "ctrl+b", "ctrl+s", "ctrl+q", "ctrl+z", "ctrl+i", "ctrl+m"}
"""Keys that terminals and multiplexers take for themselves."""


def test_no_default_key_is_one_that_terminals_take() -> None:
    used = {key for entry in KEYS for key in entry.keys.split(",")}
    assert not used & EATEN


def test_no_key_has_two_meanings_in_one_place() -> None:
    for place in KeyPlace:
        counts = Counter(key for entry in keys_of(place) for key in entry.keys.split(","))
        assert [key for key, count in counts.items() if count > 1] == []


def test_frame_keys_do_not_collide_with_the_apps() -> None:
    frame = {key for entry in keys_of(KeyPlace.SCREEN) for key in entry.keys.split(",")}
    app = {key for entry in keys_of(KeyPlace.APP) for key in entry.keys.split(",")}
    assert not frame & app


def test_interrupt_has_priority_so_that_it_works_over_a_question() -> None:
    interrupt, _mouse = bindings_of(KeyPlace.APP)
    assert interrupt.key == "ctrl+c"
    assert interrupt.priority


def test_escape_leaves_priority_to_what_lies_deeper() -> None:
    back = next(b for b in bindings_of(KeyPlace.SCREEN) if b.action == "back")
    assert not back.priority


def test_keys_that_widgets_read_themselves_make_no_binding() -> None:
    assert all(binding.action for binding in bindings_of(KeyPlace.PROMPT))
    assert bindings_of(KeyPlace.COMMAND) == []


def test_ids_for_remapping_are_unique() -> None:
    ids = [entry.id for entry in KEYS if entry.action]
    assert len(ids) == len(set(ids))


def test_labels_read_as_people_say_them() -> None:
    assert key_label("escape") == "esc"
    assert key_label("shift+f6") == "shift+F6"
    assert key_label("slash") == "/"
    assert label_of("go_to_waiting") == "ctrl+o"
    assert label_of("no such action") == ""


def test_a_hint_names_key_and_word() -> None:
    assert hint_of(KeyPlace.TOOLS, "cancel_call", "filter") == "x cancel · / filter"
