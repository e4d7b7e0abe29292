"""Scroll a question, and move the mark among its answers.

Owns which keys do that; none of them answers. Proven by tests/pilot/test_approval_screen.py.
"""

from caramelo_tui.ui.screens.choices import ChoiceBar
from caramelo_tui.ui.screens.fact_view import FactView
from caramelo_tui.ui.widgets.literal_view import LiteralView

_SCROLLS = {"up": -1, "down": 1}
_PAGES = {"pageup": -1, "pagedown": 1}
_FACT_SCROLLS = {"shift+up": -1, "shift+down": 1}
_STEPS = {"left": -1, "shift+tab": -1, "right": 1, "tab": 1}


def move_by_key(key: str, subject: LiteralView, facts: FactView, bar: ChoiceBar) -> None:
    """Scroll what is asked about or what is said of it, or mark another answer."""
    if key in _SCROLLS:
        subject.scroll_lines(_SCROLLS[key])
    elif key in _PAGES:
        # A page leaves one line of the last, so that nothing is passed over.
        subject.scroll_lines(_PAGES[key] * max(subject.body_height - 1, 1))
    elif key == "home":
        subject.go_home()
    elif key == "end":
        subject.go_end()
    elif key in _FACT_SCROLLS:
        facts.scroll_lines(_FACT_SCROLLS[key])
    elif key in _STEPS:
        bar.move(_STEPS[key])
