"""Parts of a diff draw as many rows as they say."""

import pytest

from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.cells import width_of
from caramelo_tui.ui.widgets.diff_sections import (
    FATE_COLORS,
    FATE_SIGNS,
    FileSection,
    HunkSection,
    ListSection,
    Section,
    TextSection,
)
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows
from tests.unit.ui.drawing import look, numbered, texts_of, write

(HUNK,) = write(numbered(9), numbered(9, line_5="five")).proposal.hunks
REMARK = Remark(path="a.py", text="why?", line=5)


def hunk_section(fate: Fate = Fate.ACCEPTED) -> HunkSection:
    return HunkSection(
        hunk=HUNK,
        path="a.py",
        rows=HunkRows(HUNK, "a.py"),
        fate=lambda: fate,
        stop=HUNK.id,
        remarks=lambda: (REMARK,),
    )


SECTIONS: tuple[Section, ...] = (
    TextSection("words " * 30, sign="! "),
    FileSection(
        path="a/very/long/path/to/a/file.py",
        note="new file",
        fates=lambda: (Fate.ACCEPTED, Fate.REJECTED),
        warnings=("protected",),
        remarks=lambda: (REMARK,),
    ),
    hunk_section(),
    ListSection(rows=(("M", "src/a.py", "modified"), ("D", "long/" * 30, "deleted"))),
)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("width", [12, 40, 120])
@pytest.mark.parametrize("is_side_by_side", [False, True])
def test_every_row_can_be_drawn_and_fits(
    section: Section, width: int, *, is_side_by_side: bool
) -> None:
    on = look(width, is_side_by_side=is_side_by_side)
    for row in range(len(section.estimates(on))):
        drawn = section.draw(row, on)
        assert drawn.lines
        if not isinstance(section, FileSection) and width > 12:
            assert all(width_of(line) <= width for line in drawn.lines)
        assert section.mark(row, on) is None or isinstance(section, HunkSection)


def test_fates_have_signs_of_their_own() -> None:
    assert set(FATE_SIGNS) == set(FATE_COLORS) == set(Fate)
    assert len({FATE_SIGNS[fate] for fate in (Fate.ACCEPTED, Fate.REJECTED, Fate.UNDECIDED)}) == 3


def test_only_changed_rows_of_a_decided_hunk_are_marked() -> None:
    on = look()
    section = hunk_section()
    rows = range(len(section.estimates(on)))
    marked = [row for row in rows if section.mark(row, on) is not None]
    assert [
        text.split()[1] for row in marked for text in texts_of(section.draw(row, on).lines)
    ] == [
        "\u2212",
        "+",
    ]
    assert all(hunk_section(Fate.UNDECIDED).mark(row, on) is None for row in rows)


def test_marks_follow_the_layout() -> None:
    section = hunk_section()
    wide = look(120, is_side_by_side=True)
    marked = [
        row for row in range(len(section.estimates(wide))) if section.mark(row, wide) is not None
    ]
    assert len(marked) == 1


def test_a_long_path_keeps_its_end() -> None:
    section = FileSection(path="a/very/long/path/to/a/file.py", stop=HunkId(""))
    line = section.draw(0, look(30)).lines[1]
    assert "file.py" in texts_of([line])[0]
    assert width_of(line) == 30


def test_paths_are_safe() -> None:
    section = FileSection(path="a\x1b[31m\n.py")
    assert "a<U+001B>[31m<U+000A>.py" in texts_of(section.draw(0, look(60)).lines)[1]
