"""The laws of joining two changes."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.workspace.merging import merge

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=12).map("".join)


@given(base=TEXTS, other=TEXTS)
def test_a_side_without_a_change_leaves_the_other(base: str, other: str) -> None:
    assert merge(base, other, base).text == other
    assert merge(base, base, other).text == other
    assert merge(base, other, other) == merge(other, other, other)


@given(base=TEXTS, first=TEXTS, second=TEXTS)
def test_without_a_conflict_the_sides_can_be_exchanged(base: str, first: str, second: str) -> None:
    one, other = merge(base, first, second), merge(base, second, first)
    assert one.conflicts == other.conflicts
    if not one.conflicts:
        assert one.text == other.text
