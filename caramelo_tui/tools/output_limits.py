"""Shape result texts: header and body, cuts at character borders, names that cannot act.

Owns the limits that hold for every tool. Knows no tool. Proven by
tests/unit/tools/test_output_limits.py and tests/property/test_output_limits.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.screen_text import visible

RESULT_LIMIT_BYTES = 262_144
"""No result to the model is longer (256 KB); a tool's own limit may be lower."""
LISTING_LIMIT = 2_000
"""Entries after which a listing stops and counts the rest."""

_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80
"""A UTF-8 byte that does not start a character is ``10xxxxxx``."""


def cut_utf8(data: bytes, limit_bytes: int) -> tuple[bytes, bool]:
    """Return the start of ``data`` that ends on a character border, and whether it was cut.

    Args:
        data: UTF-8; bytes that are not are kept, and the cut is then at most three bytes early.
        limit_bytes: The result is never longer, and at most three bytes shorter when cut.
    """
    if len(data) <= limit_bytes:
        return data, False
    end = limit_bytes
    # A character has at most three continuation bytes; more is not UTF-8 and cut anywhere.
    for step in range(4):
        if end - step <= 0 or data[end - step] & _CONTINUATION_MASK != _CONTINUATION:
            return data[: max(end - step, 0)], True
    return data[:end], True


def limit_result(text: str, hint: str, limit_bytes: int = RESULT_LIMIT_BYTES) -> tuple[str, bool]:
    """Return a result text within the limit and whether it was cut.

    Args:
        text: The whole text, UTF-8 encodable.
        hint: Which argument gets the rest, such as ``use a lower max_results``.
        limit_bytes: Limit of the returned text, its closing mark included.
    """
    data = text.encode("utf-8")
    if len(data) <= limit_bytes:
        return text, False
    # The mark's length depends on its digits; the longest it can be is reserved.
    reserved = len(_mark(len(data), len(data), hint).encode("utf-8"))
    kept, _ = cut_utf8(data, max(limit_bytes - reserved, 0))
    return kept.decode("utf-8") + _mark(len(data) - len(kept), len(data), hint), True


def _mark(missing_bytes: int, total_bytes: int, hint: str) -> str:
    return f"\n[cut: {missing_bytes} of {total_bytes} bytes are not shown; {hint}]"


def rows_within(rows: Sequence[str], limit_bytes: int) -> int:
    """Return how many of the first ``rows`` fit, each with its line feed."""
    used = 0
    for index, row in enumerate(rows):
        used += len(row.encode("utf-8", "replace")) + 1
        if used > limit_bytes:
            return index
    return len(rows)


def headed_text(header: Sequence[tuple[str, str]], body: str) -> str:
    """Return ``key: value`` lines, a blank line, and the body; values are made inert.

    Nothing in a value can end its line, so that what stands before the first blank line is
    the tool's own word whatever the workspace holds.
    """
    lines = [f"{key}: {make_inert(value)}" for key, value in header]
    return "\n".join(lines) + "\n\n" + body


def make_inert(name: str) -> str:
    """Return a file name or path as one line in which nothing hides or acts.

    Control, reordering and invisible characters, and bytes that are not UTF-8, become marks
    such as ``<U+001B>``; the result is always UTF-8 encodable.
    """
    return visible(name, keeps_newlines=False)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 file`` or ``2 files``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
