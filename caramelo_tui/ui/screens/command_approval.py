"""Ask whether a literal command may run.

Owns the editing of the command, which is shown again like a new question before ``y`` runs what
is shown, and the line for a rule that blocks such commands; the guard is the question's. Proven
by tests/pilot/test_approval_screen.py and tests/pilot/test_block_rule.py.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.widgets import TextArea

from caramelo_tui.agent.block_pattern import block_remark, suggested_pattern
from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, CommandRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.approval_text import (
    ANSWERS,
    BLOCK_HINT,
    CHECKING,
    EDITING_HINT,
    command_question,
    facts_of,
)
from caramelo_tui.ui.screens.fact_view import Fact, Words
from caramelo_tui.ui.widgets.command_view import CommandView

_EDIT = CommandAction.EDIT.value
_BLOCK = "block"


class CommandApproval(ApprovalScreen):
    """The question about one command."""

    READY: ClassVar[str] = "ready: y runs it once"
    UNREAD: ClassVar[str] = "scroll to the end to run it (end)"
    ENTER_REFUSED: ClassVar[str] = "Enter never runs a command; y does."

    def __init__(
        self,
        request: CommandRequest,
        *,
        root: str,
        block: Callable[[str], str],
        block_meaning: Callable[[str], str],
        explain: Callable[[CommandLine], Awaitable[tuple[CommandPart, ...]]],
        clock: Clock,
    ) -> None:
        """Ask about a command.

        Args:
            request: The frozen question.
            root: Absolute path of the workspace; another start folder is pointed out.
            block: Blocks commands by a pattern; returns why it did not, empty when it did.
            block_meaning: Returns what a pattern would refuse, as a sentence.
            explain: Returns the parts of an edited command with their risks.
            clock: Measures the guard.
        """
        self._asked = request
        self._command = request.command.command
        self._root = root
        self._block = block
        self._block_meaning = block_meaning
        self._explain = explain
        self._edited_parts: tuple[CommandPart, ...] | None = None
        self._pattern = ""
        self._problem = ""
        self._is_blocking = False
        self._view = CommandView(self._command, id="command")
        super().__init__(
            request,
            question=command_question(request),
            view=self._view,
            answers=ANSWERS,
            clock=clock,
        )

    def facts(self) -> tuple[Fact, ...]:
        """Return folder, limits, parts and reason; while a rule is written, what it means."""
        facts = facts_of(
            self._asked, self._command, self._root, edited_parts=self._edited_parts or ()
        )
        if not self._is_blocking:
            return facts
        lines = [Words(text=visible(self._block_meaning(self._pattern)), color="secondary")]
        if self._problem:
            lines.insert(0, Words(text=f"! {visible(self._problem)}", color="warning"))
        return (*((line,) for line in lines), *facts)

    def approving(self) -> CommandAnswer:
        """Run the command, or the edited one in its place."""
        if not self._is_edited:
            return CommandAnswer(action=CommandAction.RUN)
        return CommandAnswer(action=CommandAction.EDIT, command=self._command)

    def unready(self) -> str:
        """Wait for the end of the command, and for the risks of an edited one."""
        is_read = not self._is_edited or self._edited_parts is not None
        return super().unready() or ("" if is_read else CHECKING)

    def further_keys(self) -> Mapping[str, Callable[[], None]]:
        """Offer editing and blocking."""
        return {"e": self._edit, _EDIT: self._edit, "b": self._write_rule, _BLOCK: self._write_rule}

    def end_editing(self, use: str, text: str) -> None:
        """Show the edited command, or try the rule."""
        if use == _BLOCK:
            self._try_rule(text)
            return
        if text.strip():
            self._command = text
            self._edited_parts = None
            self._view.show_command(text)
        self.close_editor()
        if self._is_edited and self._edited_parts is None:
            edited = replace(self._asked.command, command=self._command)
            self.run_worker(
                self._read_edited(edited), name="explain", group="explain", exclusive=True
            )

    def close_editor(self) -> None:
        """Forget a rule that was not taken."""
        self._is_blocking = False
        self._problem = ""
        super().close_editor()

    @property
    def _is_edited(self) -> bool:
        return self._command != self._asked.command.command

    async def _read_edited(self, edited: CommandLine) -> None:
        """Say what an edited command consists of."""
        parts = await self._explain(edited)
        # An edit that came meanwhile is read by a worker of its own.
        if edited.command == self._command:
            self._edited_parts = parts
            self.take_facts()

    def _edit(self) -> None:
        # Marks stand for hidden characters here too: what is shown is what would run.
        self.open_editor(_EDIT, visible(self._command), EDITING_HINT, hides_subject=True)

    def _write_rule(self) -> None:
        pattern = suggested_pattern(self._asked)
        self._show_rule(pattern)
        self.open_editor(_BLOCK, visible(pattern, keeps_newlines=False), BLOCK_HINT)

    def _show_rule(self, pattern: str) -> None:
        self._is_blocking = True
        self._pattern = pattern
        self.show_facts()

    @on(TextArea.Changed)
    def _note_rule(self, event: TextArea.Changed) -> None:
        """Say at each change what the rule would refuse."""
        if self._is_blocking and event.text_area.text:
            self._show_rule(event.text_area.text)

    def _try_rule(self, text: str) -> None:
        pattern = " ".join(text.split())
        problem = self._block(pattern) if pattern else "An empty rule refuses nothing."
        if not problem:
            remark = block_remark(pattern)
            self.dismiss(CommandAnswer(action=CommandAction.DENY, remark=remark))
            return
        self._problem = problem
        self._show_rule(pattern)
        self.open_editor(_BLOCK, pattern, BLOCK_HINT)
