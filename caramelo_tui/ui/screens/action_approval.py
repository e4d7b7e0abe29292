"""Ask whether a commit, a request or another action may be done.

Owns how an action is asked about: all that is done is shown, and its end must have been seen;
the guard is the question's. Proven by tests/pilot/test_action_approval.py.
"""

from typing import ClassVar

from caramelo_tui.domain.approvals import ActionRequest
from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.screens.action_text import action_facts, action_lines, action_question
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.approval_text import ACTION_ANSWERS
from caramelo_tui.ui.screens.fact_view import Fact
from caramelo_tui.ui.widgets.action_view import ActionView


class ActionApproval(ApprovalScreen):
    """The question about one action."""

    READY: ClassVar[str] = "ready: y does it once"
    UNREAD: ClassVar[str] = "scroll to the end to do it (end)"
    ENTER_REFUSED: ClassVar[str] = "Enter never says yes; y does."

    def __init__(self, request: ActionRequest, *, clock: Clock) -> None:
        self._asked = request
        super().__init__(
            request,
            question=action_question(request),
            view=ActionView(action_lines(request.action), id="command"),
            answers=ACTION_ANSWERS,
            clock=clock,
        )

    def facts(self) -> tuple[Fact, ...]:
        """Return warnings, a note, how long the text is, and why it is asked."""
        return action_facts(self._asked)
