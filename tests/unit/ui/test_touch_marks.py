from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.ui.touch_marks import TouchMarks


def written(path: str, before: bytes | None, after: bytes | None) -> ChangeSet:
    file = FileDiff(path=path, before=before, after=after, applied=())
    return ChangeSet(call_id=CallId("c"), files=(file,))


def test_reading_shows_only_while_nothing_else_happened() -> None:
    marks = TouchMarks()
    marks.mark_read("a.py")
    assert marks.text("a.py") == "r"
    marks.mark_written(written("a.py", b"1", b"2"))
    assert marks.text("a.py") == "M"


def test_added_stays_added_when_written_again() -> None:
    marks = TouchMarks()
    marks.mark_written(written("a", None, b"1"))
    marks.mark_written(written("a", b"1", b"2"))
    assert marks.text("a") == "A"
    marks.mark_written(written("a", b"2", None))
    assert marks.text("a") == ""
    assert not marks.paths


def test_deleted_and_back_is_modified() -> None:
    marks = TouchMarks()
    marks.mark_written(written("a", b"1", None))
    assert marks.text("a") == "D"
    marks.mark_written(written("a", None, b"1"))
    assert marks.text("a") == "M"


def test_a_command_that_makes_and_writes_a_file_adds_it() -> None:
    marks = TouchMarks()
    for kind in (ChangeKind.CREATED, ChangeKind.MODIFIED):
        marks.mark_disk(ChangeOrigin.COMMAND, [FileChange(path="out.txt", kind=kind)])
    assert marks.text("out.txt") == "A$"
    gone = FileChange(path="out.txt", kind=ChangeKind.DELETED)
    marks.mark_disk(ChangeOrigin.COMMAND, [gone])
    assert not marks.paths


def test_a_proposal_is_marked_until_it_is_settled() -> None:
    marks = TouchMarks()
    marks.mark_written(written("src/a", b"1", b"2"))
    marks.mark_proposed(ApprovalId("r1"), ["src/a", "src/b"])
    marks.mark_proposed(ApprovalId("r2"), ["src/b"])
    assert marks.text("src/a") == "M?"
    marks.settle(ApprovalId("r1"))
    assert marks.text("src/a") == "M"
    assert marks.text("src/b") == "?"
    marks.settle(ApprovalId("r2"))
    assert marks.text("src/b") == ""


def test_changes_from_outside_are_told_from_those_of_commands() -> None:
    marks = TouchMarks()
    change = FileChange(path="a", kind=ChangeKind.MODIFIED)
    marks.mark_disk(ChangeOrigin.AGENT, [change])
    assert marks.text("a") == "M"
    marks.mark_disk(ChangeOrigin.COMMAND, [change])
    assert marks.text("a") == "M$"
    marks.mark_disk(ChangeOrigin.EXTERNAL, [change])
    assert marks.text("a") == "M$!"


def test_folders_count_changed_and_proposed_files_but_not_read_ones() -> None:
    marks = TouchMarks()
    marks.mark_read("src/api/read.py")
    marks.mark_proposed(ApprovalId("r"), ["src/api/a.py", "src/b.py"])
    assert marks.count_under("src") == 2
    assert marks.count_under("src/api") == 1
    assert marks.count_under("docs") == 0
    marks.settle(ApprovalId("r"))
    assert marks.count_under("src") == 0
