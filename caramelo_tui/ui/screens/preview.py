"""Look into a file.

Owns the view of one preview; the text was read by the agent. Proven by
tests/pilot/test_file_tree.py.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.ui.formatting import count_text, size_text
from caramelo_tui.ui.keys_in_force import keys_in_force
from caramelo_tui.ui.own_labels import NamedKeys, bindings_of_class, hint_among
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.screens.text_lines import CodeLines, TextLine, TextLines
from caramelo_tui.ui.widgets.cells import one_line, safe_lines

_KEYS: tuple[NamedKeys, ...] = (
    (("preview.mention",), "mention"),
    (("preview.close",), "close"),
)


class PreviewScreen(Dialog[str | None]):
    """The start of a file; closes with the path when it is to be mentioned."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", show=False, id="preview.close"),
        Binding("at,m", "mention", "Mention in the prompt", show=False, id="preview.mention"),
    ]

    def __init__(self, preview: FilePreview) -> None:
        super().__init__(title=one_line(preview.path), kind="preview")
        self.add_class("-large")
        self._path = preview.path
        self._rows, note = _rows_of(preview)
        self._note = note

    def compose_parts(self) -> list[Widget]:
        """Show the lines."""
        return [self._rows]

    def on_mount(self) -> None:
        """Take the keys."""
        hint = hint_among(bindings_of_class(PreviewScreen), _KEYS, keys_in_force(self))
        self.box.show_hint(f"{self._note} · {hint}" if hint else self._note)
        self._rows.focus()

    def action_close(self) -> None:
        """Close without more."""
        self.dismiss(None)

    def action_mention(self) -> None:
        """Close and mention the path."""
        self.dismiss(self._path)


def _rows_of(preview: FilePreview) -> tuple[RowList, str]:
    """Return the view for a preview, and what its lower edge says."""
    if preview.problem:
        lines = [TextLine(text=line, color="muted") for line in safe_lines(preview.problem)]
        return TextLines(lines), size_text(preview.size)
    lines_of_code = safe_lines(preview.text)
    if lines_of_code and not lines_of_code[-1]:
        lines_of_code.pop()
    shown = len(preview.text.encode("utf-8", "surrogatepass"))
    note = f"{count_text(len(lines_of_code), 'line')} · {size_text(preview.size)}"
    if shown < preview.size:
        note = f"first {size_text(shown)} of {size_text(preview.size)}"
    return CodeLines(lines_of_code, preview.path), note
