"""Say what events need of the panes.

Owns the protocols between the event router and the panes, so that routing is tested with
doubles. Proven by tests/unit/ui/test_event_router.py.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from caramelo_tui.domain.agent_events import AgentEvent, ChangesUndone
from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewRequest
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.files import ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, RunId
from caramelo_tui.ui.turns import Turn


class ConversationView(Protocol):
    """The conversation as events need it."""

    def show_user(self, text: str, *, is_queued: bool = False, run_id: RunId | None = None) -> None:
        """Show what the person said; the run that it began, if it did."""
        ...

    def begin_answer(self) -> None:
        """Begin a streamed answer."""
        ...

    def append_text(self, text: str) -> None:
        """Add answer text."""
        ...

    def append_thinking(self, text: str) -> None:
        """Add thinking text."""
        ...

    def end_answer(self, is_incomplete: bool) -> None:  # noqa: FBT001 - the pane's own signature
        """End the streamed answer."""
        ...

    def show_call(  # noqa: PLR0913 - the pane's own signature
        self,
        call_id: CallId,
        tool: str,
        summary: str,
        state: str,
        *,
        duration_ms: int | None = None,
        is_cached: bool = False,
        detail: str = "",
    ) -> None:
        """Show a call's line."""
        ...

    def update_call(  # noqa: PLR0913 - the pane's own signature
        self,
        call_id: CallId,
        tool: str,
        summary: str,
        state: str,
        *,
        duration_ms: int | None = None,
        is_cached: bool = False,
        detail: str = "",
    ) -> None:
        """Show a call's line anew."""
        ...

    def show_notice(self, level: str, text: str) -> None:
        """Show a notice."""
        ...

    def show_run_end(self, ending: str, detail: str, *, can_retry: bool = False) -> None:
        """Show how the run ended, and whether its failed request can be sent again."""
        ...


class ChangesView(Protocol):
    """The changes as events need them."""

    @property
    def waiting_counts(self) -> tuple[int, int, int]:
        """Files, hunks, and undecided hunks that wait."""
        ...

    def take_live(self, event: AgentEvent) -> None:
        """Follow the calls that the model is writing."""
        ...

    def show_review(self, request: ReviewRequest, *, turn: Turn) -> None:
        """Show a review that waits."""
        ...

    def settle_review(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        """Show that a review is settled."""
        ...

    def mark_not_applied(self, approval_id: ApprovalId) -> None:
        """Show that a review was withdrawn."""
        ...

    def show_applied(self, call_id: CallId, changes: ChangeSet, *, turn: Turn) -> None:
        """Show what was written."""
        ...

    def show_disk_changes(
        self, changes: Sequence[FileChange], *, origin: ChangeOrigin, turn: Turn
    ) -> None:
        """Show what commands and others changed."""
        ...

    def show_undone(self, event: ChangesUndone) -> None:
        """Show that applied hunks were taken back, or are there again."""
        ...


class FilesView(Protocol):
    """The file tree as events need it."""

    def refresh_folders_of(self, paths: Iterable[str]) -> None:
        """Ask again for the folders in which these paths lie."""
        ...

    def show_marks(self) -> None:
        """Draw the marks again."""
        ...


class PromptView(Protocol):
    """The prompt as events need it."""

    def show_queue(self, prompts: Sequence[str], steering: Sequence[str] = ()) -> None:
        """Show the prompts that wait for the end of the run, or for its next turn."""
        ...
