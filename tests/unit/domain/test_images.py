"""Images are known by their bytes; their size is read from the head."""

import pytest

from caramelo_tui.domain.images import media_type_of, pixels_of
from tests.doubles.images import gif, jpeg, png, webp


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(3, 4), "image/png"),
        (jpeg(3, 4), "image/jpeg"),
        (gif(3, 4), "image/gif"),
        (webp(b"VP8X", 3, 4), "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", None),
        (b"<svg/>", None),
        (b"", None),
    ],
)
def test_a_format_is_known_by_its_first_bytes(data: bytes, media_type: str | None) -> None:
    assert media_type_of(data) == media_type


@pytest.mark.parametrize(
    "data",
    [
        png(800, 600),
        jpeg(800, 600),
        gif(800, 600),
        webp(b"VP8X", 800, 600),
        webp(b"VP8L", 800, 600),
        webp(b"VP8 ", 800, 600),
    ],
)
def test_the_size_in_pixels_stands_in_the_head(data: bytes) -> None:
    assert pixels_of(data) == (800, 600)


@pytest.mark.parametrize("data", [png(8, 8), jpeg(8, 8), gif(8, 8), webp(b"VP8X", 8, 8)])
def test_a_cut_head_says_no_size(data: bytes) -> None:
    for length in range(len(data)):
        assert pixels_of(data[:length]) in {None, (8, 8)}
    assert pixels_of(data[:13]) in {None, (8, 8)}


def test_a_size_of_nothing_is_none() -> None:
    assert pixels_of(png(0, 5)) is None
    assert pixels_of(webp(b"ALPH", 3, 3)) is None
    assert pixels_of(b"\xff\xd8\xff\xd9\0\0\0") is None
