"""The transcript refuses every order that a provider would refuse (I4)."""

import pytest

from caramelo_tui.agent.transcript import Transcript, TranscriptMisuse, without_unfinished_parts
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult

USER = UserMessage(text="hi")
TEXT = AssistantMessage(blocks=(TextBlock(text="hello"),), stop_reason=StopReason.END_TURN)


def call(name: str) -> ToolCall:
    return ToolCall(id=CallId(name), name="glob", arguments_json="{}")


def calls(*names: str, stop: StopReason | None = StopReason.TOOL_USE) -> AssistantMessage:
    return AssistantMessage(blocks=tuple(map(call, names)), stop_reason=stop)


def results(*names: str) -> ToolResultsMessage:
    return ToolResultsMessage(
        results=tuple(
            ToolResult(call_id=CallId(name), text="", is_error=False, state=CallState.OK)
            for name in names
        )
    )


def test_a_valid_conversation_is_kept_in_order() -> None:
    transcript = Transcript()
    transcript.append_user(USER)
    transcript.append_user(UserMessage(text="note", is_note=True))
    transcript.append_assistant(calls("a", "b"))
    assert [pending.id for pending in transcript.pending_calls] == ["a", "b"]
    transcript.append_results(results("a", "b"))
    assert transcript.pending_calls == ()
    transcript.append_assistant(TEXT)
    transcript.append_user(USER)
    assert len(transcript.snapshot()) == 6


def test_it_starts_with_a_user_message() -> None:
    with pytest.raises(TranscriptMisuse, match="starts with"):
        Transcript().append_assistant(TEXT)
    with pytest.raises(TranscriptMisuse):
        Transcript().append_results(results("a"))


@pytest.mark.parametrize("answer", [("a",), ("b", "a"), ("a", "b", "c"), ("a", "x"), ()])
def test_results_answer_exactly_the_calls_in_order(answer: tuple[str, ...]) -> None:
    transcript = Transcript()
    transcript.append_user(USER)
    transcript.append_assistant(calls("a", "b"))
    with pytest.raises(TranscriptMisuse):
        transcript.append_results(results(*answer))
    assert len(transcript.snapshot()) == 2


def test_nothing_comes_between_calls_and_results() -> None:
    transcript = Transcript()
    transcript.append_user(USER)
    transcript.append_assistant(calls("a"))
    with pytest.raises(TranscriptMisuse):
        transcript.append_user(USER)
    with pytest.raises(TranscriptMisuse):
        transcript.append_assistant(TEXT)


@pytest.mark.parametrize(
    "message",
    [
        AssistantMessage(blocks=(), stop_reason=StopReason.END_TURN),
        calls("a", stop=None),
    ],
)
def test_messages_that_no_provider_takes_back_are_refused(message: AssistantMessage) -> None:
    transcript = Transcript()
    transcript.append_user(USER)
    with pytest.raises(TranscriptMisuse):
        transcript.append_assistant(message)


def test_two_answers_in_a_row_only_after_a_pause() -> None:
    transcript = Transcript()
    transcript.append_user(USER)
    paused = AssistantMessage(blocks=TEXT.blocks, stop_reason=StopReason.PAUSE_TURN)
    transcript.append_assistant(paused)
    transcript.append_assistant(TEXT)
    with pytest.raises(TranscriptMisuse, match="in a row"):
        transcript.append_assistant(TEXT)


def test_only_text_of_a_broken_answer_is_kept() -> None:
    broken = AssistantMessage(
        blocks=(ThinkingBlock(text="hm"), TextBlock(text="Looking"), call("a")), stop_reason=None
    )
    assert without_unfinished_parts(broken).blocks == (TextBlock(text="Looking"),)


def test_a_broken_answer_can_be_taken_back_and_nothing_else() -> None:
    transcript = Transcript()
    assert not transcript.awaits_answer
    transcript.drop_broken_answer()
    transcript.append_user(USER)
    assert transcript.awaits_answer
    transcript.drop_broken_answer()
    assert transcript.snapshot() == (USER,)
    transcript.append_assistant(AssistantMessage(blocks=TEXT.blocks, stop_reason=None))
    assert transcript.awaits_answer
    transcript.drop_broken_answer()
    transcript.append_assistant(TEXT)
    assert not transcript.awaits_answer
    transcript.drop_broken_answer()
    assert transcript.snapshot() == (USER, TEXT)


def test_notes_behind_a_broken_answer_stay_when_it_is_taken_back() -> None:
    note = UserMessage(text="The session goes on.", is_note=True)
    transcript = Transcript()
    transcript.append_user(USER)
    transcript.append_assistant(AssistantMessage(blocks=TEXT.blocks, stop_reason=None))
    transcript.append_user(note)
    transcript.drop_broken_answer()
    assert transcript.snapshot() == (USER, note)
    transcript.append_assistant(AssistantMessage(blocks=TEXT.blocks, stop_reason=None))
    transcript.append_user(USER)
    transcript.drop_broken_answer()
    assert len(transcript.snapshot()) == 4
