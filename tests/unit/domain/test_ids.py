"""Ids are fresh and clocks go forward."""

from caramelo_tui.domain.ids import CountingIds, RandomIds, SystemClock


def test_random_ids_carry_their_prefix_and_do_not_repeat() -> None:
    ids = {RandomIds().new("run") for _ in range(100)}
    assert len(ids) == 100
    assert all(text.startswith("run-") for text in ids)


def test_counting_ids_count_from_one() -> None:
    source = CountingIds()
    assert [source.new("a"), source.new("b")] == ["a-1", "b-2"]


def test_the_monotonic_clock_never_goes_back() -> None:
    clock = SystemClock()
    assert clock.monotonic() <= clock.monotonic()
    assert clock.now() > 1_700_000_000
