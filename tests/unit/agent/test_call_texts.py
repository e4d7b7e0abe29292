"""The pipeline's own sentences."""

from caramelo_tui.agent import call_texts
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import HunkId


def region(start: int, added: int) -> Hunk:
    return Hunk(
        id=HunkId("c:0"),
        old_start=start,
        old_lines=("old\n",),
        new_start=start,
        new_lines=("new\n",) * added,
    )


def test_what_moved_is_named_by_lines() -> None:
    note = call_texts.changed_on_disk("a", [region(1, 1), region(5, 3), region(20, 0)])
    assert note.startswith("a changed on disk (line 1, lines 5-7, lines removed before line 20)")


def test_many_moves_are_counted() -> None:
    note = call_texts.changed_on_disk("a", [region(number, 1) for number in range(1, 9)])
    assert "(line 1, line 2, line 3, line 4, line 5 and 3 more)" in note


def test_every_interrupted_call_says_what_became_of_it() -> None:
    assert call_texts.interrupted(is_write=True, is_running=True) == "interrupted, not applied"
    assert "what it had done" in call_texts.interrupted(is_write=False, is_running=True)
    assert call_texts.interrupted(is_write=False, is_running=False) == "interrupted, not run"
