"""Programs may colour their output, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.ui.widgets.ansi_text import output_line
from caramelo_tui.ui.widgets.cells import Line
from tests.unit.ui.drawing import PALETTE

COLORS = PALETTE.colors


def text_of(line: Line) -> str:
    return "".join(text for text, _style in line)


def look(data: bytes, word: str) -> dict[str, object]:
    for text, style in output_line(data, PALETTE):
        if text == word and style.color and style.bgcolor:
            return {
                "color": style.color.name,
                "background": style.bgcolor.name,
                "bold": bool(style.bold),
                "underline": bool(style.underline),
            }
    return {}


@pytest.mark.parametrize(
    ("data", "variable"),
    [
        (b"\x1b[31mx", "error"),
        (b"\x1b[1;32mx", "success"),
        (b"\x1b[93mx", "warning"),
        (b"\x1b[38;5;4mx", "secondary"),
        (b"\x1b[30mx", "muted"),
        (b"\x1b[31m\x1b[39mx", "foreground"),
        (b"\x1b[31m\x1b[mx", "foreground"),
        (b"\x1b[2mx", "muted"),
    ],
)
def test_colours_are_those_of_the_theme(data: bytes, variable: str) -> None:
    assert look(data, "x")["color"] == COLORS[variable]


def test_exact_colours_are_taken_as_they_are() -> None:
    assert look(b"\x1b[38;2;255;135;0mx", "x")["color"] == "#ff8700"
    assert look(b"\x1b[38;5;208mx", "x")["color"] == "#ff8700"
    assert look(b"\x1b[38;5;999mx", "x")["color"] == "#eeeeee"


def test_attributes_come_and_go() -> None:
    assert look(b"\x1b[1;4mx", "x")["bold"] is True
    assert look(b"\x1b[1;4m\x1b[24mx", "x")["underline"] is False
    assert look(b"\x1b[1m\x1b[22mx", "x")["bold"] is False


def test_grounds_and_reversal() -> None:
    assert look(b"\x1b[42mx", "x")["background"] == COLORS["diff-added-background"]
    assert look(b"\x1b[42m\x1b[49mx", "x")["background"] == COLORS["background"]
    reversed_look = look(b"\x1b[7mx", "x")
    assert reversed_look["background"] == COLORS["foreground"]
    assert reversed_look["color"] == COLORS["background"]


@pytest.mark.parametrize(
    "data",
    [
        b"\x1b[38;2;26;22;19mx",
        b"\x1b[8mx",
        b"\x1b[38;2;1;2;3;48;2;1;2;3mx",
        b"\x1b[37;48;2;237;227;214mx",
    ],
)
def test_no_colour_can_hide_text(data: bytes) -> None:
    found = look(data, "x")
    assert found["color"] == COLORS["foreground"]
    assert found["background"] == COLORS["background"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\x1b]0;title\x07b", "ab"),
        (b"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"),
        (b"a\x1b[2J\x1b[Hb", "ab"),
        (b"a\x1b(Bb\x1bcd", "abd"),
        (b"10%\r50%\r100%", "100%"),
        (b"line\r", "line"),
        (b"b\x08bold", "bold"),
        (b"a\tb", "a   b"),
        (b"\x1b[31mab\x1b[0m\tc", "ab  c"),
        (b"\xff\x00", "\ufffd<U+0000>"),
        ("\u202ex".encode(), "<U+202E>x"),
        (b"end\x1b", "end"),
        (b"\x1b[38mx", "x"),
        (b"\x1b[38;5mx", "x"),
        (b"\x1b[99999999999999mx", "x"),
    ],
)
def test_other_sequences_are_dropped_and_the_rest_is_safe(data: bytes, text: str) -> None:
    assert text_of(output_line(data, PALETTE)) == text


def test_a_line_of_megabytes_is_cut_and_counted() -> None:
    line = output_line(b"x" * 3_000_000, PALETTE)
    assert text_of(line).endswith("… line of 3,000,000 bytes")
    assert len(text_of(line)) < 2_100


@given(st.binary(max_size=200))
def test_no_bytes_ever_give_a_control_character(data: bytes) -> None:
    line = output_line(data.replace(b"\n", b""), PALETTE)
    assert all(text.isprintable() for text, _style in line)


@given(st.lists(st.integers(0, 120), max_size=8))
def test_no_parameters_ever_fail(codes: list[int]) -> None:
    data = f"\x1b[{';'.join(map(str, codes))}mx".encode()
    assert text_of(output_line(data, PALETTE)) == "x"
