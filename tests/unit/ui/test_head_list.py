"""The changes against the last commit as sections."""

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.git_state import HeadChanges, HeadFile
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.diff_sections import FileSection, HunkSection, TextSection
from caramelo_tui.ui.widgets.head_list import TITLE, HeadList

HUNK = Hunk(
    id=HunkId("head:a.txt:0"), old_start=1, old_lines=("a\n",), new_start=1, new_lines=("b\n",)
)
CHANGED = HeadFile(path="a.txt", hunks=(HUNK,))


def texts(head: HeadList) -> list[str]:
    return [part.text for part in head.sections() if isinstance(part, TextSection)]


def test_until_git_has_answered_that_is_said() -> None:
    assert texts(HeadList()) == [TITLE, "asking git …"]


def test_files_stand_with_their_hunks() -> None:
    head = HeadList()
    assert head.take(HeadChanges(files=(CHANGED, HeadFile(path="b.dat", note="binary"))))
    kinds = [type(part) for part in head.sections()]
    assert kinds == [TextSection, FileSection, HunkSection, FileSection]
    assert head.file_count == 2


def test_the_same_answer_changes_nothing() -> None:
    head = HeadList()
    head.take(HeadChanges(files=(CHANGED,)))
    assert not head.take(HeadChanges(files=(CHANGED,)))


def test_nothing_more_and_failures_are_said() -> None:
    head = HeadList()
    head.take(HeadChanges())
    assert texts(head)[-1] == "Nothing differs."
    head.take(HeadChanges(files=(CHANGED,), is_whole=False))
    assert texts(head)[-1] == "There is more than is shown here."
    head.take(None, "no git repository here")
    assert texts(head)[-1] == "no git repository here"
