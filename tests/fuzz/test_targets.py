"""Each target holds on the inputs that were kept, on its seeds, and on some hundred made ones."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.run import CORPUS, TARGETS, changed, kept, target_of

every_target = pytest.mark.parametrize("name", TARGETS)
# Loaded before anything runs: their modules hold tests, which must not be made inside of one.
_LOADED = {name: target_of(name) for name in TARGETS}
_MADE = max(100, settings().max_examples)
"""More in the long profile."""
_LARGEST_KEPT = 4_096
_SMALLEST_NUMBER = 5


@every_target
def test_kept_inputs_break_nothing(name: str) -> None:
    target = _LOADED[name]
    inputs = [*target.SEEDS, *kept(name)]
    assert len(inputs) >= _SMALLEST_NUMBER or name == "session_files"
    for data in inputs:
        target.fuzz_one(data)


@every_target
@settings(max_examples=_MADE)
@given(seed=st.integers(0, 2**32))
def test_changed_inputs_break_nothing(name: str, seed: int) -> None:
    target = _LOADED[name]
    chance = random.Random(seed)  # noqa: S311 - no secret
    inputs = [*target.SEEDS, *kept(name)]
    target.fuzz_one(changed(chance.choice(inputs), inputs, chance))


@every_target
@given(data=st.binary(max_size=200))
def test_any_bytes_break_nothing(name: str, data: bytes) -> None:
    _LOADED[name].fuzz_one(data)


def test_every_module_is_a_target_and_every_kept_input_is_small() -> None:
    modules = {path.stem for path in (Path(__file__).parent / "targets").glob("[a-z]*.py")}
    assert modules == set(TARGETS)
    assert {path.parent.name for path in CORPUS.glob("*/*")} <= set(TARGETS)
    assert all(path.stat().st_size <= _LARGEST_KEPT for path in CORPUS.glob("*/*"))
