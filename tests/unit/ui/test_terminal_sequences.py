"""Sequences say what they should, and nothing can break out of them."""

from caramelo_tui.ui.terminal_sequences import MAX_TITLE, notice_sequence, title_sequence

PLAIN = {"TERM": "xterm-256color"}


def test_a_title_is_set() -> None:
    assert title_sequence("Caramelo · project") == "\x1b]2;Caramelo · project\x07"


def test_a_notification_goes_through_tmux() -> None:
    assert notice_sequence("It waits", PLAIN) == "\x1b]9;It waits\x07"
    assert notice_sequence("It waits", {"TMUX": "x"}) == ("\x1bPtmux;\x1b\x1b]9;It waits\x07\x1b\\")


def test_outside_text_cannot_end_a_sequence() -> None:
    for sequence in (title_sequence("a\x07\x1b]2;b\x9c\n"), notice_sequence("a\x1b\\b\x07", PLAIN)):
        assert sequence.count("\x07") == 1
        assert sequence.count("\x1b") == 1
        assert "\x9c" not in sequence
        assert "\n" not in sequence


def test_a_long_title_is_cut() -> None:
    assert len(title_sequence("x" * 1_000)) == MAX_TITLE + len("\x1b]2;\x07")
