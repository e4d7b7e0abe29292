"""Show a whole kept output.

Owns what of it is copied and edited; the bytes are drawn by the output view, however many. Proven
by tests/pilot/test_tool_log.py.
"""

from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.formatting import size_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.screens.searched_page import SearchedPage
from caramelo_tui.ui.widgets.output_search import SearchedOutput


class OutputScreen(SearchedPage):
    """All output of one command."""

    def __init__(self, data: bytes, *, title: str) -> None:
        self._output = SearchedOutput(data, id="output-view")
        super().__init__(self._output, title=title, kind="output", size=size_text(len(data)))

    @property
    def whole_text(self) -> str:
        """The output without its colours."""
        return self._output.plain

    def action_edit(self) -> None:
        """Open the output in the person's editor; what is changed there is theirs to keep."""
        app = host_of(self._output)
        app.run_worker(
            edit_in_editor(app, self.whole_text, suffix=".txt"), name="editor", group="editor"
        )
