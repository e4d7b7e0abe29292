import pytest

from caramelo_tui.ui.key_names import UnusableKeyError, is_typing, key_label, parse_key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("F5", "f5"),
        ("shift+F6", "shift+f6"),
        ("Ctrl+O", "ctrl+o"),
        ("esc", "escape"),
        ("PgUp", "pageup"),
        ("/", "slash"),
        ("@", "at"),
        (",", "comma"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("alt+/", "alt+slash"),
        ("shift+a", "A"),
        ("A", "A"),
        ("ä", "ä"),
        ("ctrl+alt+x", "alt+ctrl+x"),
        ("shift+tab", "shift+tab"),
        ("question_mark", "question_mark"),
        (" space ", "space"),
    ],
)
def test_names_are_read_as_people_write_them(text: str, key: str) -> None:
    assert parse_key(text) == key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ctrl+i", "as tab"),
        ("ctrl+m", "as enter"),
        ("ctrl+[", "as esc"),
        ("ctrl+h", "as backspace"),
        ("super+x", "super is none of"),
        ("ctrl+", "no such key"),
        ("f25", "no such key"),
        ("hello", "no such key"),
        ("ctrl+shift+p", "do not tell shift apart"),
        ("shift+1", "the character itself"),
        ("\x1b", "no such key"),
        ("", "no such key"),
    ],
)
def test_what_terminals_do_not_tell_is_no_key(text: str, words: str) -> None:
    with pytest.raises(UnusableKeyError, match=words):
        parse_key(text)


@pytest.mark.parametrize("text", ["F5", "ctrl+o", "esc", "/", "+", "alt+/", "A", "pgdn", "ctrl++"])
def test_a_label_is_read_back(text: str) -> None:
    assert parse_key(key_label(parse_key(text))) == parse_key(text)


def test_keys_that_write_or_move_are_for_typing() -> None:
    assert all(is_typing(key) for key in ("a", "slash", "enter", "up", "shift+left", "escape"))
    assert not any(is_typing(key) for key in ("f1", "shift+f6", "ctrl+o", "alt+x", "shift+tab"))
