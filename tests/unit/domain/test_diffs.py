"""Proposed and applied changes."""

import dataclasses

import pytest

from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId, HunkId


def hunk(number: int, old: tuple[str, ...], new: tuple[str, ...]) -> Hunk:
    return Hunk(id=HunkId(f"c:{number}"), old_start=1, old_lines=old, new_start=1, new_lines=new)


TWO_FOR_ONE = hunk(0, ("a\n",), ("b\n", "c\n"))
REMOVAL = hunk(1, ("x\n", "y\n"), ())


def proposal(before: bytes | None, *hunks: Hunk) -> WriteProposal:
    return WriteProposal(
        call_id=CallId("c"),
        path="a.txt",
        shown_path="a.txt",
        edit=WholeContent(content="b\nc\n", can_overwrite=True),
        before=before,
        after=b"b\nc\n",
        hunks=hunks,
        base_hash=None,
    )


def test_a_proposal_counts_the_lines_of_all_its_hunks() -> None:
    made = proposal(b"a\nx\ny\n", TWO_FOR_ONE, REMOVAL)
    assert (made.added_lines, made.removed_lines) == (2, 3)
    assert (proposal(b"b\nc\n").added_lines, proposal(b"b\nc\n").removed_lines) == (0, 0)


def test_a_file_is_new_where_there_was_none_not_where_it_was_empty() -> None:
    assert proposal(None).is_new
    assert not proposal(b"").is_new


def test_what_was_written_counts_the_applied_hunks_only() -> None:
    diff = FileDiff(
        path="a.txt", before=b"", after=b"", applied=(TWO_FOR_ONE,), rejected=(REMOVAL,)
    )
    assert (diff.added_lines, diff.removed_lines) == (2, 1)


def test_a_proposal_cannot_be_changed_after_it_was_shown() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        proposal(None).after = b"other"  # type: ignore[misc]  # that it is refused is the test


def test_without_contents_paths_hunks_and_kinds_stay() -> None:
    hunk = Hunk(id=HunkId("h"), old_start=1, old_lines=("a\n",), new_start=1, new_lines=("b\n",))
    files = (
        FileDiff(path="changed", before=b"a\n", after=b"b\n", applied=(hunk,)),
        FileDiff(path="made", before=None, after=b"b\n", applied=(hunk,)),
        FileDiff(path="gone", before=b"a\n", after=None, applied=(hunk,)),
    )
    slim = ChangeSet(call_id=CallId("c"), files=files).without_contents()
    assert [(file.path, file.before, file.after) for file in slim.files] == [
        ("changed", b"", b""),
        ("made", None, b""),
        ("gone", b"", None),
    ]
    assert all(file.applied == (hunk,) for file in slim.files)
