"""Make a transcript again of the events of its session.

Owns what each event did to the transcript when it happened, so that the next request is the one
that the session would have sent. A record that is not whole gives a shorter transcript, never one
that a provider refuses. Emits nothing. Proven by tests/unit/agent/test_resume_transcript.py and
tests/property/test_resume.py.
"""

from collections.abc import Iterable

from caramelo_tui.agent.compaction import Cut, compacted
from caramelo_tui.agent.thinking import without_thinking
from caramelo_tui.agent.transcript import Transcript, TranscriptMisuse, without_unfinished_parts
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    ContextCompacted,
    ModelChanged,
    NoteAdded,
    PromptSteered,
    RunStarted,
    ToolCallFinished,
    TurnStarted,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolResult

NO_RESULT = "not run: the record of the session has no result of this call."
"""Answers a call whose end is missing in a damaged record."""


class TranscriptPlayer:
    """Takes events in their order; has the transcript that they made."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self._prompt: UserMessage | None = None
        self._results: dict[CallId, ToolResult] = {}

    def play(self, events: Iterable[AgentEvent]) -> None:
        """Take events; those of sub-agents have transcripts of their own and change nothing."""
        for event in events:
            if not event.head.agent:
                self._take(event)

    def _take(self, event: AgentEvent) -> None:
        match event:
            case RunStarted():
                self._begin_run(event)
            case TurnStarted():
                self._send_prompt()
            case NoteAdded():
                self._add_user(UserMessage(text=event.text, is_note=True))
            case PromptSteered():
                self._add_user(UserMessage(text=event.text, images=event.images))
            case AssistantReplied():
                self._add_reply(event.message)
            case ToolCallFinished():
                self._add_result(event)
            case ContextCompacted() | ModelChanged():
                self._change(event)
            case _:
                # Nothing else is told to the model.
                pass

    def end(self) -> None:
        """Make the transcript ready for the next prompt."""
        self._send_prompt()
        self._answer_pending()

    def _begin_run(self, event: RunStarted) -> None:
        self.end()
        if event.is_retry:
            self.transcript.drop_broken_answer()
            return
        # What the program tells of the run comes before the prompt; it is sent with the turn.
        self._prompt = UserMessage(text=event.prompt, images=event.images)

    def _send_prompt(self) -> None:
        prompt, self._prompt = self._prompt, None
        if prompt is not None:
            self._add_user(prompt)

    def _add_user(self, message: UserMessage) -> None:
        self._answer_pending()
        self.transcript.append_user(message)

    def _add_reply(self, message: AssistantMessage) -> None:
        self._send_prompt()
        self._answer_pending()
        if message.stop_reason is StopReason.REFUSAL:
            return
        kept = without_unfinished_parts(message) if message.is_incomplete else message
        if not kept.blocks:
            return
        try:
            self.transcript.append_assistant(kept)
        except TranscriptMisuse:
            # A line before it is missing in the file: it cannot stand here.
            return
        self._results.clear()

    def _add_result(self, event: ToolCallFinished) -> None:
        self._results[event.call_id] = event.result
        asked = [call.id for call in self.transcript.pending_calls]
        if asked and all(call_id in self._results for call_id in asked):
            self._answer_pending()

    def _answer_pending(self) -> None:
        calls = self.transcript.pending_calls
        if calls:
            results = tuple(self._results.get(call.id) or _no_result(call.id) for call in calls)
            self.transcript.append_results(ToolResultsMessage(results=results))

    def _change(self, event: ContextCompacted | ModelChanged) -> None:
        self.end()
        before = self.transcript.snapshot()
        self.transcript = transcript_of(
            _compacted(before, event)
            if isinstance(event, ContextCompacted)
            else without_thinking(before)
        )


def transcript_of(messages: Iterable[Message]) -> Transcript:
    """Return a transcript that begins with messages.

    Raises:
        TranscriptMisuse: If they are no valid transcript.
    """
    transcript = Transcript()
    for message in messages:
        match message:
            case UserMessage():
                transcript.append_user(message)
            case AssistantMessage():
                transcript.append_assistant(message)
            case ToolResultsMessage():
                transcript.append_results(message)
    return transcript


def _compacted(messages: tuple[Message, ...], event: ContextCompacted) -> tuple[Message, ...]:
    cut = Cut(
        kept_answers=event.kept_answers,
        pinned=event.pinned,
        shortened=event.shortened,
        drops=event.dropped_messages > 0,
    )
    return compacted(messages, cut, event.summary)


def _no_result(call_id: CallId) -> ToolResult:
    return ToolResult(call_id=call_id, text=NO_RESULT, is_error=True, state=CallState.NOT_RUN)
