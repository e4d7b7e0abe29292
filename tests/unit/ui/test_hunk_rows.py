"""Rows of a hunk say number, sign and text; fate shows without colour."""

from caramelo_tui.ui.widgets.cells import width_of
from caramelo_tui.ui.widgets.hunk_rows import DiffLook, Fate, HunkRows
from tests.unit.ui.drawing import NEVER, PALETTE, look, numbered, texts_of, write

BEFORE = "def f(x):\n    return x\n"
AFTER = "def f(x, y):\n    return x\n"


def rows_of(before: str, after: str, path: str = "a.py") -> HunkRows:
    (hunk,) = write(before, after).proposal.hunks
    return HunkRows(hunk, path)


def drawn(rows: HunkRows, on: DiffLook, fate: Fate = Fate.UNDECIDED) -> list[str]:
    count = rows.plan.count(is_side_by_side=on.is_side_by_side)
    return [text for row in range(count) for text in texts_of(rows.draw(row, on, fate).lines)]


def test_rows_have_number_sign_and_text() -> None:
    assert drawn(rows_of(BEFORE, AFTER), look(40)) == [
        "  1 − def f(x):",  # noqa: RUF001 - the sign is a true minus
        "  1 + def f(x, y):",
        "  2       return x",
    ]


def test_wide_rows_have_both_numbers() -> None:
    lines = drawn(rows_of(BEFORE, AFTER), look(90))
    assert lines[0].startswith("  1     − def f(x):")  # noqa: RUF001 - as above
    assert lines[1].startswith("      1 + def f(x, y):")
    assert lines[2].startswith("  2   2       return x")


def test_side_by_side_rows_have_both_texts() -> None:
    lines = drawn(rows_of(BEFORE, AFTER), look(61, is_side_by_side=True))
    assert [line.index("│") for line in lines] == [30, 30]
    assert "def f(x):" in lines[0][:30]
    assert "def f(x, y):" in lines[0][30:]


def test_changed_words_have_their_own_ground() -> None:
    rows = rows_of(BEFORE, AFTER)
    (line,) = rows.draw(1, look(40), Fate.UNDECIDED).lines
    marked = [
        text
        for text, style in line
        if style.bgcolor and style.bgcolor.name == PALETTE.colors["diff-added-word"]
    ]
    assert "".join(marked) == ", y"


def test_rejected_lines_step_back_and_new_ones_are_struck() -> None:
    rows = rows_of(BEFORE, AFTER)
    for fate in (Fate.REJECTED, Fate.NOT_APPLIED):
        (old,) = rows.draw(0, look(40), fate).lines
        (new,) = rows.draw(1, look(40), fate).lines
        assert any(style.strike for _text, style in new)
        assert not any(style.strike for _text, style in old)
        assert all(
            style.bgcolor and style.bgcolor.name == PALETTE.colors["background"]
            for _text, style in (*old, *new)
        )


def test_long_lines_wrap_below_their_text() -> None:
    rows = rows_of("", "word " * 10 + "\n", path="a.txt")
    lines = rows.draw(0, look(30), Fate.UNDECIDED).lines
    assert len(lines) > 1
    assert texts_of(lines)[1].startswith("      word")
    assert all(width_of(line) == 30 for line in lines)
    assert abs(rows.estimates(look(30))[0] - len(lines)) <= 1


def test_without_wrapping_lines_scroll_sideways() -> None:
    rows = rows_of("", "0123456789" * 5 + "\n", path="a.txt")
    on = look(20, wraps=False, offset=8)
    assert texts_of(rows.draw(0, on, Fate.UNDECIDED).lines) == ["  1 + 89012345678901"]
    assert rows.estimates(on) == [1]


def test_a_missing_line_end_is_said() -> None:
    assert "(no line end)" in drawn(rows_of("a\n", "a"), look(40))[-1]


def test_control_characters_and_markup_are_shown() -> None:
    lines = drawn(rows_of("", "\x1b[31m[/] [@click=app.quit]x[/]\n", path="a.txt"), look(80))
    assert lines == ["      1 + <U+001B>[31m[/] [@click=app.quit]x[/]"]


def test_every_row_of_a_huge_hunk_is_reached_alone() -> None:
    rows = rows_of("", numbered(20_000))
    assert drawn_row(rows, 19_999) == ["20000 + line 20000"]


def drawn_row(rows: HunkRows, row: int) -> list[str]:
    return texts_of(rows.draw(row, look(60), Fate.UNDECIDED).lines)


def test_after_the_deadline_rows_are_plain_and_not_final() -> None:
    rows = rows_of(BEFORE, AFTER)
    late = DiffLook(palette=PALETTE, width=40, deadline=float("-inf"))
    assert not rows.draw(0, late, Fate.UNDECIDED).is_final
    on_time = DiffLook(palette=PALETTE, width=40, deadline=NEVER)
    assert rows.draw(0, on_time, Fate.UNDECIDED).is_final
