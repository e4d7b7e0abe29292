"""Compare a screen with what it was when somebody last looked at it.

Owns the stored texts (``tests/snapshot/expected/*.txt``), their update
(``CARAMELO_UPDATE_SNAPSHOTS=1``), and SVG pictures of what was updated or differs
(``artifacts/snapshots``): a picture takes longer than its comparison. A text can be read in a
review; a picture can be looked at. What would make a screen differ from run to run is pinned by
``tests/conftest.py`` (time zone, ``NO_COLOR``, home), by the panes (no blinking cursor) and here
(title and ids of the SVG).
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path

from textual.app import App

EXPECTED = Path(__file__).parent / "expected"
ARTIFACTS = Path(__file__).parents[2] / "artifacts" / "snapshots"
UPDATE_SWITCH = "CARAMELO_UPDATE_SNAPSHOTS"

_SVG_ID = re.compile(r"terminal-\d+-")


def screen_lines(app: App[None]) -> list[str]:
    """Return what is on the screen, line by line, without blanks at line ends."""
    strips = app.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]


def assert_snapshot(app: App[None], name: str) -> None:
    """Compare the screen with the stored text of that name; store it when asked to.

    Args:
        app: Everything that was posted must have been painted.
        name: File name without its ending, such as ``review-80x24``.

    Raises:
        AssertionError: If the texts differ (with the difference), or none is stored.
    """
    difference = _difference(app, name)
    assert not difference, difference


@contextmanager
def assert_snapshots() -> Iterator[Callable[[App[None], str], None]]:
    """Give a function that compares a screen; all that differ are told together at the end.

    Raises:
        AssertionError: If any of the texts differs or is not stored.
    """
    differences: list[str] = []

    def compare(app: App[None], name: str) -> None:
        differences.append(_difference(app, name))

    yield compare
    told = "\n".join(filter(None, differences))
    assert not told, told


def _difference(app: App[None], name: str) -> str:
    """Return what differs from the stored text, or nothing; store the text when asked to."""
    lines = screen_lines(app)
    path = EXPECTED / f"{name}.txt"
    if os.environ.get(UPDATE_SWITCH):
        save_picture(app, ARTIFACTS / f"{name}.svg")
        EXPECTED.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ""
    if not path.is_file():
        save_picture(app, ARTIFACTS / f"{name}.svg")
        return f"no snapshot {name}; look at the screen, then set {UPDATE_SWITCH}=1"
    stored = path.read_text(encoding="utf-8").splitlines()
    difference = "\n".join(unified_diff(stored, lines, "stored", "shown", lineterm=""))
    if not difference:
        return ""
    save_picture(app, ARTIFACTS / f"{name}.svg")
    return f"{name} looks different ({UPDATE_SWITCH}=1 takes it over):\n{difference}"


def save_picture(app: App[None], path: Path, *, title: str = "caramelo") -> None:
    """Write the screen as SVG, the same bytes for the same screen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    svg = app.export_screenshot(title=title)
    # Without it viewers drop the blanks at the start of a text; the id is random.
    svg = _SVG_ID.sub("terminal-", svg).replace("<svg ", '<svg xml:space="preserve" ', 1)
    path.write_text(svg, encoding="utf-8")
