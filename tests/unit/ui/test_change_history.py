"""What became of changes stays visible."""

from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.widgets.change_history import ChangeHistory
from caramelo_tui.ui.widgets.hunk_rows import Fate
from tests.unit.ui.drawing import numbered, write
from tests.unit.ui.test_review_sections import shown


def applied(call_id: str, path: str = "src/cli.py") -> ChangeSet:
    before, after = numbered(40), numbered(40, line_3="x", line_30="y")
    first, second = write(before, after, path=path, call_id=call_id).proposal.hunks
    diff = FileDiff(
        path=path,
        before=before.encode(),
        after=after.encode(),
        applied=(first,),
        rejected=(second,),
    )
    return ChangeSet(call_id=CallId(call_id), files=(diff,))


def test_applied_and_rejected_hunks_stand_in_line_order() -> None:
    history = ChangeHistory()
    assert history.is_empty
    history.add_applied(applied("one"), turn=2)
    text = shown(history.sections())
    assert text.index("turn 2") < text.index("✓ applied") < text.index("✗ rejected")
    assert "+1 \u22121" in text
    assert history.applied_files == 1


def test_each_turn_has_one_title() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=1)
    history.add_applied(applied("two", "b.py"), turn=1)
    history.add_applied(applied("three"), turn=2)
    text = shown(history.sections())
    assert text.count("turn 1") == 1
    assert text.count("turn 2") == 1
    assert history.applied_files == 2


def test_calls_in_a_row_on_one_file_have_one_head() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=1)
    history.add_applied(applied("two"), turn=1)
    history.add_applied(applied("three", "b.py"), turn=1)
    text = shown(history.sections())
    assert text.count("src/cli.py") == 1
    assert "+2 \u22122" in text


def test_what_was_written_takes_the_place_of_what_was_kept() -> None:
    history = ChangeHistory()
    hunks = write("a\n", "b\n", call_id="one").proposal.hunks
    history.add_unapplied(CallId("one"), "src/cli.py", hunks, Fate.REJECTED)
    assert "✗ rejected" in shown(history.sections())
    assert history.applied_files == 0
    history.add_applied(applied("one"), turn=1)
    assert len(history.entries) == 1


def test_withdrawn_hunks_are_not_applied() -> None:
    history = ChangeHistory()
    hunks = write("a\n", "b\n", call_id="one").proposal.hunks
    history.add_unapplied(CallId("one"), "src/cli.py", hunks, Fate.NOT_APPLIED)
    history.add_unapplied(CallId("one"), "src/cli.py", (), Fate.NOT_APPLIED)
    assert "\u2212 not applied" in shown(history.sections())
    assert len(history.entries) == 1


def test_new_and_deleted_files_are_named() -> None:
    history = ChangeHistory()
    made = write(None, "a\n", path="new.py", call_id="one").proposal.hunks
    gone = write("a\n", "", path="old.py", call_id="two").proposal.hunks
    files = (
        FileDiff(path="new.py", before=None, after=b"a\n", applied=made),
        FileDiff(path="old.py", before=b"a\n", after=None, applied=gone),
    )
    history.add_applied(ChangeSet(call_id=CallId("one"), files=files), turn=1)
    text = shown(history.sections())
    assert "new file" in text
    assert "deleted" in text


def test_outside_changes_are_listed_once_each() -> None:
    history = ChangeHistory()
    history.add_outside([FileChange(path="a.py", kind=ChangeKind.MODIFIED)])
    history.add_outside(
        [
            FileChange(path="a.py", kind=ChangeKind.DELETED),
            FileChange(path="b\x1b.py", kind=ChangeKind.CREATED),
        ]
    )
    text = shown(history.sections())
    assert text.count("changed outside") == 1
    assert " D a.py" in text
    assert " A b<U+001B>.py" in text
    assert "modified" not in text


def test_parts_are_made_once() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=1)
    first = history.sections()[2]
    history.add_applied(applied("two"), turn=1)
    assert history.sections()[2] is first
