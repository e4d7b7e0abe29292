"""Blanks and tabs can be told apart."""

from rich.cells import cell_len

from caramelo_tui.ui.widgets.cells import expand_tabs
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows
from caramelo_tui.ui.widgets.hunk_whitespace import tab_cells, with_signs
from tests.unit.ui.drawing import look, text_of, write


def signed(raw: str) -> str:
    shown = expand_tabs(raw)
    signs = "".join(part for part, _is_sign in with_signs(shown, 0, tab_cells(raw)))
    assert cell_len(signs) == cell_len(shown)
    return signs


def test_blanks_and_tabs_have_signs_of_their_own() -> None:
    assert signed("\tif a  b\t") == "→   if·a··b→"
    assert signed("a\tb \tc") == "a→  b·→ c"
    assert signed("日\tx") == "日→ x"
    assert signed("a\u00a0b") == "a⍽b"
    assert signed("") == ""


def test_a_run_within_a_line_knows_its_place() -> None:
    assert list(with_signs("  x", 1, tab_cells("a\t x"))) == [("→ ", True), ("x", False)]


def test_a_row_shows_signs_and_carriage_returns_on_demand() -> None:
    hunk = write("a b\n", "a\tb\r\n").proposal.hunks[0]
    rows = HunkRows(hunk, "a.txt")
    shown = look(shows_whitespace=True)
    drawn = [text_of(rows.draw(row, shown, Fate.UNDECIDED).lines[0]) for row in range(2)]
    assert drawn[0].endswith("a·b")
    assert drawn[1].endswith("a→  b␍")
    plain = [text_of(rows.draw(row, look(), Fate.UNDECIDED).lines[0]) for row in range(2)]
    assert plain[0].endswith("a b")
