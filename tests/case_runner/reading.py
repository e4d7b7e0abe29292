"""Read a tool's result text the way a case looks at it.

Owns the split of result texts into header, body, rows, entries and streams.
"""

import re

from caramelo_tui.domain.tool_calls import ToolResult


def header_and_body(text: str) -> tuple[dict[str, str], str]:
    """Split at the first blank line; only ``key: value`` lines before it are header."""
    head, _, body = text.partition("\n\n")
    pairs = (line.partition(": ") for line in head.split("\n"))
    return {key: value for key, separator, value in pairs if separator}, body


def rows_of(text: str) -> list[str]:
    """Return the rows of a search result, in order."""
    _, separator, body = text.partition("\n\n")
    return [line for line in (body if separator else "").split("\n") if line]


def entries_of(text: str) -> list[str]:
    """Return the entries of a listing, in order."""
    return rows_of(text)


def match_count(text: str) -> int:
    """Return the number of matches that a search of the second profile shows."""
    return sum(bool(re.match(r"\S+:\d+:", line)) for line in text.split("\n"))


def stream_of(result: ToolResult, name: str) -> str:
    """Return what one stream of a command printed, without mark and frame."""
    match = re.search(
        rf"^--- {name} \((?:first )?(?P<size>[\d,]+)[^\n]*\) ---\n(?P<rest>.*)\Z",
        result.text,
        re.DOTALL | re.MULTILINE,
    )
    if match is None:
        return ""
    size = int(match["size"].replace(",", ""))
    return match["rest"].encode()[:size].decode("utf-8", "replace")
