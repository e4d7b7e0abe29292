"""The collector rests while a headless start loads and builds, and at the process's end."""

import gc
import subprocess
import sys

import pytest

from caramelo_tui.launch.collector import collector_at_rest, settle_collector


def test_it_rests_in_the_block_and_works_behind_it() -> None:
    with collector_at_rest():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="x"), collector_at_rest():
        raise ValueError("x")
    assert gc.isenabled()


def test_once_settled_it_works_past_what_is_there() -> None:
    before = gc.get_freeze_count()
    try:
        with collector_at_rest():
            settle_collector()
            assert gc.isenabled()
            assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()


def test_one_that_works_is_left_alone() -> None:
    before = gc.get_freeze_count()
    settle_collector()
    assert gc.isenabled()
    assert gc.get_freeze_count() == before


def test_the_process_ends_without_looking_at_everything_once_more() -> None:
    code = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0))\n"
        "from caramelo_tui.launch.collector import collector_at_rest\n"
        "with collector_at_rest(): pass\n"
        "print(gc.get_freeze_count() > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # What is registered first is called last.
    assert done.stdout.split() == ["False", "True"]
