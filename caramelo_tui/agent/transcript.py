"""Keep the messages that go to the provider, always in a valid order.

Owns the transcript and invariant I4: it starts with a user message, and each call is
answered, in order, before anything else follows. It repairs nothing: a misuse raises, so
that the fault is found where it is made. Proven by tests/unit/agent/test_transcript.py and
tests/property/test_event_invariants.py.
"""

from collections.abc import Sequence
from typing import assert_never

from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    TextBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolCall


class TranscriptMisuse(ValueError):
    """A message that may not stand here; a fault of the program, never of the model."""


class Transcript:
    """Ordered messages of one conversation."""

    def __init__(self) -> None:
        self._messages: list[Message] = []

    @property
    def pending_calls(self) -> tuple[ToolCall, ...]:
        """Calls of the last message that still need their results; empty otherwise."""
        last = self._messages[-1] if self._messages else None
        return last.calls if isinstance(last, AssistantMessage) else ()

    def snapshot(self) -> tuple[Message, ...]:
        """Return all messages, oldest first."""
        return tuple(self._messages)

    def append_user(self, message: UserMessage) -> None:
        """Add what the person wrote, or a note in their place.

        Raises:
            TranscriptMisuse: If calls are unanswered.
        """
        self._refuse_while_pending("a user message")
        self._messages.append(message)

    def append_assistant(self, message: AssistantMessage) -> None:
        """Add an answer of the model.

        Raises:
            TranscriptMisuse: If it is the first message, follows an answer that did not
                pause, finds unanswered calls, has no blocks, or is incomplete with calls.
        """
        self._refuse_while_pending("an assistant message")
        last = self._messages[-1] if self._messages else None
        if last is None:
            raise TranscriptMisuse("a transcript starts with a user message")
        if isinstance(last, AssistantMessage) and last.stop_reason is not StopReason.PAUSE_TURN:
            raise TranscriptMisuse("two assistant messages in a row")
        if not message.blocks:
            raise TranscriptMisuse("an assistant message without content")
        if message.is_incomplete and message.calls:
            raise TranscriptMisuse("calls of an incomplete message")
        self._messages.append(message)

    def append_results(self, message: ToolResultsMessage) -> None:
        """Add the results of all calls of the last message, in its order.

        Raises:
            TranscriptMisuse: If the results are not exactly those of the pending calls.
        """
        asked = [call.id for call in self.pending_calls]
        answered = [result.call_id for result in message.results]
        if not asked or asked != answered:
            msg = f"results {answered} do not answer the calls {asked}"
            raise TranscriptMisuse(msg)
        self._messages.append(message)

    def replace_all(self, messages: Sequence[Message]) -> None:
        """Take other messages in place of all; what calls still need stays the same.

        Raises:
            TranscriptMisuse: If they are not valid; then nothing is changed.
        """
        other = Transcript()
        for message in messages:
            match message:
                case UserMessage():
                    other.append_user(message)
                case AssistantMessage():
                    other.append_assistant(message)
                case ToolResultsMessage():
                    other.append_results(message)
                case _:
                    assert_never(message)
        if other.pending_calls != self.pending_calls:
            raise TranscriptMisuse("other calls would be unanswered")
        self._messages = list(other.snapshot())

    @property
    def awaits_answer(self) -> bool:
        """Whether the model has the next word: what it said last broke off, or was the user's."""
        last = self._messages[-1] if self._messages else None
        if isinstance(last, AssistantMessage):
            return last.is_incomplete
        return last is not None

    def drop_broken_answer(self) -> None:
        """Take back what came of an answer that broke off, so that it can be asked for again.

        Notes of the program behind it stay.
        """
        for index in range(len(self._messages) - 1, -1, -1):
            message = self._messages[index]
            if isinstance(message, AssistantMessage) and message.is_incomplete:
                del self._messages[index]
                return
            if not (isinstance(message, UserMessage) and message.is_note):
                return

    def _refuse_while_pending(self, what: str) -> None:
        if self.pending_calls:
            msg = f"{what} before the results of {[call.id for call in self.pending_calls]}"
            raise TranscriptMisuse(msg)


def without_unfinished_parts(message: AssistantMessage) -> AssistantMessage:
    """Return the part of a broken-off message that can be sent again: its text.

    Calls of an unfinished turn never run, and a thinking block without its proof is refused
    by the vendor that made it.
    """
    kept = tuple(block for block in message.blocks if isinstance(block, TextBlock))
    return AssistantMessage(blocks=kept, stop_reason=message.stop_reason, usage=message.usage)
