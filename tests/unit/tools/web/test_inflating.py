"""A body that is unpacked within bounds."""

import gzip
import zlib

import pytest

from caramelo_tui.tools.web.inflating import BoundedBody, CodingRefused

LIMIT = 1_000


def unpacked(coding: str, data: bytes, *, step: int = 7, limit: int = LIMIT) -> BoundedBody:
    body = BoundedBody(coding, limit_bytes=limit)
    for start in range(0, len(data), step):
        body.add(data[start : start + step])
        if body.is_cut:
            break
    return body


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("step", [1, 2, 7, 10_000])
@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("", b"hello " * 20),
        ("identity", b"hello " * 20),
        ("gzip", gzip.compress(b"hello " * 20, mtime=0)),
        ("X-GZIP", gzip.compress(b"hello " * 20, mtime=0)),
        ("gzip", gzip.compress(b"hello " * 10, mtime=0) + gzip.compress(b"hello " * 10, mtime=0)),
        ("gzip", gzip.compress(b"hello " * 20, mtime=0) + b"trailing"),
        ("deflate", zlib.compress(b"hello " * 20)),
        ("deflate", raw_deflate(b"hello " * 20)),
        ("deflate", zlib.compress(b"hello " * 20) + b"trailing"),
    ],
)
def test_whole_body_is_unpacked_in_any_pieces(coding: str, packed: bytes, step: int) -> None:
    body = unpacked(coding, packed, step=step)
    assert body.data == b"hello " * 20
    assert not body.is_cut
    assert not body.is_broken_off


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "gzip, br", "\x1b"])
def test_other_coding_is_refused(coding: str) -> None:
    with pytest.raises(CodingRefused):
        BoundedBody(coding, limit_bytes=LIMIT)


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_damaged_body_is_told(coding: str) -> None:
    with pytest.raises(CodingRefused, match="damaged"):
        unpacked(coding, b"\xff\xfe this is not packed")


def test_body_that_ends_early_is_known() -> None:
    assert unpacked("gzip", gzip.compress(b"hello " * 20, mtime=0)[:-9]).is_broken_off
    assert unpacked("gzip", b"\x1f").is_broken_off
    assert not BoundedBody("gzip", limit_bytes=LIMIT).is_broken_off


@pytest.mark.parametrize("extra", [0, 1, 10_000_000])
def test_limit_holds_to_the_byte(extra: int) -> None:
    body = unpacked("gzip", gzip.compress(b"0" * (LIMIT + extra)), step=100)
    assert len(body.data) == LIMIT
    assert body.is_cut is (extra > 0)


@pytest.mark.parametrize("extra", [0, 1])
def test_limit_holds_for_a_plain_body(extra: int) -> None:
    body = unpacked("", b"0" * (LIMIT + extra))
    assert len(body.data) == LIMIT
    assert body.is_cut is (extra > 0)


def test_what_unpacks_to_nothing_is_limited_too() -> None:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    start = packer.compress(b"") + packer.flush(zlib.Z_SYNC_FLUSH)
    body = unpacked("gzip", start + b"\x00\x00\x00\xff\xff" * 1_000)
    assert body.is_cut
    assert body.data == b""


def test_a_full_step_leaves_nothing_inside() -> None:
    data = bytes(65_536 * 2 + 300)
    assert unpacked("gzip", gzip.compress(data), step=10**6, limit=10**6).data == data
