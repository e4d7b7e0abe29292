"""Which hunk a switch is about."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.undo import SwitchedHunk

CALL = CallId("c1")


def switched(start: int, count: int) -> SwitchedHunk:
    return SwitchedHunk(call_id=CALL, path="a", old_start=start, old_count=count)


def test_a_hunk_is_meant_when_its_lines_touch() -> None:
    assert switched(3, 2).covers(CALL, "a", old_start=4, old_count=1)
    assert switched(3, 0).covers(CALL, "a", old_start=3, old_count=0)
    assert not switched(3, 2).covers(CALL, "a", old_start=9, old_count=1)


def test_another_call_or_another_file_is_not_meant() -> None:
    assert not switched(3, 2).covers(CallId("c2"), "a", old_start=3, old_count=2)
    assert not switched(3, 2).covers(CALL, "b", old_start=3, old_count=2)


def test_a_whole_file_is_every_hunk_of_the_call() -> None:
    assert switched(0, 0).covers(CALL, "a", old_start=90, old_count=1)
