"""Every spelling of a pattern finds the lines that a question to each line alone finds.

Patterns and lines are short: an engine that goes back and forth takes exponential time, which in
the program is a process of its own with a limit.
"""

import regress

from caramelo_tui.tools.search.js_pattern import flags_of, spell
from caramelo_tui.tools.search.regex_worker import LineSearch
from tests.fuzz.feed import Feed, text_of
from tests.property.test_js_patterns import by_ripgrep, by_worker, is_valid

SEEDS = (
    b"\x00(?<=a|bb)\\b\xffab\nbba\n",
    b"\x01^(?:(\\w)\\1)+$\xffaabb\naab\n",
    "\x02[^\\w😀]|\\u{2}".encode() + b"\xff" + "😀\nÉ\u2028x\r\n".encode(),
    b"\x81(?<n>a)\\k<n>|\\cJ\xffaa\nA\n",
    b"\x80[\\d-x]{1,2}?\xff-x1\n\xed\xa0\x80",
)
_LONGEST_PATTERN = 24
_LONGEST_TEXT = 40
_ASKS_RIPGREP = 0x80
_FOLDS_CASE = 1


def fuzz_one(data: bytes) -> None:
    """Search by each of the ways.

    Raises:
        AssertionError: If they differ.
    """
    feed = Feed(data)
    choice = feed.byte()
    pattern, lines = text_of(feed.line())[:_LONGEST_PATTERN], feed.rest()[:_LONGEST_TEXT]
    is_case_sensitive = not choice & _FOLDS_CASE
    # Two counts, one in the other, are where going back and forth begins.
    if sum(map(pattern.count, "*+{")) > 1 or not _is_known(
        pattern, is_case_sensitive=is_case_sensitive
    ):
        return
    spelling = spell(pattern, is_case_sensitive=is_case_sensitive)
    plain = LineSearch(regress, spelling.source, spelling.flags)
    found = list(plain.matching(spelling.view.of(lines)))
    assert by_worker(spelling, lines) == found
    if choice & _ASKS_RIPGREP and spelling.pcre2 is not None:
        assert by_ripgrep(spelling, lines) == found, (pattern, lines)


def _is_known(pattern: str, *, is_case_sensitive: bool) -> bool:
    try:
        pattern.encode()
    except UnicodeEncodeError:
        return False
    return is_valid(pattern, flags_of(is_case_sensitive=is_case_sensitive))
