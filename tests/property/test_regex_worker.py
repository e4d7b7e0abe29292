"""Batches come out of their frame as they went in."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.search.regex_worker import (
    join_batch,
    split_batch,
)


@given(st.lists(st.binary(max_size=20), max_size=6), st.integers(0, 2**32 - 1))
def test_batches_survive_their_frame(batch: list[bytes], wanted: int) -> None:
    assert split_batch(join_batch(batch, wanted)) == (wanted, batch)
