"""Show the workspace as a tree that loads folder by folder.

Owns which folders are open, what is loaded and how rows and marks are drawn. It asks for
folders, and for all paths when it is filtered, by message and is given them; it never touches the
disk or the agent. Proven by tests/pilot/test_file_tree.py.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Self

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input
from textual.widgets._static import Static

from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.domain.git_state import GitState, GitStates
from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.keymap import KeyPlace, bindings_of
from caramelo_tui.ui.messages import (
    ChangeAsked,
    EditorAsked,
    FolderAsked,
    PathMentioned,
    PathsAsked,
    PreviewAsked,
)
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.panes.tree_paths import FoundPaths, SearchedPaths
from caramelo_tui.ui.panes.tree_rows import SHOWN_MATCHES, TreeRow, TreeRows, folded_words
from caramelo_tui.ui.touch_marks import Mark, TouchMarks
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line, width_of

_MARK_COLORS = {
    Mark.READ: "muted",
    Mark.PROPOSED: "state-waiting",
    Mark.MODIFIED: "warning",
    Mark.ADDED: "success",
    Mark.DELETED: "error",
    Mark.COMMAND: "secondary",
    Mark.OUTSIDE: "secondary",
}

_MANY_PATHS = 20_000
"""Paths from which a filter is worked out beside the event loop."""
_GIT_COLORS = {
    GitState.MODIFIED: "warning",
    GitState.ADDED: "success",
    GitState.DELETED: "error",
    GitState.UNTRACKED: "secondary",
    GitState.CONFLICT: "error",
}


class TreeList(RowList):
    """The visible rows of the tree."""

    def __init__(self, tree: TreeRows, marks: TouchMarks, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._tree = tree
        self._marks = marks

    @property
    def row_count(self) -> int:
        """Rows that are not inside a closed folder or filtered away."""
        return len(self._tree.rows)

    @property
    def current(self) -> TreeRow | None:
        """The row under the cursor."""
        return self._tree.rows[self.cursor] if self._tree.rows else None

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Say why no file is shown."""
        if not self._tree.is_loaded("."):
            return ("Reading the folder …",)
        if self._tree.words:
            return ("No path matches.",)
        if self._tree.is_touched_only:
            return ("No file was touched yet.", "t shows all files")
        return ("The folder is empty.",)

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return indent, sign, name and the marks at the right end."""
        row = self._tree.rows[index]
        palette = self.palette
        marks = self._marks_of(row)
        marks_width = sum(len(text) for text, _color in marks)
        lead = f"{'  ' * row.depth}{_sign(row)} "
        name = one_line(row.name) + ("/" if row.is_folder and row.is_link else "")
        room = width - len(lead) - marks_width - 1
        color = "secondary" if row.is_folder else "foreground"
        if row.is_skipped or (row.kind in {FileKind.LINK, FileKind.OTHER} and not row.is_folder):
            color = "muted"
        line: Line = [
            (lead, palette.style("muted", ground)),
            (cut_cells(name, max(room, 0)), palette.style(color, ground)),
        ]
        gap = width - width_of(line) - marks_width
        line.append((" " * max(gap, 0), palette.style("muted", ground)))
        line += [(text, palette.style(color, ground, "bold")) for text, color in marks]
        return line

    def _marks_of(self, row: TreeRow) -> Sequence[tuple[str, str]]:
        """Return texts and colours of the marks of one row, git's own in the last column."""
        if row.is_folder:
            count = self._marks.count_under(row.path)
            marks = [(f"●{count}", "warning")] if count else []
        else:
            marks = [(sign, _MARK_COLORS[Mark(sign)]) for sign in self._marks.text(row.path)]
        states = self._tree.states
        if states is None:
            return marks
        state = states.of(row.path)
        git = (f" {state.value}", _GIT_COLORS[state]) if state else ("  ", "muted")
        return [*marks, git]


class FileTree(Vertical):
    """The pane: a filter that shows while it is used, and the tree."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.FILES)]

    def __init__(self, marks: TouchMarks, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._tree = TreeRows()
        self._marks = marks
        self._rows = TreeList(self._tree, marks, id="tree-rows")
        self._filter = FilterLine(id="tree-filter")
        self._note = Static(id="tree-note", markup=False)
        self._note.display = False
        self._lists_all = True
        self._wanted = ""

    def compose(self) -> ComposeResult:
        """Lay out the filter over the tree."""
        yield self._filter
        yield self._note
        yield self._rows

    def load_root(self) -> None:
        """Ask for the entries of the workspace's root."""
        self.post_message(FolderAsked("."))

    @property
    def rows(self) -> TreeList:
        """The list, for the focus."""
        return self._rows

    @property
    def tree_rows(self) -> TreeRows:
        """What is loaded and open."""
        return self._tree

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - Textual's signature
        """Give the list the focus."""
        self._rows.focus(scroll_visible)
        return self

    def show_folder(self, path: str, entries: Sequence[FolderEntry]) -> None:
        """Show the entries of a folder that was asked for."""
        self._keeping_cursor(lambda: self._tree.load(path, entries))
        place = self._tree.index_of(self._wanted) if self._wanted else None
        if place is not None:
            self._wanted = ""
            self._rows.move_to(place)
        self._say_reach()

    def show_paths(self, paths: Sequence[str], *, is_whole: bool) -> None:
        """Filter all paths of the workspace from now on, until the filter is lifted.

        Args:
            paths: Sorted so that a folder, which ends in ``/``, stands before what is in it.
            is_whole: Whether there are no more than these.
        """
        if not self._filter.display:
            return
        self._lists_all = is_whole
        self._keeping_cursor(lambda: self._tree.list_paths(paths))
        self._say_reach()

    def show_gone(self, path: str) -> None:
        """Close a folder that cannot be listed any more."""
        self._keeping_cursor(lambda: self._tree.unload(path))

    def show_states(self, states: GitStates | None) -> None:
        """Show how files stand against git; ``None``: without."""
        if states != self._tree.states:
            self._keeping_cursor(lambda: self._tree.take_states(states))

    def show_marks(self) -> None:
        """Draw the marks again; with the filter for touched files, also the rows."""
        self._keeping_cursor(lambda: self._tree.set_touched(self._marks.paths))

    def refresh_folders_of(self, paths: Iterable[str]) -> None:
        """Ask again for the loaded folders in which these paths lie."""
        folders = {path.rpartition("/")[0] or "." for path in paths}
        for folder in sorted(folders):
            if self._tree.is_loaded(folder):
                self.post_message(FolderAsked(folder))
            elif (parent := self._tree.nearest_loaded(folder)) is not None:
                self.post_message(FolderAsked(parent))

    def action_open_folder(self) -> None:
        """Open the folder under the cursor."""
        row = self._rows.current
        if row is not None and row.is_folder and not row.is_open:
            self._toggle(row)

    def action_close_folder(self) -> None:
        """Close the folder under the cursor, or go to the parent."""
        row = self._rows.current
        if row is None:
            return
        if row.is_folder and row.is_open:
            self._toggle(row)
            return
        parent = self._tree.index_of(row.path.rpartition("/")[0])
        if parent is not None:
            self._rows.move_to(parent)

    def action_mention(self) -> None:
        """Put the path under the cursor into the prompt."""
        row = self._rows.current
        if row is not None:
            self.post_message(PathMentioned(row.path))

    def action_toggle_touched(self) -> None:
        """Show only touched files, or all again."""
        self._keeping_cursor(lambda: self._tree.toggle_touched_only(self._marks.paths))

    def action_toggle_skipped(self) -> None:
        """Hide what git ignores and searches leave out, or show it again."""
        self._keeping_cursor(self._tree.toggle_skipped)

    def action_edit_file(self) -> None:
        """Open the file under the cursor in the person's own editor."""
        row = self._rows.current
        if row is not None and not row.is_folder:
            self.post_message(EditorAsked(row.path))

    def action_copy_path(self) -> None:
        """Send the path under the cursor to the clipboard."""
        row = self._rows.current
        if row is not None:
            copy_text(host_of(self), row.path)

    def action_show_change(self) -> None:
        """Go to the change of the file under the cursor."""
        row = self._rows.current
        if row is not None:
            self.post_message(ChangeAsked(row.path))

    def action_toggle_ignored(self) -> None:
        """Have the filter find what git ignores, or leave it out again."""
        self._tree.toggle_ignored()
        self._rows.move_to(0)
        self._say_reach()

    def action_filter(self) -> None:
        """Open the filter."""
        self._filter.open()
        self.post_message(PathsAsked())

    @on(Input.Changed)
    def _take_filter(self, event: Input.Changed) -> None:
        event.stop()
        self.filter_by(event.value)

    def filter_by(self, words: str) -> None:
        """Show only paths that hold every word; all again for none."""
        searched = self._tree.searched
        if words and len(searched) > _MANY_PATHS:
            self.run_worker(self._filter_beside(words, searched), group="filter", exclusive=True)
        else:
            self._narrow(words)

    async def _filter_beside(self, words: str, searched: SearchedPaths) -> None:
        """Search in a thread, so that keys go on being taken meanwhile."""
        self._narrow(words, await asyncio.to_thread(searched.find, folded_words(words)))

    def _narrow(self, words: str, found: FoundPaths | None = None) -> None:
        self._tree.filter(words, found)
        self._rows.move_to(0)
        self._say_reach()

    def _say_reach(self) -> None:
        """Say what a filter does not show, while there is more."""
        tree = self._tree
        words = ""
        if tree.words:
            shown = len(tree.rows)
            if not tree.is_listed and tree.has_unread_folders:
                words = "only opened folders so far"
            elif tree.matches > SHOWN_MATCHES:
                words = f"{SHOWN_MATCHES:,} of {tree.matches:,} matches"
            elif not self._lists_all and shown:
                words = "not all paths were searched"
            elif tree.leaves_ignored_out:
                words = "without what git ignores (alt+i)"
        self._note.update(words)
        self._note.display = bool(words)

    @on(FilterLine.Left)
    def _leave_filter(self, event: FilterLine.Left) -> None:
        event.stop()
        if not self._filter.display:
            # What was listed gets old, and is large.
            self._keeping_cursor(lambda: self._tree.list_paths(None))
            self._lists_all = True
        self._rows.focus()

    @on(RowList.Opened)
    def _open(self, event: RowList.Opened) -> None:
        event.stop()
        row = self._rows.current
        if row is None:
            return
        if row.is_folder:
            self._toggle(row)
        elif row.kind is FileKind.FILE or row.is_link:
            self.post_message(PreviewAsked(row.path))

    def _toggle(self, row: TreeRow) -> None:
        if self._tree.is_filtered:
            self._reveal(row.path)
            return
        self._keeping_cursor(lambda: self._tree.toggle(row.path))
        if not self._tree.is_loaded(row.path):
            self.post_message(FolderAsked(row.path))

    def _reveal(self, path: str) -> None:
        """Lift the filters, and open the tree down to a folder."""
        self._filter.close()
        self._tree.filter("")
        self._tree.list_paths(None)
        if self._tree.is_touched_only:
            self._tree.toggle_touched_only(self._marks.paths)
        self._wanted = path
        for folder in self._tree.open_to(path):
            self.post_message(FolderAsked(folder))
        place = self._tree.index_of(path)
        if place is not None:
            self._wanted = ""
        self._rows.move_to(place or 0)
        self._say_reach()
        self._rows.focus()

    def _keeping_cursor(self, change: Callable[[], None]) -> None:
        """Change the rows and keep the cursor on the same path."""
        current = self._rows.current
        change()
        place = None if current is None else self._tree.index_of(current.path)
        self._rows.move_to(self._rows.cursor if place is None else place)


def _sign(row: TreeRow) -> str:
    if row.is_folder:
        return "▾" if row.is_open else "▸"
    if row.is_link:
        return "↗"
    return " "
