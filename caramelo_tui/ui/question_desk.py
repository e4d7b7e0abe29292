"""Put questions about calls on the screen and hand their answers to the agent.

Owns the one question screen that may be in front, of either kind. The order of questions is
``CallQuestions``'. Proven by tests/pilot/test_approval_flow.py and
tests/pilot/test_action_approval.py.
"""

from collections.abc import Callable
from typing import assert_never

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.approvals import ActionRequest, CommandAnswer, CommandRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.ids import ApprovalId, Clock
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.ui.call_questions import CallQuestions, CallRequest
from caramelo_tui.ui.screens.action_approval import ActionApproval
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.command_approval import CommandApproval


class QuestionDesk:
    """The questions about commands and other actions."""

    def __init__(self, *, app: App[None], clock: Clock, answered: Callable[[], None]) -> None:
        """Wire the questions.

        Args:
            app: Shows them.
            clock: Measures their guard.
            answered: Told after each answer, so that what waits is counted anew.
        """
        self._app = app
        self._clock = clock
        self._answered = answered
        self._agent: AgentPort | None = None
        self._screen: ApprovalScreen | None = None
        self.questions = CallQuestions(
            show=self._show,
            withdraw=self._withdraw,
            show_position=self._show_position,
            answer=self._answer,
        )

    def attach(self, agent: AgentPort) -> None:
        """Answer to an agent from now on."""
        self._agent = agent

    def _show(self, request: CallRequest) -> None:
        screen = self._screen = self._screen_for(request)
        self._app.push_screen(screen, lambda answer: self._take(request, answer))

    def _screen_for(self, request: CallRequest) -> ApprovalScreen:
        match request:
            case CommandRequest():
                return CommandApproval(
                    request,
                    root="" if self._agent is None else str(self._agent.info.workspace),
                    block=lambda pattern: self._block(pattern, request.command.command),
                    block_meaning=self._block_meaning,
                    explain=self._explain,
                    clock=self._clock,
                )
            case ActionRequest():
                return ActionApproval(request, clock=self._clock)
            case _:
                assert_never(request)

    def _block(self, pattern: str, command: str) -> str:
        if self._agent is None:
            return "There is no agent yet."
        return self._agent.rules.block_commands(pattern, command=command)

    def _block_meaning(self, pattern: str) -> str:
        return "" if self._agent is None else self._agent.rules.block_meaning(pattern)

    async def _explain(self, command: CommandLine) -> tuple[CommandPart, ...]:
        return () if self._agent is None else await self._agent.explain_command(command)

    def _take(self, request: CallRequest, answer: CommandAnswer | None) -> None:
        self._screen = None
        self.questions.take_answer(request.id, answer)
        self._answered()

    def _show_position(self, position: str) -> None:
        if self._screen is not None:
            self._screen.show_position(position)

    def _withdraw(self) -> None:
        if self._screen is not None:
            self._screen.withdraw()

    def _answer(self, approval_id: ApprovalId, answer: CommandAnswer) -> None:
        if self._agent is not None and not self._agent.answer(approval_id, answer):
            self._app.notify(
                "The question was withdrawn; nothing was run.", severity="warning", markup=False
            )
