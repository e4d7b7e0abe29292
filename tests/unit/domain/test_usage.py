"""Usage adds up."""

from caramelo_tui.domain.usage import Usage


def test_usage_adds_field_by_field() -> None:
    first = Usage(input_tokens=1, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4)
    assert first + first == Usage(
        input_tokens=2, output_tokens=4, cache_read_tokens=6, cache_write_tokens=8
    )
    assert first.context_tokens == 10
