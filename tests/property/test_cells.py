"""Wrapped and cut text keeps its characters and its width, whatever it holds."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from caramelo_tui.ui.widgets.cells import (
    Line,
    chop_line,
    crop_line,
    cut_cells,
    cut_left,
    safe_lines,
    strip_of,
    width_of,
    wrap_code,
    wrap_line,
)

STYLES = (Style(), Style(bold=True), Style(italic=True))
SHOWN = st.text(st.sampled_from("ab  -日本é\u0301😀"), max_size=12)
LINES = st.lists(st.tuples(SHOWN, st.sampled_from(STYLES)), max_size=6)
WIDTHS = st.integers(2, 12)


def text_of(line: Line) -> str:
    return "".join(text for text, _style in line)


@given(line=LINES, width=WIDTHS)
def test_wrapping_drops_nothing_but_blanks(line: Line, width: int) -> None:
    for wrap in (wrap_line, wrap_code):
        wrapped = wrap(line, width)
        assert all(width_of(part) <= width for part in wrapped)
        shown = "".join(text_of(part) for part in wrapped)
        assert shown.replace(" ", "") == text_of(line).replace(" ", "")


@given(line=LINES, width=WIDTHS)
def test_chopping_drops_nothing(line: Line, width: int) -> None:
    chopped = chop_line(line, width)
    assert all(width_of(part) <= width for part in chopped)
    assert "".join(map(text_of, chopped)) == text_of(line)


@given(line=LINES, start=st.integers(0, 20), size=st.integers(0, 20))
def test_a_crop_is_as_wide_as_what_is_there(line: Line, start: int, size: int) -> None:
    cropped = crop_line(line, start, start + size)
    assert width_of(cropped) == max(min(width_of(line), start + size) - start, 0)


@given(text=SHOWN, cells=st.integers(0, 12))
def test_cut_text_fits(text: str, cells: int) -> None:
    assert cell_len(cut_cells(text, cells)) <= max(cells, 0)
    assert cell_len(cut_left(text, cells)) <= max(cells, 0)


@given(line=LINES, width=st.integers(0, 20))
def test_a_strip_is_exactly_as_wide_as_asked(line: Line, width: int) -> None:
    strip = strip_of(line, width, Style())
    assert cell_len(strip.text) == width == strip.cell_length


@given(st.text(max_size=60))
def test_safe_lines_hold_nothing_that_acts(text: str) -> None:
    assert all(line.isprintable() for line in safe_lines(text))
