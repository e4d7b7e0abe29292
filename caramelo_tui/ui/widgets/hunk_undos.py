"""Ask for what was applied to be taken back, from where the cursor stands.

Owns which call and which lines a hunk on the screen stands for. It writes nothing: what leaves
the pane is a message. Proven by tests/pilot/test_undo.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.undo_port import UndoFile, UndoHunk
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.messages import UndoAsked
from caramelo_tui.ui.widgets.diff_sections import HunkSection
from caramelo_tui.ui.widgets.hunk_rows import Fate
from caramelo_tui.ui.widgets.review_decisions import DecisionSite

_NOT_APPLIED = "only what was applied can be taken back"
_TAKEN_BACK = "this is taken back already; /redo puts it back"
_HEAD = "these are git's; {key} goes back to what can be taken back"
_TOTALS = "{key} shows the changes by turn, where single hunks can be taken back"


class HunkUndos:
    """The undo keys of one pane."""

    def __init__(
        self, site: DecisionSite, say: Callable[[str], None], label_of: Callable[[str], str]
    ) -> None:
        """Work where decisions are taken.

        Args:
            site: Where that is.
            say: Says something above the list.
            label_of: Returns the key in force for a name of the pane's keys.
        """
        self._owner = site.owner
        self._view = site.view
        self._lists = site.lists
        self._say = say
        self._label_of = label_of

    @property
    def can_undo(self) -> bool:
        """Whether the hunk under the cursor was applied and can be taken back."""
        section = self._view.current
        if not isinstance(section, HunkSection) or self._lists.head.is_shown:
            return False
        return section.fate() is Fate.APPLIED

    def undo_hunk(self) -> None:
        """Take the hunk under the cursor back."""
        section = self._applied()
        if section is None:
            return
        if self._lists.desk.shows_totals:
            self._say(_TOTALS.format(key=self._label_of("changes.totals")))
            return
        hunk = section.hunk
        wish = UndoHunk(
            call_id=_call_of(section),
            path=section.path,
            old_start=hunk.old_start,
            old_count=len(hunk.old_lines),
        )
        self._owner.post_message(UndoAsked(wish))

    def undo_file(self) -> None:
        """Take back what its turn did to the file; among the totals, what the session did.

        The hunk under the cursor need not be an applied one while another one of the file is.
        """
        section = self._with_applied() or self._applied()
        if section is not None:
            is_total = self._lists.desk.shows_totals
            call_id = None if is_total else _call_of(section)
            self._owner.post_message(UndoAsked(UndoFile(path=section.path, call_id=call_id)))

    def _with_applied(self) -> HunkSection | None:
        """Return an applied hunk of the file under the cursor, of the same turn."""
        section = self._view.current
        if not isinstance(section, HunkSection) or self._lists.head.is_shown:
            return None
        found: HunkSection | None = None
        is_seen = False
        for other in self._lists.desk.sections():
            if not other.path:
                # A title: another turn begins.
                if is_seen:
                    break
                found = None
            elif isinstance(other, HunkSection) and other.path == section.path:
                is_seen = is_seen or other is section
                found = other if other.fate() is Fate.APPLIED else found
        return found if is_seen else None

    def _applied(self) -> HunkSection | None:
        section = self._view.current
        if not isinstance(section, HunkSection):
            return None
        if self._lists.head.is_shown:
            self._say(_HEAD.format(key=self._label_of("changes.head")))
            return None
        fate = section.fate()
        if fate is Fate.APPLIED:
            return section
        self._say(_TAKEN_BACK if fate is Fate.UNDONE else _NOT_APPLIED)
        return None


def _call_of(section: HunkSection) -> CallId:
    """Return the call of a hunk, whose id begins with the call's."""
    return CallId(section.hunk.id.rpartition(":")[0])
