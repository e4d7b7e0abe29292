"""The session's writes come to one difference for each file."""

from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.change_history import ChangeHistory
from caramelo_tui.ui.widgets.change_totals import ChangeTotals
from caramelo_tui.ui.widgets.diff_sections import (
    FileSection,
    HunkSection,
    ListSection,
    Section,
    TextSection,
)
from caramelo_tui.ui.widgets.hunk_rows import Fate

TURN = Turn(run=1, number=1)


def wrote(path: str, before: bytes | None, after: bytes | None, call: str = "c1") -> ChangeSet:
    diff = FileDiff(path=path, before=before, after=after, applied=())
    return ChangeSet(call_id=CallId(call), files=(diff,))


def heads(sections: list[Section]) -> list[tuple[str, str, int, int]]:
    return [
        (section.path, section.note, section.added, section.removed)
        for section in sections
        if isinstance(section, FileSection)
    ]


async def test_several_writes_are_one_difference() -> None:
    totals = ChangeTotals()
    totals.add(wrote("a.py", b"one\ntwo\n", b"1\ntwo\n"))
    totals.add(wrote("b.py", None, b"new\n"))
    totals.add(wrote("a.py", b"1\ntwo\n", b"1\n2\n", "c2"))
    assert not totals.is_current
    assert heads(totals.sections()) == []
    await totals.work_out()
    assert totals.is_current
    assert heads(totals.sections()) == [("a.py", "", 2, 2), ("b.py", "new file", 1, 0)]
    hunks = [section for section in totals.sections() if isinstance(section, HunkSection)]
    assert hunks[0].hunk.old_lines == ("one\n", "two\n")
    assert hunks[0].fate() is Fate.APPLIED
    assert [hunk.stop for hunk in hunks] == ["total:a.py:0", "total:b.py:0"]


async def test_what_was_worked_out_stays_until_the_file_is_written_again() -> None:
    totals = ChangeTotals()
    totals.add(wrote("a.py", b"one\n", b"1\n"))
    await totals.work_out()
    before = totals.sections()[-1]
    totals.add(wrote("b.py", None, b"x\n"))
    assert [s.text for s in totals.sections() if isinstance(s, TextSection)][1] == (
        "still being added up"
    )
    await totals.work_out()
    assert before in totals.sections()
    totals.add(wrote("a.py", b"1\n", b"one\n"))
    await totals.work_out()
    assert heads(totals.sections())[0] == ("a.py", "as it was at the start", 0, 0)


async def test_a_deleted_file_and_none_at_all() -> None:
    totals = ChangeTotals()
    assert totals.sections() == []
    totals.add(wrote("a.py", b"one\n", None))
    await totals.work_out()
    assert heads(totals.sections()) == [("a.py", "deleted", 0, 1)]


def test_what_others_changed_is_one_list_for_each_origin() -> None:
    history = ChangeHistory()

    def changed(path: str, origin: ChangeOrigin) -> None:
        change = FileChange(path=path, kind=ChangeKind.MODIFIED)
        history.add_disk([change], origin=origin, turn=TURN)

    changed("a", ChangeOrigin.COMMAND)
    changed("b", ChangeOrigin.EXTERNAL)
    changed("c", ChangeOrigin.COMMAND)
    lists = [
        [path for _sign, path, _words in section.rows]
        for section in history.disk_sections()
        if isinstance(section, ListSection)
    ]
    assert lists == [["a", "c"], ["b"]]
