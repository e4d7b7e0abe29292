"""The collector works again after a start that switched it off, past what stays."""

import gc

from caramelo_tui.ui.collector import settle_memory


def test_a_collector_that_was_switched_off_works_again_past_what_stays() -> None:
    before = gc.get_freeze_count()
    gc.disable()
    try:
        settle_memory()
        assert gc.isenabled()
        assert gc.get_freeze_count() > before
    finally:
        gc.enable()
        gc.unfreeze()


def test_one_that_runs_is_left_alone() -> None:
    before = gc.get_freeze_count()
    settle_memory()
    assert gc.isenabled()
    assert gc.get_freeze_count() == before
