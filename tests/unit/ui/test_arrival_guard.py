from caramelo_tui.ui.widgets.arrival_guard import QUIET_S, ArrivalGuard
from tests.doubles.clocks import ManualClock


def test_keys_decide_only_half_a_second_after_the_last_review() -> None:
    clock = ManualClock()
    guard = ArrivalGuard(clock.monotonic)
    assert guard.is_over
    first = guard.begin()
    clock.move(QUIET_S / 2)
    second = guard.begin()
    clock.move(QUIET_S * 0.75)
    assert not guard.is_over
    assert not guard.is_last(first)
    assert guard.is_last(second)
    clock.move(QUIET_S)
    assert guard.is_over


def test_the_head_says_how_long_it_takes() -> None:
    assert "0.5 s" in ArrivalGuard(ManualClock().monotonic).words
