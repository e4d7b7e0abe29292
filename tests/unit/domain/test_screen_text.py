"""The screen-safe function: nothing from outside reaches a terminal raw."""

import sys
import unicodedata

import pytest

from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes, visible

# All of the first planes and of the tags; of the vast rest, which is unassigned or private,
# a part.
CHARACTERS = [*range(0x20000), *range(0xE0000, 0xE0200), *range(0x20000, sys.maxunicode, 1009)]
HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Zs", "Co", "Cs", "Cn"}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text,\twith\nlines", "plain text,\twith\nlines"),
        ("\x1b]52;c;aGk=\x07", "<U+001B>]52;c;aGk=<U+0007>"),
        ("a\x9b2Jb\x7f", "a<U+009B>2Jb<U+007F>"),
        ("abc\u202etxt.exe", "abc<U+202E>txt.exe"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("line\u2028end\u2029", "line<U+2028>end<U+2029>"),
        ("blank\u00a0\u3000\u2003", "blank<U+00A0><U+3000><U+2003>"),
        ("filler\u3164\u2800", "filler<U+3164><U+2800>"),
        ("selector\U000e0101\ufe01", "selector<U+E0101><U+FE01>"),
        ("lone\udc80", "lone<U+DC80>"),
        ("private\ue000 unassigned\u0378", "private<U+E000> unassigned<U+0378>"),
        ("crlf\r\n", "crlf<U+000D>\n"),
        ("café 漢字 😀 ❤\ufe0f a\u0301", "café 漢字 😀 ❤\ufe0f a\u0301"),
    ],
)
def test_what_hides_becomes_a_mark_and_the_rest_stays(raw: str, shown: str) -> None:
    assert visible(raw) == shown
    assert visible(shown) == shown
    assert has_hidden(raw) == (raw != shown)


def test_no_character_of_a_hidden_category_is_left() -> None:
    hidden = [
        character
        for character in map(chr, CHARACTERS)
        if unicodedata.category(character) in HIDDEN and character not in " \n\t"
    ]
    assert len(hidden) > 10_000
    assert visible("".join(hidden)) == "".join(f"<U+{ord(one):04X}>" for one in hidden)


def test_one_line_text_shows_its_line_ends() -> None:
    assert visible("a\nb\tc", keeps_newlines=False) == "a<U+000A>b<U+0009>c"
    assert visible("a b", keeps_newlines=False) == "a b"
    assert visible("é\n", keeps_newlines=False) == "é<U+000A>"


@pytest.mark.parametrize(
    "raw", ["rm \u2013rf", "\u0441url x", "c\uff41t", "a\u2215b", "\U0001d5c5s"]
)
def test_look_alikes_are_marked_on_demand_only(raw: str) -> None:
    assert has_look_alikes(raw)
    assert visible(raw) == raw
    shown = visible(raw, marks_look_alikes=True)
    assert shown.isascii()
    assert shown.count("<U+") == 1


def test_ordinary_foreign_letters_are_no_look_alikes() -> None:
    assert not has_look_alikes("grün 漢字 😀 plain")
    assert visible("grün\n", marks_look_alikes=True) == "grün\n"
