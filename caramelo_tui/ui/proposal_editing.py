"""Let the person edit a proposal in their own editor.

Owns the way of a proposed file into the editor and back into the review that it belongs to; the
review shows it again, undecided. Writes nothing into the workspace. Proven by
tests/pilot/test_proposal_editing.py.
"""

from pathlib import PurePosixPath

from textual.app import App

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.widgets.review_state import ReviewState


async def edit_proposal(app: App[object] | App[None], state: ReviewState, hunk_id: HunkId) -> str:
    """Have the file of a hunk's write edited as the write would leave it.

    Args:
        app: Lends its terminal.
        state: The review of the hunk.
        hunk_id: A hunk that waits.

    Returns:
        What came of it, as words for the head; why it failed was said by a toast.
    """
    write = state.write_of(hunk_id)
    if write is None:
        return ""
    proposal = write.proposal
    try:
        text = proposal.after.decode()
    except UnicodeDecodeError:
        return "only UTF-8 text can be edited"
    edited = await edit_in_editor(app, text, suffix=PurePosixPath(proposal.path).suffix)
    if edited is None:
        return "the proposal is as it was"
    if state.is_sent or state.write_of(hunk_id) is not write:
        return "the review is another one now; your text was not taken"
    state.take_edit(write.call_id, edited)
    return "edited; decide on it as it is shown now"
