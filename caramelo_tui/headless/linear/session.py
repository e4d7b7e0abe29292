"""Sit between the agent and a terminal that only takes lines.

Owns the course of a session: what a typed line means at any moment, ctrl+c, and the end. Must not
decide by itself, nor keep questions and prompts: `open_questions` and `prompts` do. Proven by
tests/unit/headless/test_linear_session.py and tests/e2e/test_linear.py.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial

from caramelo_tui.agent.login_port import LoginPort
from caramelo_tui.agent.port import AgentPort, EventReader
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    RunEnded,
)
from caramelo_tui.domain.approvals import ApprovalRequest, ReviewRequest
from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.headless.linear.commands import Commands, SessionSteps
from caramelo_tui.headless.linear.conversations import edit_prompt, log_in_here
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.earlier import read_earlier
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.images import LinearImages
from caramelo_tui.headless.linear.narration import Narrator
from caramelo_tui.headless.linear.open_questions import OpenQuestions
from caramelo_tui.headless.linear.prompts import Prompts
from caramelo_tui.headless.linear.start_questions import LinearTerminal
from caramelo_tui.headless.linear.typed_lines import Typed
from caramelo_tui.headless.signals import SIGNAL_BASE, on_signals

ARMED_S = 2.0
"""Seconds within which a second ctrl+c quits."""


READ_AGAIN = 1
"""Prompts of a session that goes on that are read out at its begin, the last ones."""

OpenSession = Callable[[SessionId], Awaitable[AgentPort]]
"""Builds an agent that goes on with a stored session; raises ``CarameloError``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor:
    """What is sat next, instead of leaving."""

    agent: AgentPort
    """Started; closed by who sits it."""
    prepared: str
    """A prompt that may be sent there as it is; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """How a session is sat."""

    carry_out_prompt: Callable[[str], str] = str
    """Returns what tells the model to carry out its plan; takes it as the user edited it, empty: as
    it is."""
    prepared: str = ""
    """A first prompt that may be sent as it is; empty: none."""
    picks_session: bool = False
    """Whether the stored sessions are read out first."""
    open_session: OpenSession | None = None
    """Goes on with another session; ``None``: that cannot be done."""
    make_login: Callable[[], LoginPort] | None = None
    """Gives what ``/login`` logs in with; ``None``: nothing can be changed here."""


class LinearSession:
    """One session in lines."""

    def __init__(
        self, agent: AgentPort, terminal: LinearTerminal, sitting: Sitting | None = None
    ) -> None:
        """Wire a session.

        Args:
            agent: Works; is not closed here.
            terminal: What the user types and gets; its clock measures the guard and ctrl+c.
            sitting: How the session is sat; ``None``: as a new one.
        """
        sitting = sitting or Sitting()
        out = terminal.out
        self.successor: Successor | None = None
        """What is to be sat once ``run`` has returned; ``None``: nothing."""
        self._sitting = sitting
        self._agent = agent
        self._terminal = terminal
        self._out = out
        self._editor = LinearEditor(terminal.lines, out)
        self._images = LinearImages(agent, out)
        self._questions = OpenQuestions(
            agent, terminal, editor=self._editor, discard_typed=self._discard_typed
        )
        self._prompts = Prompts(
            agent, out, carry_out_prompt=sitting.carry_out_prompt, prepared=sitting.prepared
        )
        self._narrator = Narrator(out)
        self._asked_to_quit = False
        self._armed_at: float | None = None
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._others: set[asyncio.Task[None]] = set()
        self._conversation: Coroutine[None, None, None] | None = None
        self._commands = Commands(
            agent,
            out,
            self._narrator,
            SessionSteps(
                read_again=self._questions.read_again,
                carry_out=self._prompts.carry_out,
                send_prepared=self._prompts.send_prepared,
                leave=self._ask_to_leave,
                send=self._send,
                steer=self._steer,
                beside=self._keep,
                run_own=self._start_own,
                go_to=self._go_to,
                log_in=partial(log_in_here, terminal, agent, sitting.make_login),
                edit_prompt=partial(edit_prompt, self._editor, self._prompts, out),
                paste_image=self._images.paste,
                converse=self._converse,
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
            self._send(first_prompt)
        if self._sitting.picks_session:
            self._commands.take("/resume")
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
        while (typed := await self._terminal.lines.next()) is not None:
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
                await self._questions.settle(event)
            case RunEnded():
                self._prompts.take_run_end(event)
            case _:
                # Told above.
                pass
        await self._out.flush()

    async def _ask(self, request: ApprovalRequest) -> None:
        if isinstance(request, ReviewRequest):
            self._narrator.note_review(frozenset(write.call_id for write in request.writes))
        await self._questions.ask(request)

    def _discard_typed(self) -> None:
        """Forget what was begun before a question: a prompt, or the wish to quit."""
        self._asked_to_quit = False
        self._prompts.discard_draft()

    # --- lines -------------------------------------------------------------------------

    async def take(self, typed: Typed) -> None:
        """Take what was typed: an answer, a command or a prompt."""
        if problem := self._questions.problem(typed):
            self._out.say(problem)
            await self._out.flush()
            return
        dialog = self._questions.current
        if dialog is not None and dialog.takes_text:
            await self._questions.answer(dialog, typed)
        elif not self._is_command(typed):
            if dialog is not None:
                await self._questions.answer(dialog, typed)
            elif text := self._prompts.completed(typed):
                self._send(text)
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation
        await self._out.flush()

    def _is_command(self, typed: Typed) -> bool:
        """Carry out a command; ``False`` when it was none."""
        if self._prompts.has_draft:
            return False
        line, *more = typed.lines
        return not more and self._commands.take(line)

    def _send(self, text: str) -> None:
        self._asked_to_quit = False
        if self._images.has_some(text):
            self._keep(self._send_with_images(text))
        else:
            self._prompts.send(text)

    def _steer(self, text: str) -> None:
        """Give the run a further prompt; without a run it is sent."""
        if self._images.has_some(text):
            self._keep(self._steer_with_images(text))
        else:
            self._give_steered(text, ())

    async def _steer_with_images(self, text: str) -> None:
        self._give_steered(text, await self._images.of(text))
        await self._out.flush()

    def _give_steered(self, text: str, images: tuple[ImageAttachment, ...]) -> None:
        if self._agent.steer(text, images):
            self._out.say("The run gets it with its next turn.")
        else:
            self._prompts.send(text, images)

    async def _send_with_images(self, text: str) -> None:
        self._prompts.send(text, await self._images.of(text))
        await self._out.flush()

    def _converse(self, work: Coroutine[None, None, None]) -> None:
        """Let what is typed next go to a conversation, up to its end."""
        self._conversation = work

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
        task.add_done_callback(self._take_failure)

    async def _go_to(self, session_id: SessionId, prepared: str) -> None:
        """Leave for another session; where it cannot be opened, this one goes on."""
        open_session = self._sitting.open_session
        if open_session is None:
            self._out.say("The demo's sessions are not gone on with.")
            return
        try:
            agent = await open_session(session_id)
        except CarameloError as error:
            self._out.say(one_line(str(error)))
            return
        if self._agent.is_running or self._ended.done():
            self._out.say("A run is under way: wait for its end, or /stop it first.")
            await agent.close()
            return
        self.successor = Successor(agent=agent, prepared=prepared)
        self._leave(0)

    # --- the end -----------------------------------------------------------------------

    def take_signal(self, number: signal.Signals) -> None:
        """Stop the run at ctrl+c, leave at the second; leave at any other signal."""
        if number is not signal.SIGINT:
            self._leave(SIGNAL_BASE + number)
            return
        if self._editor.is_lent:
            # The key is the editor's; it reaches us as well.
            return
        now = self._terminal.clock.monotonic()
        if self._armed_at is not None and now <= self._armed_at + ARMED_S:
            self._leave(0)
            return
        self._armed_at = now
        stopped = "The run is being stopped. " if self._agent.interrupt() else ""
        dropped = "The unfinished prompt is discarded. " if self._prompts.has_draft else ""
        self._prompts.discard_draft()
        self._out.say(f"{stopped}{dropped}ctrl+c again within {ARMED_S:.0f} seconds quits.")
        self._keep(self._out.flush())

    def _ask_to_leave(self) -> None:
        """Leave, unless something would be lost; then once more is asked for."""
        dialog = self._questions.current
        undecided = 0 if dialog is None else dialog.undecided
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
        if earlier := self._agent.sessions.earlier:
            read_earlier(self._out, earlier, most=READ_AGAIN, narrator=self._narrator)
            self._prompts.tell_waiting()
        if prepared := self._prompts.prepared:
            self._out.say(f"A prompt is prepared; /send sends it: {one_line(prepared)}")
        self._out.say("Type a prompt and press Enter. /help lists what can be typed.")
