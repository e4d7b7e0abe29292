"""What became of changes stays visible."""

import pytest

from caramelo_tui.domain.agent_events import ChangesUndone, EventHead
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.undo import SwitchedHunk, UndoScope
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.change_history import ChangeHistory, DiskEntry
from caramelo_tui.ui.widgets.diff_sections import FileSection
from caramelo_tui.ui.widgets.hunk_rows import Fate
from tests.unit.ui.drawing import numbered, write
from tests.unit.ui.test_review_sections import shown


def turn(number: int, run: int = 1) -> Turn:
    return Turn(run=run, number=number)


def changed(path: str, kind: ChangeKind) -> FileChange:
    return FileChange(path=path, kind=kind)


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
    history.add_applied(applied("one"), turn=turn(2))
    text = shown(history.sections())
    assert text.index("turn 2") < text.index("✓ applied") < text.index("✗ rejected")
    assert "+1 \u22121" in text
    assert history.applied_files == 1


def test_each_turn_has_one_title() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    history.add_applied(applied("two", "b.py"), turn=turn(1))
    history.add_applied(applied("three"), turn=turn(2))
    text = shown(history.sections())
    assert text.count("turn 1") == 1
    assert text.count("turn 2") == 1
    assert history.applied_files == 2


def test_the_newest_turn_comes_first() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(2))
    history.add_applied(applied("two"), turn=turn(1, run=2))
    text = shown(history.sections())
    assert text.index("run 2 · turn 1") < text.index("run 1 · turn 2")


def test_a_file_has_one_head_in_a_turn() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    history.add_applied(applied("other", "b.py"), turn=turn(1))
    history.add_applied(applied("two"), turn=turn(1))
    text = shown(history.sections())
    assert text.count("src/cli.py") == 1
    assert "+2 \u22122" in text


def test_files_of_a_turn_stand_in_the_models_order() -> None:
    history = ChangeHistory()
    history.expect([CallId("one"), CallId("two"), CallId("three")])
    rejected = write("a\n", "b\n", path="b.py", call_id="two").proposal.hunks
    history.add_unapplied(CallId("two"), "b.py", rejected, fate=Fate.REJECTED, turn=turn(1))
    history.add_applied(applied("three", "c.py"), turn=turn(1))
    history.add_applied(applied("one", "a.py"), turn=turn(1))
    text = shown(history.sections())
    assert text.index("a.py") < text.index("b.py") < text.index("c.py")
    assert text.count("run 1 · turn 1") == 1


def test_a_rejected_file_says_what_was_proposed() -> None:
    history = ChangeHistory()
    hunks = write("a\n", "b\nc\n", path="b.py", call_id="one").proposal.hunks
    history.add_unapplied(CallId("one"), "b.py", hunks, fate=Fate.REJECTED, turn=turn(1))
    head = next(part for part in history.sections() if isinstance(part, FileSection))
    assert (head.added, head.removed, head.is_struck) == (2, 1, True)
    assert "+2 \u22121 " in shown([head])
    history.add_applied(applied("two", "b.py"), turn=turn(1))
    head = next(part for part in history.sections() if isinstance(part, FileSection))
    assert (head.added, head.removed, head.is_struck) == (1, 1, False)


def test_what_was_written_takes_the_place_of_what_was_kept() -> None:
    history = ChangeHistory()
    hunks = write("a\n", "b\n", call_id="one").proposal.hunks
    history.add_unapplied(CallId("one"), "src/cli.py", hunks, fate=Fate.REJECTED, turn=turn(1))
    assert "✗ rejected" in shown(history.sections())
    assert history.applied_files == 0
    history.add_applied(applied("one"), turn=turn(1))
    assert len(history.entries) == 1


def test_withdrawn_hunks_are_not_applied() -> None:
    history = ChangeHistory()
    hunks = write("a\n", "b\n", call_id="one").proposal.hunks
    history.add_unapplied(CallId("one"), "src/cli.py", hunks, fate=Fate.NOT_APPLIED, turn=turn(1))
    history.add_unapplied(CallId("one"), "src/cli.py", (), fate=Fate.NOT_APPLIED, turn=turn(1))
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
    history.add_applied(ChangeSet(call_id=CallId("one"), files=files), turn=turn(1))
    text = shown(history.sections())
    assert "new file" in text
    assert "deleted" in text


def test_outside_changes_are_listed_once_each() -> None:
    history = ChangeHistory()
    first = [changed("a.py", ChangeKind.MODIFIED)]
    second = [changed("a.py", ChangeKind.DELETED), changed("b\x1b.py", ChangeKind.CREATED)]
    for changes in (first, second):
        history.add_disk(changes, origin=ChangeOrigin.EXTERNAL, turn=turn(1))
    text = shown(history.sections())
    assert text.count("! changed outside of the agent") == 1
    assert " D a.py" in text
    assert " A b<U+001B>.py" in text
    assert "modified" not in text
    assert "turn" not in text


def test_changes_while_a_command_ran_belong_to_its_turn() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    history.add_disk(
        [changed("out.txt", ChangeKind.CREATED)], origin=ChangeOrigin.COMMAND, turn=turn(2)
    )
    history.add_disk(
        [changed("note.txt", ChangeKind.MODIFIED)], origin=ChangeOrigin.EXTERNAL, turn=turn(2)
    )
    text = shown(history.sections())
    places = [
        text.index(words)
        for words in (
            "! changed outside of the agent",
            "run 1 · turn 2",
            "$ changed while a command ran",
            "run 1 · turn 1",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("kinds", "shown_kind"),
    [
        (("created", "modified"), "created"),
        (("created", "deleted"), ""),
        (("created", "deleted", "created"), "created"),
        (("deleted", "created"), "modified"),
        (("modified", "deleted"), "deleted"),
    ],
)
def test_reports_on_one_file_become_one_change(kinds: tuple[str, ...], shown_kind: str) -> None:
    history = ChangeHistory()
    for kind in kinds:
        change = changed("out.txt", ChangeKind(kind))
        history.add_disk([change], origin=ChangeOrigin.COMMAND, turn=turn(1))
    changes = [
        change.kind.value
        for entry in history.entries
        if isinstance(entry, DiskEntry)
        for change in entry.changes
    ]
    assert changes == ([shown_kind] if shown_kind else [])


def test_parts_are_made_once() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    first = history.sections()[2]
    history.add_applied(applied("two"), turn=turn(1))
    assert history.sections()[2] is first


def test_a_hunk_that_was_taken_back_says_so_until_it_is_there_again() -> None:
    def undone(*, is_redo: bool) -> ChangesUndone:
        hunk = SwitchedHunk(call_id=CallId("one"), path="src/cli.py", old_start=3, old_count=1)
        return ChangesUndone(
            head=EventHead(seq=1, at=0),
            scope=UndoScope.HUNK,
            is_redo=is_redo,
            changes=ChangeSet(call_id=CallId("undo-1"), files=()),
            hunks=(hunk,),
        )

    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    history.add_applied(applied("two"), turn=turn(1))
    history.mark_undone(undone(is_redo=False))
    text = shown(history.sections())
    assert text.count("undone") == 1
    assert text.count("\u2713 applied") == 1
    assert text.count("\u2717 rejected") == 2
    history.mark_undone(undone(is_redo=True))
    assert "undone" not in shown(history.sections())


def test_an_undo_counts_in_the_totals_and_belongs_to_no_turn() -> None:
    history = ChangeHistory()
    history.add_applied(applied("one"), turn=turn(1))
    diff = applied("one").files[0]
    back = FileDiff(path=diff.path, before=diff.after, after=diff.before, applied=())
    history.mark_undone(
        ChangesUndone(
            head=EventHead(seq=1, at=0),
            scope=UndoScope.TURN,
            is_redo=False,
            changes=ChangeSet(call_id=CallId("undo-1"), files=(back,)),
            hunks=(),
        )
    )
    assert not history.totals.is_current
    change = changed("src/cli.py", ChangeKind.MODIFIED)
    history.add_disk((change,), origin=ChangeOrigin.UNDO, turn=turn(1))
    entry = history.entries[-1]
    assert isinstance(entry, DiskEntry)
    assert entry.turn is None
