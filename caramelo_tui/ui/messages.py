"""Name the requests that pass between the panes and the main screen.

Owns messages that more than one module posts. Past tense of the act; they carry values only.
Proven by tests/pilot/.
"""

from typing import TYPE_CHECKING

from textual.message import Message

from caramelo_tui.domain.ids import CallId

if TYPE_CHECKING:
    from caramelo_tui.agent.undo_port import UndoWish
    from caramelo_tui.ui.widgets.hunk_rows import Fate


class DraftTyped(Message):
    """Text was typed or pasted into a question; it belongs to the prompt's draft."""

    def __init__(self, text: str, *, is_paste: bool = False) -> None:
        super().__init__()
        self.text = text
        self.is_paste = is_paste


class PaneRequest(Message):
    """Something a pane wants from the agent or from another pane."""


class FolderAsked(PaneRequest):
    """The entries of a folder are wanted; answered with ``FileTree.show_folder``."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class PreviewAsked(PaneRequest):
    """The person wants to look into a file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class PathMentioned(PaneRequest):
    """The person wants a path in the prompt."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class CallDetailsAsked(PaneRequest):
    """The person wants to see all of a call."""

    def __init__(self, call_id: CallId) -> None:
        super().__init__()
        self.call_id = call_id


class CallCancelAsked(PaneRequest):
    """The person wants a running call cancelled, or its background processes ended."""

    def __init__(self, call_id: CallId) -> None:
        super().__init__()
        self.call_id = call_id


class CallRepeatAsked(PaneRequest):
    """The person wants a cached read run again past the cache, for themselves."""

    def __init__(self, call_id: CallId) -> None:
        super().__init__()
        self.call_id = call_id


class ProposalAsked(PaneRequest):
    """The person wants a change that was not applied to be proposed again."""

    def __init__(self, path: str, fate: "Fate") -> None:
        super().__init__()
        self.path = path
        self.fate = fate


class GrantAsked(PaneRequest):
    """The person wants to be asked no more about writes such as those to a file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class UndoAsked(PaneRequest):
    """The person wants something taken back that was applied."""

    def __init__(self, wish: "UndoWish") -> None:
        super().__init__()
        self.wish = wish


class EditorAsked(PaneRequest):
    """The person wants a file of the workspace in their own editor."""

    def __init__(self, path: str, *, line: int = 1) -> None:
        super().__init__()
        self.path = path
        self.line = line


class PathsAsked(PaneRequest):
    """All paths of the workspace are wanted; answered with ``FileTree.show_paths``."""


class ChangeAsked(PaneRequest):
    """The person wants to see what was changed in a file, or what is proposed for it."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class HeadAsked(PaneRequest):
    """What differs from the last commit is wanted; answered with ``ChangesPane.show_head``."""


FileRequest = (
    FolderAsked | PreviewAsked | PathMentioned | EditorAsked | PathsAsked | ChangeAsked | HeadAsked
)
"""Every request about a path."""

AnyPaneRequest = (
    FileRequest
    | CallDetailsAsked
    | CallCancelAsked
    | CallRepeatAsked
    | ProposalAsked
    | GrantAsked
    | UndoAsked
)
"""Every request of a pane; the workbench's match over them is exhaustive."""
