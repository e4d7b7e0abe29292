from caramelo_tui.ui.answer_guard import AnswerGuard
from tests.doubles.clocks import ManualClock


def test_nothing_counts_before_the_question_is_drawn() -> None:
    clock = ManualClock()
    guard = AnswerGuard(clock)
    clock.move(10)
    assert not guard.is_ready


def test_nothing_counts_in_the_first_half_second() -> None:
    clock = ManualClock()
    guard = AnswerGuard(clock)
    guard.mark_shown()
    clock.move(0.49)
    assert not guard.is_ready
    assert not guard.is_typing
    clock.move(0.02)
    assert guard.is_ready


def test_each_key_starts_the_wait_again() -> None:
    clock = ManualClock()
    guard = AnswerGuard(clock)
    guard.mark_shown()
    for _ in range(5):
        clock.move(0.4)
        guard.mark_key()
        assert not guard.is_ready
        assert guard.is_typing
    clock.move(0.5)
    assert guard.is_ready


def test_remaining_time_is_counted_from_the_later_of_both() -> None:
    clock = ManualClock()
    guard = AnswerGuard(clock)
    guard.mark_key()
    clock.move(0.3)
    guard.mark_shown()
    assert guard.remaining_s() == 0.5


def test_it_remembers_that_it_once_stood_ready() -> None:
    clock = ManualClock()
    guard = AnswerGuard(clock)
    guard.mark_shown()
    guard.mark_key()
    assert not guard.was_ready
    clock.move(0.6)
    guard.mark_key()
    assert not guard.is_ready
    assert guard.was_ready
