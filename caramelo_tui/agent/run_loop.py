"""Take a run turn after turn from the prompt to its end.

Owns the order of a run: request, stream, calls, results, next turn; what ends it; and that
the record is whole however it ends (I1, I4, I6). Nothing of an unfinished answer runs. Knows
no vendor, no tool and no screen. Proven by tests/unit/agent/test_run_loop.py and
tests/property/test_event_invariants.py.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.call_settlement import settle_calls
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.repeated_turns import RepeatedTurns
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.request_care import NoCare, RequestCare
from caramelo_tui.agent.run_frames import RunEvents, RunFrame, RunReport
from caramelo_tui.agent.run_skills import NoSkills, RunSkills
from caramelo_tui.agent.steering import Steering
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.agent.transcript import without_unfinished_parts
from caramelo_tui.agent.user_prompt import Prompt
from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    Ending,
    NoticeLevel,
    PromptSteered,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ContextTooLong, ProviderError
from caramelo_tui.domain.ids import IdSource, RunId, TurnId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    StopReason,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall
from caramelo_tui.domain.usage import Usage

_log = logging.getLogger(__name__)

_RUNS_CALLS = frozenset({StopReason.TOOL_USE, StopReason.END_TURN})
"""Stops after which the calls of an answer are whole. Some compatible servers say that the
turn ended where they mean its calls."""


class TurnRunner(Protocol):
    """Who takes the calls of a turn; the call pipeline."""

    async def run_turn(self, calls: Sequence[ToolCall]) -> TurnOutcome:
        """Decide and do all calls of one turn; each gets one result, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRules:
    """How far a run goes, and what ends it."""

    limits: RunLimits
    ends_by_call: bool = False
    """Whether a turn without calls is no end: the model is reminded to call ``task_done``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    """What the runs of one agent are made of."""

    rules: RunRules
    frame: RunFrame
    conversation: Conversation
    replies: ReplyStream
    calls: TurnRunner
    events: RunEvents
    ids: IdSource
    tokens: TokenCount
    """The session's, shared by its agents."""
    skills: RunSkills = field(default_factory=NoSkills)
    steering: Steering = field(default_factory=Steering)
    """What the user says meanwhile; nobody steers a sub-agent."""
    care: RequestCare = field(default_factory=NoCare)
    """Sees to room in the context, instructions and spending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """Why the run stops."""

    ending: Ending
    error: str = ""
    notice: str = ""
    can_retry: bool = False


@dataclass(slots=True)
class _Progress:
    """What a run has come to so far."""

    turn: int = 0
    turn_began_at: int = 0
    """Number of the event with which the open turn began; 0 when none is open."""
    refused_calls: int = 0
    invalid_turns: int = 0
    """Turns in a row with unusable arguments."""
    reminders: int = 0
    """Turns in a row without a call after which the model was reminded."""
    empty_answers: int = 0
    """Answers in a row without words and calls."""
    repeated: RepeatedTurns = field(default_factory=RepeatedTurns)
    text: str = ""
    spent_before: Usage = field(default_factory=Usage)
    """The agent's tokens when the run began."""


class RunLoop:
    """The runs of one session, one after the other."""

    def __init__(self, parts: RunParts) -> None:
        """Wire the loop; all parts belong to one agent."""
        self._parts = parts
        self._limits = parts.rules.limits
        self._conversation = parts.conversation
        self._transcript = parts.conversation.transcript
        self._replies = parts.replies
        self._calls = parts.calls
        self._events = parts.events
        self._ids = parts.ids
        self._tokens = parts.tokens
        self.steering = parts.steering
        """Takes what the user says to the run under way."""
        self._failed_prompt = parts.conversation.failed_prompt

    async def run(
        self,
        prompt: str,
        mode: ApprovalMode,
        *,
        images: tuple[ImageAttachment, ...] = (),
        is_retry: bool = False,
    ) -> Ending:
        """Take one run from the prompt to its end.

        The frame reports the begin first and exactly one end last, whatever happens.

        Args:
            prompt: What the person wrote.
            mode: Approval mode at the start, for the record.
            images: What goes with the words.
            is_retry: Whether to send the last run's failed request again, without the prompt
                a second time; ``prompt`` is then that run's.

        Raises:
            asyncio.CancelledError: When interrupted, after the record is whole.
        """
        progress = _Progress(spent_before=self._tokens.spent)
        self._begin(Prompt(text=prompt, images=images), mode, is_retry=is_retry)
        end = _End(ending=Ending.CANCELLED)
        try:
            end = await self._turns(progress)
        except ProviderError as error:
            end = _End(ending=Ending.ERROR, error=str(error), can_retry=error.is_retryable)
        except Exception as error:  # noqa: BLE001 - the border of the run: our fault ends it alone
            _log.exception("the run failed")
            end = _End(ending=Ending.ERROR, error=f"Internal error: {error!r}. See the log.")
        finally:
            self._finish(progress, end)
            self._failed_prompt = prompt if end.can_retry else None
        return end.ending

    @property
    def retry_prompt(self) -> str | None:
        """Prompt of the last run while its failed request can be sent again, else ``None``."""
        return self._failed_prompt if self._transcript.awaits_answer else None

    def _begin(self, prompt: Prompt, mode: ApprovalMode, *, is_retry: bool) -> None:
        self._events.begin_run(RunId(self._ids.new("run")))
        self._parts.frame.begin(prompt.text, mode, images=prompt.images, is_retry=is_retry)
        news = self._parts.skills.begin_run(prompt.text)
        if is_retry:
            # The transcript has the prompt and what it activated; only the answer is missing.
            self._transcript.drop_broken_answer()
            return
        for told in news:
            self._conversation.add_note(told)
        self._transcript.append_user(UserMessage(text=prompt.text, images=prompt.images))

    async def _turns(self, progress: _Progress) -> _End:
        while progress.turn < self._limits.turns:
            self._begin_turn(progress)
            end = await self._turn(progress)
            self._end_turn(progress)
            _raise_if_interrupted()
            if end is not None:
                return end
        return _End(ending=Ending.MAX_TURNS, notice=self._limits.turns_reached)

    def _begin_turn(self, progress: _Progress) -> None:
        progress.turn += 1
        self._events.begin_turn(TurnId(self._ids.new("turn")))
        number = progress.turn
        event = self._events.emit(lambda head: TurnStarted(head=head, number=number))
        progress.turn_began_at = event.head.seq

    async def _turn(self, progress: _Progress) -> _End | None:
        """Take one turn; ``None``: the run goes on.

        Raises:
            ContextTooLong: If the provider refused the request, and no room could be made.
        """
        self._take_steering()
        care = self._parts.care
        await care.before_request(is_first=progress.turn == 1)
        try:
            message = await self._ask(progress)
        except ContextTooLong:
            # The vendor counts better than we estimate.
            if not await care.makes_room():
                raise
            message = await self._ask(progress)
        self._keep_reply(progress, message)
        return await self._act_on(progress, message)

    async def _ask(self, progress: _Progress) -> AssistantMessage:
        request = self._conversation.next_request()
        self._parts.care.sends(request)
        # What came of a broken answer was on the screen, so it is part of the record.
        return await self._replies.receive(
            request, on_broken=lambda broken: self._keep_reply(progress, broken)
        )

    def _take_steering(self) -> None:
        """Give the model what the user said since the last turn."""
        prompts = self.steering.take()
        for prompt in prompts:
            self._transcript.append_user(UserMessage(text=prompt.text, images=prompt.images))
            self._report_steered(prompt)
        if prompts:
            self.steering.report_taken()

    def _report_steered(self, prompt: Prompt) -> None:
        text, images = prompt.text, prompt.images
        self._events.emit(lambda head: PromptSteered(head=head, text=text, images=images))

    def _keep_reply(self, progress: _Progress, message: AssistantMessage) -> None:
        """Show and remember an answer, as far as the provider will take it back."""
        self._conversation.note_answer()
        self._events.emit(lambda head: AssistantReplied(head=head, message=message))
        progress.text = message.text or progress.text
        self._report_usage(message.usage)
        if message.stop_reason is StopReason.REFUSAL:
            return
        kept = without_unfinished_parts(message) if message.is_incomplete else message
        if kept.blocks:
            self._transcript.append_assistant(kept)

    def _report_usage(self, usage: Usage) -> None:
        if usage != Usage():
            self._tokens.add(usage)
            total = self._tokens.total
            window = self._conversation.context.context_window
            self._events.emit(
                lambda head: UsageReported(
                    head=head, usage=usage, session_usage=total, context_window=window
                )
            )
        self._parts.care.answered(usage)

    async def _act_on(self, progress: _Progress, message: AssistantMessage) -> _End | None:
        """Do what an answer asks for; ``None``: the run goes on."""
        if message.stop_reason is StopReason.REFUSAL:
            said = f": {message.text}" if message.text else "."
            return _End(ending=Ending.ERROR, error=f"The model refused to answer{said}")
        if message.calls:
            return await self._take_calls(progress, message)
        if message.stop_reason is StopReason.PAUSE_TURN:
            return None
        if message.stop_reason is StopReason.MAX_TOKENS:
            return _End(ending=Ending.ERROR, error=self._limits_now.answer_cut)
        return self._end_without_calls(progress, message)

    @property
    def _limits_now(self) -> RunLimits:
        """The limits with the answer's length as the model that answers now is asked for it."""
        return replace(self._limits, answer_tokens=self._conversation.context.answer_tokens)

    def _end_without_calls(self, progress: _Progress, message: AssistantMessage) -> _End | None:
        """End the run behind an answer that asks for nothing; ``None``: it goes on."""
        if self.steering.waiting:
            # The user has said more meanwhile: the answer is not the last one.
            return None
        if not message.text:
            return self._ask_for_words(progress)
        progress.empty_answers = 0
        if self._parts.rules.ends_by_call:
            return self._remind(progress)
        return _End(ending=Ending.COMPLETED)

    def _ask_for_words(self, progress: _Progress) -> _End | None:
        """Ask again after an empty answer; too many in a row end the run."""
        self._events.raise_notice(NoticeLevel.WARNING, "The model sent an empty answer.")
        progress.empty_answers += 1
        if progress.empty_answers > self._limits.empty_answers:
            return _End(ending=Ending.INCOMPLETE, notice=self._limits.empty_answers_reached)
        self._conversation.add_note(self._limits.empty_answer)
        return None

    def _remind(self, progress: _Progress) -> _End | None:
        """Tell the model that only ``task_done`` ends the run; twice in a row, then give up."""
        if progress.reminders >= self._limits.reminders:
            return _End(ending=Ending.INCOMPLETE, notice=self._limits.reminders_reached)
        progress.reminders += 1
        self._conversation.add_note(self._limits.reminder)
        return None

    async def _take_calls(self, progress: _Progress, message: AssistantMessage) -> _End | None:
        progress.reminders = progress.empty_answers = 0
        if message.stop_reason in _RUNS_CALLS:
            outcome = await self._calls.run_turn(message.calls)
            self._transcript.append_results(ToolResultsMessage(results=outcome.results))
            progress.refused_calls += outcome.refused_calls
            if outcome.stops_run:
                return _End(ending=Ending.ABORTED)
            if outcome.summary is not None:
                progress.text = outcome.summary
                return _End(ending=Ending.COMPLETED)
            is_usable = not outcome.has_invalid_arguments
            circle = progress.repeated.take(message.calls, outcome.results)
            if is_usable and circle is not None:
                if circle.is_hopeless:
                    return _End(ending=Ending.INCOMPLETE, notice=circle.reason)
                self._conversation.add_note(circle.note)
        else:
            self._answer_open_calls(progress, self._limits_now.call_cut, CallState.NOT_RUN)
            is_usable = False
        progress.invalid_turns = 0 if is_usable else progress.invalid_turns + 1
        if progress.invalid_turns >= self._limits.invalid_turns:
            return _End(ending=Ending.ERROR, error=self._limits.invalid_turns_reached)
        return None

    def _answer_open_calls(self, progress: _Progress, text: str, state: CallState) -> None:
        """Give the calls of the last answer, if it has unanswered ones, their results."""
        calls = self._transcript.pending_calls
        if not calls:
            return
        results = settle_calls(
            self._events, calls, since=progress.turn_began_at, text=text, state=state
        )
        self._transcript.append_results(ToolResultsMessage(results=results))

    def _end_turn(self, progress: _Progress) -> None:
        number = progress.turn
        progress.turn_began_at = 0
        self._events.emit(lambda head: TurnEnded(head=head, number=number))
        self._events.end_turn()

    def _finish(self, progress: _Progress, end: _End) -> None:
        """Make the record whole; never waits, so that nothing can come between."""
        if progress.turn_began_at:
            was_interrupted = end.ending is Ending.CANCELLED
            interrupted = call_texts.interrupted(is_write=True, is_running=False)
            text = interrupted if was_interrupted else f"not run: {end.error}"
            state = CallState.CANCELLED if was_interrupted else CallState.ERROR
            self._answer_open_calls(progress, text, state)
            self._end_turn(progress)
        self._parts.skills.end_run()
        self._parts.frame.end(
            RunReport(
                ending=end.ending,
                refused_calls=progress.refused_calls,
                text=progress.text,
                error=end.error,
                can_retry=end.can_retry,
                notice=end.notice,
                usage=self._tokens.spent - progress.spent_before,
                turns=progress.turn,
            )
        )
        self._events.end_run()


def _raise_if_interrupted() -> None:
    """End the run although something below has swallowed the interrupt.

    Raises:
        asyncio.CancelledError: If this task was asked to end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
