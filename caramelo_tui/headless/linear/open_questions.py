"""Keep the questions of the agent in line, and put one after the other.

Owns which question is open, which ones wait behind it, and the guard that begins to count once a
question was written to its end. Must not answer by itself, nor know commands, prompts or the end
of the session. Proven by tests/unit/headless/test_linear_session.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.agent_events import ApprovalSettled
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalOutcome,
    ApprovalRequest,
    CommandRequest,
    ReviewRequest,
)
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.headless.linear.call_question import CallQuestion
from caramelo_tui.headless.linear.dialogs import Dialog
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.review_question import ReviewQuestion
from caramelo_tui.headless.linear.start_questions import LinearTerminal
from caramelo_tui.headless.linear.typed_lines import LineGuard, Typed

_CUT_INTRO = "What was typed before this line is discarded."


class OpenQuestions:
    """The questions that stand open, in the order in which they were asked."""

    def __init__(
        self,
        agent: AgentPort,
        terminal: LinearTerminal,
        *,
        editor: LinearEditor,
        discard_typed: Callable[[], None],
    ) -> None:
        """Wire the questions.

        Args:
            agent: Is told the answers.
            terminal: Takes the questions, and forgets what was typed and not sent while one was
                written; its clock measures the guard.
            editor: Edits proposed files.
            discard_typed: Called before a question is written: what was begun counts no more.
        """
        self._agent = agent
        self._lines, self._out, self._clock = terminal.lines, terminal.out, terminal.clock
        self._editor = editor
        self._discard_typed = discard_typed
        self._guard = LineGuard()
        self._waiting: list[ApprovalRequest] = []
        self._current: Dialog | None = None

    @property
    def current(self) -> Dialog | None:
        """The question that is open; ``None`` when none is."""
        return self._current

    async def ask(self, request: ApprovalRequest) -> None:
        """Put a question, or let it wait behind the open one."""
        self._waiting.append(request)
        if self._current is None:
            await self._open_next()
        else:
            self._out.say(f"{counted(len(self._waiting) - 1, 'more question')} waiting.")

    async def settle(self, event: ApprovalSettled) -> None:
        """Close a question, say how it ended, and put the next."""
        self._waiting = [each for each in self._waiting if each.id != event.approval_id]
        if self._current is not None and self._current.request.id == event.approval_id:
            self._current = None
        self._out.say(_settled(event))
        if self._current is None:
            await self._open_next()

    def problem(self, typed: Typed) -> str:
        """Return why lines are not taken while a question is open; empty when they are."""
        if self._current is None:
            return ""
        return self._guard.problem(typed, is_text=self._current.takes_text)

    async def answer(self, dialog: Dialog, typed: Typed) -> None:
        """Take lines as the answer to a question; if it was withdrawn meanwhile, to none."""
        reply = await dialog.take(typed.lines)
        if self._current is not dialog:
            self._out.say("The question was withdrawn meanwhile; nothing was answered.")
            return
        if reply.answer is not None:
            if not self._agent.answer(dialog.request.id, reply.answer):
                self._out.say("The question was withdrawn; nothing was done.")
        elif reply.asks_anew:
            await self._put(reply.say, request_id=dialog.request.id)
        else:
            for line in reply.say:
                self._out.say(line)

    def read_again(self) -> bool:
        """Say the open question again; ``False`` when none is."""
        if self._current is None:
            return False
        for line in self._current.text():
            self._out.say(line)
        return True

    async def _open_next(self) -> None:
        if self._waiting:
            self._current = self._dialog_for(self._waiting[0])
            await self._put(self._current.text(), request_id=self._waiting[0].id)

    async def _put(self, lines: tuple[str, ...], *, request_id: ApprovalId) -> None:
        """Write a question to its end; only then does its guard begin to count."""
        self._guard.mark_asked()
        self._discard_typed()
        for line in (_CUT_INTRO, *lines):
            self._out.say(line)
        await self._out.flush()
        self._lines.drop_unfinished()
        if self._current is not None and self._current.request.id == request_id:
            self._guard.mark_shown(self._clock.monotonic())

    def _dialog_for(self, request: ApprovalRequest) -> Dialog:
        match request:
            case CommandRequest() | ActionRequest():
                return CallQuestion(request, self._agent)
            case ReviewRequest():
                return ReviewQuestion(request, self._agent, self._editor)


def _settled(event: ApprovalSettled) -> str:
    if event.outcome is ApprovalOutcome.WITHDRAWN:
        return "The question was withdrawn; nothing was run or written for it."
    if event.outcome is ApprovalOutcome.REPLACED:
        return "What was asked about changed meanwhile; it is asked again."
    return f"Answered: {event.outcome.value}."
