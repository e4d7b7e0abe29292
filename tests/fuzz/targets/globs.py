"""A glob is refused, or it means what a plain, slow reading of it means, in bounded work."""

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.search.glob_pattern import GlobPattern
from tests.fuzz.feed import Feed, counted_steps, text_of
from tests.property.test_glob import expanded, fits, pairs_of, segments_of

SEEDS = (
    b"**/*.py\xffa/b.py",
    b"./{a,b/**}/?\xffb/c/d/e",
    b"{,a}{b,}[*\xff[x",
    b"a**b/**\xffaxb/c",
    "ä?/{ö,}".encode() + b"\xff" + "äx/ö".encode(),
    b"{{{{}}}}{a,{b,c}}\xffa",
)
_LONGEST_COMPARED = 24
_MOST_BRACES = 4
"""The plain reading takes exponential time."""
_CALLS_OF_A_CHARACTER = 4_000


def fuzz_one(data: bytes) -> None:
    """Match a path.

    Raises:
        AssertionError: If the plain reading answers otherwise, or the work has no bound.
    """
    feed = Feed(data)
    pattern, path = text_of(feed.line()), text_of(feed.rest())
    with counted_steps() as count:
        answer = _answer(pattern, path)
    assert count.calls <= _CALLS_OF_A_CHARACTER * (len(pattern) + len(path) + 1), count.calls
    is_small = len(pattern) <= _LONGEST_COMPARED and pattern.count("{") <= _MOST_BRACES
    is_path = bool(path) and all(path.split("/")) and len(path) <= _LONGEST_COMPARED
    if answer is not None and is_small and is_path:
        assert answer is plain(pattern, path), (pattern, path)


def _answer(pattern: str, path: str) -> bool | None:
    try:
        return GlobPattern(pattern).matches(path)
    except ToolFailure:
        return None


def plain(pattern: str, path: str) -> bool:
    """Return what the plain reading says."""
    while pattern.startswith("./"):
        pattern = pattern[2:]
    meanings = expanded(pattern, pairs_of(pattern), 0, len(pattern))
    return any(fits(segments_of(tokens), path.split("/")) for tokens in meanings)
