from caramelo_tui.ui.interrupt_arm import InterruptArm
from tests.doubles.clocks import ManualClock


def test_the_second_press_within_two_seconds_quits() -> None:
    clock = ManualClock()
    arm = InterruptArm(clock)
    assert not arm.press()
    clock.move(1.9)
    assert arm.press()
    assert not arm.is_armed


def test_typing_in_between_disarms() -> None:
    arm = InterruptArm(ManualClock())
    arm.press()
    arm.disarm()
    assert not arm.press()
    assert arm.press()


def test_a_late_second_press_arms_anew() -> None:
    clock = ManualClock()
    arm = InterruptArm(clock)
    arm.press()
    clock.move(2.1)
    assert not arm.is_armed
    assert not arm.press()
    assert arm.is_armed
