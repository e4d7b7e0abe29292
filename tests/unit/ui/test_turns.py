"""Turns are named by run and number."""

from caramelo_tui.ui.turns import Turn


def test_turns_are_named_and_ordered_by_time() -> None:
    first = Turn().next_run().in_run(3)
    second = first.next_run().in_run(1)
    assert first.title == "run 1 · turn 3"
    assert second.title == "run 2 · turn 1"
    assert first < second
