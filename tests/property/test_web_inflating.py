"""Packed bodies: whole in any pieces, and never beyond the limit."""

import gzip
import zlib

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.web.inflating import BoundedBody, CodingRefused

bodies = st.binary(max_size=2_000) | st.builds(bytes, st.integers(0, 200_000))
cuts = st.lists(st.integers(1, 500), min_size=1, max_size=20)


def unpacked(coding: str, packed: bytes, steps: list[int], limit: int) -> BoundedBody:
    body = BoundedBody(coding, limit_bytes=limit)
    position, turn = 0, 0
    while position < len(packed) and not body.is_cut:
        step = steps[turn % len(steps)]
        body.add(packed[position : position + step])
        position, turn = position + step, turn + 1
    return body


@given(bodies, st.sampled_from(["gzip", "deflate", "raw", ""]), cuts, st.integers(1, 300_000))
def test_result_is_the_start_of_the_body(
    data: bytes, coding: str, steps: list[int], limit: int
) -> None:
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = {
        "gzip": gzip.compress(data),
        "deflate": zlib.compress(data),
        "raw": raw.compress(data) + raw.flush(),
        "": data,
    }[coding]
    body = unpacked("deflate" if coding == "raw" else coding, packed, steps, limit)
    assert data.startswith(body.data)
    assert len(body.data) <= limit
    if len(packed) <= limit:
        assert body.is_cut is (len(data) > limit)
        assert len(body.data) == min(len(data), limit)


@given(st.binary(max_size=500), st.sampled_from(["gzip", "deflate"]), cuts)
def test_any_bytes_unpack_or_are_refused(data: bytes, coding: str, steps: list[int]) -> None:
    try:
        body = unpacked(coding, data, steps, 1_000)
    except CodingRefused:
        return
    assert len(body.data) <= 1_000
