"""The cursor goes from hunk to hunk and from file to file, and keeps its place."""

import pytest

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.diff_sections import HunkSection, Section, TextSection
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows
from caramelo_tui.ui.widgets.section_list import SectionList
from tests.unit.ui.drawing import look, numbered, write


def hunk(path: str, name: str) -> HunkSection:
    made = write(numbered(3), numbered(3, line_2="two")).proposal.hunks[0]
    return HunkSection(
        hunk=made,
        path=path,
        rows=HunkRows(made, path),
        fate=lambda: Fate.APPLIED,
        stop=HunkId(name),
    )


TITLE = TextSection("title")
PARTS: list[Section] = [
    TITLE,
    hunk("a", "a1"),
    hunk("a", "a2"),
    TextSection("between"),
    hunk("b", "b1"),
]
HUNK_ROWS = 5
"""A head, a line above, one removed, one added, a line below."""


@pytest.fixture
def parts() -> SectionList:
    parts = SectionList()
    parts.put(PARTS, look())
    return parts


def test_rows_belong_to_sections(parts: SectionList) -> None:
    assert len(parts) == 5
    assert list(parts) == PARTS
    assert [parts.first_row(index) for index in range(5)] == [0, 1, 6, 11, 12]
    assert [parts.last_row(index) for index in range(5)] == [0, 5, 10, 11, 16]
    assert parts.at(0) == (0, 0)
    assert parts.at(7) == (2, 1)
    assert len(parts.heights) == 2 + 3 * HUNK_ROWS
    assert parts.is_counted(look())
    assert parts.index_of(PARTS[2]) == 2
    assert parts.index_of(TextSection("title")) is None


def test_rows_are_counted_anew(parts: SectionList) -> None:
    wide = look(120, is_side_by_side=True)
    assert not parts.is_counted(wide)
    parts.count_rows(wide)
    assert parts.first_row(2) == 5


def test_stops_and_files_are_walked(parts: SectionList) -> None:
    assert parts.next_stop(-1, 1) == 1
    assert parts.next_stop(2, 1) == 4
    assert parts.next_stop(4, 1) is None
    assert parts.next_file(1, 1) == 4
    assert parts.next_file(4, 1) == 4
    assert parts.next_file(4, -1) == 1
    assert parts.next_file(-1, 1) == 1
    assert parts.stop_index(HunkId("b1")) == 4
    assert parts.stop_index(None) is None


def test_a_list_without_hunks_has_no_stop() -> None:
    parts = SectionList()
    assert parts.place_of((0, 0)) is None
    assert parts.next_file(-1, 1) is None
    parts.put([TITLE], look())
    assert parts.next_stop(-1, 1) is None
    assert parts.place_of((0, 0)) == (None, 0, 0)
    assert parts.row_of(None, 7) == 0


def test_the_place_is_kept_by_hunk(parts: SectionList) -> None:
    place = parts.place_of((8, 1))
    assert place == ("a2", 2, 1)
    parts.put([TITLE, *PARTS], look())
    assert parts.row_of(HunkId("a2"), 2) == 9
    parts.put(PARTS[:2], look())
    assert parts.row_of(HunkId("a2"), 2) == 2
    assert parts.row_of(HunkId("a2"), 99) == 5
