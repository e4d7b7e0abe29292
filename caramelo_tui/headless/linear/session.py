"""Sit between the agent and a terminal that only takes lines.

Owns which question is open, what a typed line means at any moment, ctrl+c, and the end of the
session. Decides nothing by itself: an answer is a number that the user typed after the whole
question. Proven by tests/unit/headless/test_linear_session.py and tests/e2e/test_linear.py.
"""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Protocol

from caramelo_tui.agent.port import AgentPort, EventReader
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    Ending,
    RunEnded,
)
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalOutcome,
    ApprovalRequest,
    CommandRequest,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import ApprovalId, Clock
from caramelo_tui.headless.linear.call_question import CallQuestion
from caramelo_tui.headless.linear.commands import Commands, SessionSteps
from caramelo_tui.headless.linear.dialogs import Dialog, one_line
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.narration import Narrator
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.review_question import ReviewQuestion
from caramelo_tui.headless.linear.typed_lines import LineGuard, Typed
from caramelo_tui.headless.signals import SIGNAL_BASE, on_signals

ARMED_S = 2.0
"""Seconds within which a second ctrl+c quits."""
_CUT_INTRO = "What was typed before this line is discarded."


class Lines(Protocol):
    """Where typed lines come from."""

    async def next(self) -> Typed | None:
        """Return the next lines; ``None`` at the end of input."""
        ...

    def drop_unfinished(self) -> None:
        """Forget what was typed and not sent by Enter yet."""
        ...


class LinearSession:
    """One session in lines."""

    def __init__(
        self,
        agent: AgentPort,
        lines: Lines,
        out: LinearOutput,
        *,
        clock: Clock,
        carry_out_prompt: str,
        prepared: str = "",
    ) -> None:
        """Wire a session.

        Args:
            agent: Works; is not closed here.
            lines: What the user types.
            out: What the user gets.
            clock: Measures the guard and ctrl+c.
            carry_out_prompt: Tells the model to carry out its plan.
            prepared: A first prompt that may be sent as it is; empty: none.
        """
        self._agent = agent
        self._lines = lines
        self._out = out
        self._clock = clock
        self._carry_out_prompt = carry_out_prompt
        self._prepared = prepared
        self._guard = LineGuard()
        self._narrator = Narrator(out)
        self._waiting: list[ApprovalRequest] = []
        self._dialog: Dialog | None = None
        self._draft: list[str] = []
        self._has_plan = False
        self._asked_to_quit = False
        self._armed_at: float | None = None
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._others: set[asyncio.Task[None]] = set()
        self._commands = Commands(
            agent,
            out,
            self._narrator,
            SessionSteps(
                read_again=self._read_again,
                carry_out=self._carry_out,
                send_prepared=self._send_prepared,
                leave=self._ask_to_leave,
                send=self._send,
                run_own=self._start_own,
            ),
        )

    async def run(self, first_prompt: str = "") -> int:
        """Work until the user leaves, and return the exit code.

        Raises:
            OSError: If the terminal cannot be written any more.
        """
        reader = self._agent.read_events()
        self._greet()
        await self._out.flush()
        if first_prompt:
            self._agent.submit(first_prompt)
        tasks = [
            asyncio.create_task(self._show_all(reader), name="linear events"),
            asyncio.create_task(self._take_all(), name="linear input"),
        ]
        for task in tasks:
            task.add_done_callback(self._take_failure)
        with on_signals(self.take_signal):
            try:
                code = await self._ended
                await self._out.flush()
            finally:
                reader.close()
                left = [*tasks, *self._others]
                for task in left:
                    task.cancel()
                await asyncio.gather(*left, return_exceptions=True)
        return code

    def _take_failure(self, task: asyncio.Task[None]) -> None:
        """End the session with the error of a task that failed."""
        error = None if task.cancelled() else task.exception()
        if error is not None and not self._ended.done():
            self._ended.set_exception(error)

    async def _show_all(self, reader: EventReader) -> None:
        async for event in reader:
            await self.show(event)
        self._leave(0)

    async def _take_all(self) -> None:
        while (typed := await self._lines.next()) is not None:
            await self.take(typed)
        # The end of input, as ctrl+d types it, is the wish to leave.
        self._leave(0)

    # --- events ------------------------------------------------------------------------

    async def show(self, event: AgentEvent) -> None:
        """Say what an event means, and ask what it asks."""
        self._narrator.tell(event)
        match event:
            case ApprovalRequested():
                await self._ask(event.request)
            case ApprovalSettled():
                await self._settle(event)
            case RunEnded():
                self._take_run_end(event)
            case _:
                # Told above.
                pass
        await self._out.flush()

    async def _ask(self, request: ApprovalRequest) -> None:
        self._waiting.append(request)
        if isinstance(request, ReviewRequest):
            self._narrator.note_review(frozenset(write.call_id for write in request.writes))
        if self._dialog is None:
            await self._open_next()
        else:
            self._out.say(f"{counted(len(self._waiting) - 1, 'more question')} waiting.")

    async def _settle(self, event: ApprovalSettled) -> None:
        self._waiting = [each for each in self._waiting if each.id != event.approval_id]
        dialog = self._dialog
        if dialog is not None and dialog.request.id == event.approval_id:
            self._dialog = None
        self._out.say(_settled(event))
        if self._dialog is None:
            await self._open_next()

    async def _open_next(self) -> None:
        if self._waiting:
            self._dialog = self._dialog_for(self._waiting[0])
            await self._put(self._dialog.text(), request_id=self._waiting[0].id)

    async def _put(self, lines: tuple[str, ...], *, request_id: ApprovalId) -> None:
        """Write a question to its end; only then does its guard begin to count."""
        self._guard.mark_asked()
        self._asked_to_quit = False
        self._draft.clear()
        for line in (_CUT_INTRO, *lines):
            self._out.say(line)
        await self._out.flush()
        self._lines.drop_unfinished()
        if self._dialog is not None and self._dialog.request.id == request_id:
            self._guard.mark_shown(self._clock.monotonic())

    def _dialog_for(self, request: ApprovalRequest) -> Dialog:
        match request:
            case CommandRequest() | ActionRequest():
                root = str(self._agent.info.workspace)
                return CallQuestion(request, root=root, explain=self._agent.explain_command)
            case ReviewRequest():
                return ReviewQuestion(request)

    def _take_run_end(self, event: RunEnded) -> None:
        is_plan = event.ending is Ending.COMPLETED and self._agent.mode is ApprovalMode.PLAN
        self._has_plan = is_plan and bool(event.text.strip())
        if self._has_plan:
            self._out.say("This is the plan. /carry-out carries it out; or type what to change.")
        if event.ending is Ending.COMPLETED:
            self._agent.send_next_queued()
        if self._agent.is_running:
            return
        if queued := self._agent.queued_prompts:
            self._out.say(
                f"{counted(len(queued), 'prompt')} not sent: /send sends the next, /drop forgets."
            )
        self._out.say("Ready for your prompt.")

    # --- lines -------------------------------------------------------------------------

    async def take(self, typed: Typed) -> None:
        """Take what was typed: an answer, a command or a prompt."""
        dialog = self._dialog
        problem = ""
        if dialog is not None:
            problem = self._guard.problem(typed, is_text=dialog.takes_text)
        if problem:
            self._out.say(problem)
            await self._out.flush()
            return
        if dialog is not None and (dialog.takes_text or not self._is_command(typed)):
            await self._answer(dialog, typed)
        elif not self._is_command(typed):
            self._take_prompt(typed)
        await self._out.flush()

    def _is_command(self, typed: Typed) -> bool:
        """Carry out a command; ``False`` when it was none."""
        if self._draft:
            return False
        line, *more = typed.lines
        return not more and self._commands.take(line)

    async def _answer(self, dialog: Dialog, typed: Typed) -> None:
        reply = await dialog.take(typed.lines)
        if self._dialog is not dialog:
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

    def _take_prompt(self, typed: Typed) -> None:
        """Send a prompt; a backslash at its end, or a paste, makes it several lines."""
        self._draft += typed.lines
        if self._draft[-1].endswith("\\"):
            self._draft[-1] = self._draft[-1].removesuffix("\\")
            return
        text = "\n".join(self._draft)
        self._draft.clear()
        if not text.strip():
            self._out.say("An empty line sends nothing. /help lists what can be typed.")
            return
        self._send(text)

    def _send(self, text: str) -> None:
        self._has_plan = False
        self._prepared = ""
        self._asked_to_quit = False
        self._agent.submit(text)

    def _start_own(self, command: str) -> None:
        """Run a command of the user's own beside what is typed next."""
        self._keep(self._run_own(command))

    async def _run_own(self, command: str) -> None:
        result = await self._agent.run_own_command(command)
        if result is None:
            self._out.say("The command was not run: the session is at its end.")
        else:
            self._out.say(result.text)
            self._out.say("End of the output. The model was not told of it.")
        await self._out.flush()

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        """Let something go on by itself, to the end of the session at most."""
        task = asyncio.get_running_loop().create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    def _read_again(self) -> bool:
        if self._dialog is None:
            return False
        for line in self._dialog.text():
            self._out.say(line)
        return True

    def _carry_out(self) -> bool:
        if not self._has_plan or self._agent.is_running:
            return False
        self._has_plan = False
        self._agent.set_mode(ApprovalMode.REVIEW)
        self._agent.submit(self._carry_out_prompt)
        return True

    def _send_prepared(self) -> bool:
        if not self._prepared or self._agent.is_running:
            return False
        prepared, self._prepared = self._prepared, ""
        self._agent.submit(prepared)
        return True

    # --- the end -----------------------------------------------------------------------

    def take_signal(self, number: signal.Signals) -> None:
        """Stop the run at ctrl+c, leave at the second; leave at any other signal."""
        if number is not signal.SIGINT:
            self._leave(SIGNAL_BASE + number)
            return
        now = self._clock.monotonic()
        if self._armed_at is not None and now <= self._armed_at + ARMED_S:
            self._leave(0)
            return
        self._armed_at = now
        stopped = "The run is being stopped. " if self._agent.interrupt() else ""
        dropped = "The unfinished prompt is discarded. " if self._draft else ""
        self._draft.clear()
        self._out.say(f"{stopped}{dropped}ctrl+c again within {ARMED_S:.0f} seconds quits.")
        self._keep(self._out.flush())

    def _ask_to_leave(self) -> None:
        """Leave, unless something would be lost; then once more is asked for."""
        undecided = 0 if self._dialog is None else self._dialog.undecided
        lost = [
            *([counted(undecided, "undecided hunk")] if undecided else []),
            *([counted(len(queue), "waiting prompt")] if (queue := self._queue) else []),
        ]
        if lost and not self._asked_to_quit:
            self._asked_to_quit = True
            self._out.say(f"{' and '.join(lost)} would be lost. /quit once more quits.")
            return
        self._leave(0)

    @property
    def _queue(self) -> tuple[str, ...]:
        return self._agent.queued_prompts

    def _leave(self, code: int) -> None:
        if not self._ended.done():
            self._ended.set_result(code)

    def _greet(self) -> None:
        info = self._agent.info
        trust = "trusted" if info.is_trusted else "restricted"
        demo = " This is the demo: its model is a script." if info.is_demo else ""
        note = one_line(info.endpoint_note)
        self._out.say(
            f"Caramelo, linear mode. Folder {one_line(str(info.workspace), is_exact=True)}, "
            f"{trust}. Model {one_line(info.provider)} {one_line(info.model)}."
            f"{f' Endpoint from the environment: {note}.' if note else ''}"
            f" Mode {self._agent.mode}.{demo}"
        )
        if self._prepared:
            self._out.say(f"A prompt is prepared; /send sends it: {one_line(self._prepared)}")
        self._out.say("Type a prompt and press Enter. /help lists what can be typed.")


def _settled(event: ApprovalSettled) -> str:
    if event.outcome is ApprovalOutcome.WITHDRAWN:
        return "The question was withdrawn; nothing was run or written for it."
    if event.outcome is ApprovalOutcome.REPLACED:
        return "What was asked about changed meanwhile; it is asked again."
    return f"Answered: {event.outcome.value}."
