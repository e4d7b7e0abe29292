"""Know an image by its bytes.

Owns which formats go with a prompt, how they are told apart, and how large an image is in bytes
and pixels. Decodes no pixel: sizes stand in the first bytes of a file, and what stands there is
somebody else's word, fit for being shown only. Pure. Proven by tests/unit/domain/test_images.py.
"""

from collections.abc import Callable, Mapping

IMAGE_BYTES = 5 * 1024 * 1024
"""Bytes that an image may have. Source: Anthropic, "Vision", limits of the API, read 2026-11-30;
the other vendors take more."""
IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
"""Ends of names, in lower case, that are taken for an image until its bytes are read."""

PixelSize = tuple[int, int]
"""Width and height in pixels."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_JPEG_SIGN = 0xFF
"""Stands before a marker, and as filling."""
_GIFS = (b"GIF87a", b"GIF89a")
_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a frame, which says the size; the three others in the range are tables."""
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers that nothing belongs to."""


def media_type_of(data: bytes) -> str | None:
    """Return the media type that the first bytes say, ``None`` for what no provider takes."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(_JPEG):
        return "image/jpeg"
    if data.startswith(_GIFS):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def pixels_of(data: bytes) -> PixelSize | None:
    """Return the size of an image, ``None`` where its head is cut or says none."""
    reader = _READERS.get(media_type_of(data) or "")
    try:
        size = None if reader is None else reader(data)
    except IndexError:
        return None
    return size if size is not None and min(size) > 0 else None


def _png_size(data: bytes) -> PixelSize | None:
    return _number(data, 16, 4), _number(data, 20, 4)


def _gif_size(data: bytes) -> PixelSize | None:
    return _little(data, 6, 2), _little(data, 8, 2)


def _jpeg_size(data: bytes) -> PixelSize | None:
    at = 2
    while data[at] == _JPEG_SIGN:
        marker = data[at + 1]
        if marker == _JPEG_SIGN:
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_FRAMES:
            return _number(data, at + 7, 2), _number(data, at + 5, 2)
        else:
            at += 2 + _number(data, at + 2, 2)
    return None


def _webp_size(data: bytes) -> PixelSize | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    if kind == b"VP8L":
        bits = _little(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


_READERS: Mapping[str, Callable[[bytes], PixelSize | None]] = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/gif": _gif_size,
    "image/webp": _webp_size,
}


def _number(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(_exactly(data, at, count), "big")


def _little(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(_exactly(data, at, count), "little")


def _exactly(data: bytes, at: int, count: int) -> bytes:
    """Return bytes of the head.

    Raises:
        IndexError: If it ends before.
    """
    found = data[at : at + count]
    if len(found) < count:
        raise IndexError(at)
    return found
