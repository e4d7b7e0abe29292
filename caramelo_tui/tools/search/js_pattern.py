"""Say how a JavaScript expression is searched for: under which view, and in which spellings.

Owns the way from a source to what the engines get. Proven by
tests/unit/tools/search/test_js_pattern.py and tests/property/test_js_patterns.py.
"""

from dataclasses import dataclass

from caramelo_tui.tools.search.js_escapes import NotUnderstood
from caramelo_tui.tools.search.js_parser import parse
from caramelo_tui.tools.search.js_text import AS_IT_IS, Folding, View
from caramelo_tui.tools.search.js_writers import (
    NotExact,
    can_ask_whole_file,
    is_same_beyond_ascii,
    written_for_pcre2,
    written_for_worker,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A pattern as engines get it."""

    view: View
    """The text that belongs to it."""
    source: str
    """For the worker."""
    flags: str
    """For the worker."""
    asks_whole: bool
    """Whether a search of the whole file can rule it out."""
    pcre2: str | None
    """For ripgrep; ``None`` where it might match other lines."""


def flags_of(*, is_case_sensitive: bool) -> str:
    """Return the flags that a search means."""
    return "" if is_case_sensitive else "i"


def spell(source: str, *, is_case_sensitive: bool) -> Spelling:
    """Return how to search for a valid source.

    What the parser does not understand goes to the worker as it is.
    """
    try:
        expression = parse(source, folds_case=not is_case_sensitive)
    except NotUnderstood:
        flags = flags_of(is_case_sensitive=is_case_sensitive)
        return Spelling(view=AS_IT_IS, source=source, flags=flags, asks_whole=False, pcre2=None)
    folding = Folding.NONE
    if not is_case_sensitive:
        folding = Folding.ASCII if is_same_beyond_ascii(expression) else Folding.ALL
    try:
        pcre2 = written_for_pcre2(expression)
    except NotExact:
        pcre2 = None
    return Spelling(
        view=View(has_halves=True, folding=folding),
        source=written_for_worker(expression),
        flags="",
        asks_whole=can_ask_whole_file(expression),
        pcre2=pcre2,
    )
