"""Read a text of the conversation on a page of its own.

Owns what of it is copied and edited. The text is drawn by the pager view, however long. Proven by
tests/pilot/test_pager.py.
"""

from collections.abc import Callable

from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.screens.searched_page import SearchedPage
from caramelo_tui.ui.widgets.block_pager import PagerView


class PagerScreen(SearchedPage):
    """All of one text."""

    def __init__(self, text: str, *, title: str, edit: Callable[[str], None]) -> None:
        """Take a text.

        Args:
            text: As it came; it is made safe here.
            title: For the upper edge.
            edit: Opens a text in the person's editor.
        """
        self._edit = edit
        view = PagerView(text, id="pager-view")
        lines = view.text.count("\n") + (not view.text.endswith("\n"))
        super().__init__(view, title=title, kind="pager", size=count_text(lines, "line"))

    @property
    def whole_text(self) -> str:
        """The text as it is shown."""
        return self._view.text

    def action_edit(self) -> None:
        """Open the text in the person's editor."""
        self._edit(self.whole_text)
