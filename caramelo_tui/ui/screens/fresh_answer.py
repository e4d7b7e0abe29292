"""Show what a read gives now, beside what the model was told.

Owns the page of a call that was run again past the cache, for the person only. Proven by
tests/pilot/test_run_again.py.
"""

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.ui.call_records import CallRecord
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.text_lines import TextLine, TextLines
from caramelo_tui.ui.widgets.cells import one_line, safe_lines


class FreshAnswerScreen(Dialog[None]):
    """The fresh answer of one call."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close", show=False)]

    def __init__(self, record: CallRecord, fresh: ToolResult) -> None:
        title = one_line(f"{record.tool}  {record.summary}: run again, for you only")
        super().__init__(title=title, kind="fresh-answer")
        self.add_class("-large")
        self._lines = TextLines(tuple(fresh_lines(record.result, fresh)))
        self.box.show_hint("↑↓ scroll · esc close")

    def compose_parts(self) -> list[Widget]:
        """Show the page."""
        return [self._lines]

    def on_mount(self) -> None:
        """Take the keys."""
        self._lines.focus()

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss(None)


def fresh_lines(told: ToolResult | None, fresh: ToolResult) -> Iterator[TextLine]:
    """Yield whether the answers differ, and the fresh one; lines that are new in it stand out.

    Args:
        told: What the model got; ``None`` when it got nothing yet.
        fresh: What the call gives now.
    """
    yield _verdict(told, fresh)
    yield TextLine(text="Run again past the cache, for you only: the model is not told.")
    yield TextLine(text="")
    known = frozenset(told.text.split("\n") if told is not None else ())
    marks_new = told is not None and told.text != fresh.text
    for source in fresh.text.split("\n"):
        is_new = marks_new and source not in known
        for line in safe_lines(source):
            if is_new:
                yield TextLine(text=f"+ {line}", color="state-ok")
            else:
                yield TextLine(text=f"  {line}" if marks_new else line)


def _verdict(told: ToolResult | None, fresh: ToolResult) -> TextLine:
    if fresh.is_error:
        return TextLine(text="✗ it fails now", color="state-error", attributes="bold")
    if told is None or told.text != fresh.text:
        words = (
            f"≠ differs from what the model was told, from line {_first_difference(told, fresh)}"
        )
        return TextLine(text=words, color="warning", attributes="bold")
    return TextLine(
        text="✓ the same as what the model was told", color="state-ok", attributes="bold"
    )


def _first_difference(told: ToolResult | None, fresh: ToolResult) -> int:
    """Return the first line in which the answers differ, from 1."""
    before = told.text.split("\n") if told is not None else []
    after = fresh.text.split("\n")
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if old != new:
            return number
    return min(len(before), len(after)) + 1
