"""A conversation sends the notes about files and mode before the request that needs them."""

from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.conversation import PLAN_BEGINS, PLAN_ENDS, Conversation
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import UserMessage
from tests.doubles.agent_worlds import STAMP, FakeStamps


def conversation_on(disk: FakeStamps, mode: CurrentMode) -> Conversation:
    conversation = Conversation(
        context=ContextBuilder(model="m", system="s", tools=tuple, answer_tokens=10),
        outside=OutsideChanges(disk),
        mode=mode,
    )
    conversation.transcript.append_user(UserMessage(text="go"))
    return conversation


def test_the_note_stands_in_the_transcript_and_goes_out_once() -> None:
    disk = FakeStamps()
    conversation = conversation_on(disk, CurrentMode(ApprovalMode.REVIEW))
    conversation.outside.remember({"a.py": STAMP})
    conversation.outside.add([disk.change("a.py")])
    first = conversation.next_request()
    assert [type(message) for message in first.messages] == [UserMessage, UserMessage]
    assert conversation.transcript.snapshot() == first.messages
    assert conversation.next_request() == first


def test_the_model_is_told_once_when_mode_plan_begins_and_ends() -> None:
    mode = CurrentMode(ApprovalMode.PLAN)
    conversation = conversation_on(FakeStamps(), mode)
    assert conversation.next_request().messages[-1] == UserMessage(text=PLAN_BEGINS, is_note=True)
    assert len(conversation.next_request().messages) == 2
    mode.change(ApprovalMode.REVIEW)
    assert conversation.next_request().messages[-1] == UserMessage(text=PLAN_ENDS, is_note=True)
    mode.change(ApprovalMode.AUTO)
    assert len(conversation.next_request().messages) == 3
