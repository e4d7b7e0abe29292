"""Say which key moves through a diff.

Owns the bindings of the diff view; those of the review are in ``changes_keys``. Proven by
tests/pilot/test_changes.py and tests/pilot/test_help.py.
"""

from textual.binding import Binding


def _key(key: str, action: str, words: str, name: str, *, display: str | None = None) -> Binding:
    return Binding(key, action, words, show=False, key_display=display, id=f"diff.{name}")


DIFF_KEYS: tuple[Binding, ...] = (
    _key("j", "hunk(1)", "Next hunk", "next_hunk"),
    _key("k", "hunk(-1)", "Previous hunk", "previous_hunk"),
    _key("J", "file(1)", "Next file", "next_file"),
    _key("K", "file(-1)", "Previous file", "previous_file"),
    _key("full_stop", "line(1, False)", "Choose the next line", "next_line", display="."),
    _key("comma", "line(-1, False)", "Choose the line before", "previous_line", display=","),
    _key("greater_than_sign", "line(1, True)", "Choose one more line", "more_lines", display=">"),
    _key("less_than_sign", "line(-1, True)", "Choose back to the line before", "back", display="<"),
    _key("w", "wrap", "Wrap long lines", "wrap"),
    _key("W", "whitespace", "Show blanks and tabs", "whitespace"),
    _key("b", "sides", "Side by side", "sides"),
    _key("left", "sideways(-1)", "Scroll left", "left"),
    _key("right", "sideways(1)", "Scroll right", "right"),
)
