"""Ask about one call after the other.

Owns the order of waiting commands and other actions, and which one is on the screen. Shows at
most one question; a question that is settled elsewhere goes away without an answer. Knows no
widget. Proven by tests/unit/ui/test_call_questions.py.
"""

from collections.abc import Callable

from caramelo_tui.domain.approvals import (
    ActionRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
)
from caramelo_tui.domain.ids import ApprovalId

CallRequest = CommandRequest | ActionRequest
"""A question about one call; both kinds wait in one queue and take the same answers."""


class CallQuestions:
    """The calls that wait for an answer, oldest first."""

    def __init__(
        self,
        *,
        show: Callable[[CallRequest], None],
        withdraw: Callable[[], None],
        show_position: Callable[[str], None],
        answer: Callable[[ApprovalId, CommandAnswer], None],
    ) -> None:
        """Wire the questions.

        Args:
            show: Puts a question on the screen.
            withdraw: Takes the question on the screen away.
            show_position: Says at the question how many wait behind it; empty for none.
            answer: Hands an answer to the agent.
        """
        self._show = show
        self._withdraw = withdraw
        self._show_position = show_position
        self._answer = answer
        self._waiting: list[CallRequest] = []
        self._shown: ApprovalId | None = None

    def __len__(self) -> int:
        """Count the questions, the one on the screen included."""
        return len(self._waiting)

    def ask(self, request: CallRequest) -> None:
        """Take a question; it is shown when those before it are settled."""
        self._waiting.append(request)
        self._show_next()

    def take_answer(self, approval_id: ApprovalId, answer: CommandAnswer | None) -> None:
        """Hand on the answer to the question on the screen and show the next.

        A question that was closed without an answer is denied. One that was withdrawn
        meanwhile is not answered at all.
        """
        if approval_id != self._shown:
            return
        self._drop(approval_id)
        self._answer(approval_id, answer or CommandAnswer(action=CommandAction.DENY))
        self._show_next()

    def settle(self, approval_id: ApprovalId) -> None:
        """Take away a question that is settled or withdrawn elsewhere."""
        was_shown = approval_id == self._shown
        self._drop(approval_id)
        if was_shown:
            self._withdraw()
        self._show_next()

    def _drop(self, approval_id: ApprovalId) -> None:
        self._waiting = [request for request in self._waiting if request.id != approval_id]
        if approval_id == self._shown:
            self._shown = None

    def _show_next(self) -> None:
        if self._shown is None and self._waiting:
            self._shown = self._waiting[0].id
            self._show(self._waiting[0])
        if self._shown is not None:
            behind = len(self._waiting) - 1
            self._show_position(f"{behind} more waiting" if behind else "")
