"""Engines get the lines of a file, and only those."""

import pytest

from caramelo_tui.tools.search.code_units import STAND_IN_OFFSET, canonical, units_of
from caramelo_tui.tools.search.js_text import AS_IT_IS, Folding, View, cut_row, lines_of

PLAIN = View(has_halves=True, folding=Folding.NONE)
FOLDED = View(has_halves=True, folding=Folding.ALL)


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"", b""),
        (b"a", b"a\n"),
        (b"a\n", b"a\n"),
        (b"a\r\nb\r", b"a\nb\n"),
        (b"a\r\r\n", b"a\r\n"),
        (b"\r", b"\n"),
        (b"\n\n", b"\n\n"),
        (b"\xef\xbb\xbfa\n", b"a\n"),
        (b"\xef\xbb\xbf", b""),
        (b"caf\xe9\n", "caf\ufffd\n".encode()),
    ],
)
@pytest.mark.parametrize("view", [PLAIN, AS_IT_IS])
def test_lines_end_with_a_line_feed_and_nothing_else(view: View, data: bytes, seen: bytes) -> None:
    assert view.of(data) == seen
    assert len(lines_of(data)) == seen.count(b"\n")
    assert lines_of(data) == seen.decode().split("\n")[:-1]


def test_half_of_a_large_character_is_a_character() -> None:
    halves = "".join(chr(unit + STAND_IN_OFFSET) for unit in units_of("\U0010ffff"))

    assert PLAIN.of("a\U0010ffff\n".encode()).decode() == f"a{halves}\n"
    assert AS_IT_IS.of("a\U0010ffff\n".encode()).decode() == "a\U0010ffff\n"


def test_case_is_folded_as_far_as_it_is_asked_for() -> None:
    data = "aé\n".encode()

    assert PLAIN.of(data).decode() == "aé\n"
    assert View(has_halves=True, folding=Folding.ASCII).of(data).decode() == "Aé\n"
    assert FOLDED.of(data).decode() == "AÉ\n"


def test_folded_text_is_canonical_for_every_unit() -> None:
    units = [unit for unit in range(1, 0xD800) if unit not in {0x0A, 0x0D}]
    units += range(0xE000, 0xFEFF)

    seen = FOLDED.of(("".join(map(chr, units)) + "\n").encode()).decode().removesuffix("\n")

    assert [ord(character) for character in seen] == [canonical(unit) for unit in units]


def test_long_line_is_cut_with_a_mark() -> None:
    assert cut_row("é" * 300) == "é" * 300
    assert cut_row("é" * 301) == "é" * 300 + " [cut]"
