"""Cuts never break a character and never lose more than they must."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.output_limits import cut_utf8, limit_result, rows_within

texts = st.text(st.characters(codec="utf-8"), max_size=60)


@given(texts, st.integers(0, 200))
def test_cut_is_a_decodable_prefix_as_long_as_possible(text: str, limit: int) -> None:
    data = text.encode()
    kept, was_cut = cut_utf8(data, limit)

    assert text.startswith(kept.decode())
    assert len(kept) <= limit
    assert was_cut is (len(data) > limit)
    if was_cut:
        assert len(kept) > limit - 4


@given(texts, st.integers(100, 400))
def test_limited_result_is_within_the_limit_and_counts_right(text: str, limit: int) -> None:
    whole = text * 9
    limited, was_cut = limit_result(whole, "hint", limit_bytes=limit)

    assert len(limited.encode()) <= limit or not was_cut
    assert was_cut is (len(whole.encode()) > limit)
    if was_cut:
        kept = limited[: limited.rindex("\n[cut: ")]
        assert whole.startswith(kept)
        assert f"[cut: {len(whole.encode()) - len(kept.encode())} of" in limited


@given(st.lists(texts, max_size=9), st.integers(0, 300))
def test_rows_within_takes_all_that_fit_and_no_more(rows: list[str], limit: int) -> None:
    fitting = rows_within(rows, limit)

    def size(count: int) -> int:
        return len("".join(f"{row}\n" for row in rows[:count]).encode())

    assert size(fitting) <= limit
    assert fitting == len(rows) or size(fitting + 1) > limit
