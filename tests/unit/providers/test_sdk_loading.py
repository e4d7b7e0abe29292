"""The manner in which an SDK is loaded."""

import gc
import sys
import threading

import pytest

from caramelo_tui.providers.sdk_loading import SWITCH_INTERVAL_S, quiet_import


def test_the_collector_rests_and_threads_switch_quickly_meanwhile() -> None:
    before = sys.getswitchinterval()
    assert gc.isenabled()

    with quiet_import():
        assert not gc.isenabled()
        assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL_S)

    assert gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(before)
    assert gc.get_freeze_count() == 0


def test_a_failed_import_leaves_everything_as_it_was() -> None:
    before = sys.getswitchinterval()

    with pytest.raises(ModuleNotFoundError), quiet_import():
        raise ModuleNotFoundError

    assert gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(before)


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with quiet_import():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_only_one_import_runs_at_a_time() -> None:
    is_done = threading.Event()

    def import_too() -> None:
        with quiet_import():
            is_done.set()

    other = threading.Thread(target=import_too)
    with quiet_import():
        other.start()
        # It cannot come in however long one waits; a moment shows it when it could.
        assert not is_done.wait(timeout=0.05)
    other.join()

    assert is_done.is_set()
