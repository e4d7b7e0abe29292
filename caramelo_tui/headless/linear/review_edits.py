"""Have a proposed file edited, and keep what was edited in a review.

Owns which writes of a review are shown as the user edited them. Writes nothing into the workspace.
Proven by tests/unit/headless/test_linear_review.py.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from caramelo_tui.agent.review import edited_write
from caramelo_tui.domain.approvals import ProposedWrite, ReviewRequest
from caramelo_tui.domain.ids import CallId
from caramelo_tui.headless.linear.editor import LinearEditor


class ReviewEdits:
    """The edits of one review."""

    def __init__(self, editor: LinearEditor) -> None:
        """Edit with an editor."""
        self._editor = editor
        self._texts: dict[CallId, str] = {}

    @property
    def texts(self) -> Mapping[CallId, str]:
        """Whole files as they were edited, by the write whose proposal they take the place of."""
        return dict(self._texts)

    async def edit(self, request: ReviewRequest, write: ProposedWrite) -> ReviewRequest | str:
        """Return the review with a write as the user edited it, or why it is as it was."""
        proposal = write.proposal
        try:
            text = proposal.after.decode()
        except UnicodeDecodeError:
            return "Only UTF-8 text can be edited."
        edited = await self._editor.edit(text, suffix=PurePosixPath(proposal.path).suffix)
        if edited is None:
            return "The proposal is as it was."
        self._texts[write.call_id] = edited
        return replace(
            request,
            writes=tuple(
                edited_write(each, edited) if each.call_id == write.call_id else each
                for each in request.writes
            ),
        )
