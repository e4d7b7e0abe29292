"""Carry out what is wished about the hunk under the cursor beside deciding it.

Owns remarks, and the ways to the person's editor, to a grant, and to the model for another
proposal; whether a review may be changed now is said by the decisions. It writes nothing: what
leaves the pane is a message. Proven by tests/pilot/test_changes.py and
tests/pilot/test_proposal_editing.py.
"""

from collections.abc import Callable

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.messages import EditorAsked, GrantAsked, ProposalAsked
from caramelo_tui.ui.proposal_editing import edit_proposal
from caramelo_tui.ui.widgets.cells import one_line
from caramelo_tui.ui.widgets.diff_sections import HunkSection
from caramelo_tui.ui.widgets.hunk_rows import Fate
from caramelo_tui.ui.widgets.remark_line import RemarkLine
from caramelo_tui.ui.widgets.review_decisions import DecisionSite, ReviewDecisions
from caramelo_tui.ui.widgets.review_state import ReviewState


class HunkWishes:
    """What else the keys of one pane do with a hunk."""

    def __init__(
        self, site: DecisionSite, decisions: ReviewDecisions, show: Callable[[], None]
    ) -> None:
        """Work where decisions are taken; ``show`` shows the list anew, at the same place."""
        self.remark_line = RemarkLine()
        self._owner = site.owner
        self._view = site.view
        self._lists = site.lists
        self._decisions = decisions
        self._show = show

    def remark(self, *, is_about_hunk: bool) -> None:
        """Open the line for a remark on the hunk or on its file."""
        section = self._view.current
        if self._decisions.hunk is not None and isinstance(section, HunkSection):
            lines = self._view.chosen_lines if is_about_hunk else None
            self.remark_line.open(section, is_about_hunk=is_about_hunk, lines=lines)

    def keep_remark(self, message: RemarkLine.Kept) -> None:
        """Keep a remark, and give the keys back to the view."""
        section = message.section
        state = self._lists.desk.review_of(section.stop)
        if state is not None:
            state.remark_on(
                section, message.text, is_about_hunk=message.is_about_hunk, chosen=message.lines
            )
        self._view.focus()
        self._view.redraw()

    def leave_remark(self) -> None:
        """Close the line if it is open, because what it is about is gone."""
        if self.remark_line.display:
            self.remark_line.close()
            self._view.focus()

    def grant(self) -> None:
        """Offer to ask no more about writes such as those to the file under the cursor."""
        is_asked = self._decisions.review is not None and self._decisions.are_taken
        if is_asked and self._view.current_path:
            self._owner.post_message(GrantAsked(self._view.current_path))

    def propose_again(self) -> None:
        """Ask for the file under the cursor again, when its hunk was not applied."""
        section = self._lists.desk.lost_hunk(self._view.current)
        if section is not None:
            self._owner.post_message(ProposalAsked(section.path, section.fate()))
            self._decisions.say(f"asked for {one_line(section.path)} again")

    def edit(self) -> None:
        """Edit the file under the cursor as its write would leave it, in the person's editor."""
        current = self._decisions.hunk
        if current is not None and self._decisions.are_taken and not current[0].is_sent:
            self._owner.run_worker(self._edit(*current), group="editor", exclusive=True)

    def open_file(self) -> None:
        """Open the file at the chosen line, else at the hunk, in the person's own editor."""
        section = self._view.current
        if not isinstance(section, HunkSection):
            return
        chosen, hunk = self._view.chosen_lines, section.hunk
        before = chosen.line_before if chosen is not None else hunk.old_start
        after = chosen.line if chosen is not None else hunk.new_start
        # What was not written is not in the file yet.
        line = after if section.fate() is Fate.APPLIED else before
        self._owner.post_message(EditorAsked(section.path, line=line))

    async def _edit(self, state: ReviewState, hunk: HunkId) -> None:
        said = await edit_proposal(self._view.host, state, hunk)
        desk = self._lists.desk
        if desk.is_on(state):
            desk.lay_out(state)
            self._show()
        elif said:
            said = "the review is over; your text was not taken"
        self._decisions.say(said)
