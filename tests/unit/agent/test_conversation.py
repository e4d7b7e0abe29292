"""A conversation sends the note about changed files before the request that needs it."""

from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.messages import UserMessage
from tests.doubles.agent_worlds import STAMP, FakeStamps


def test_the_note_stands_in_the_transcript_and_goes_out_once() -> None:
    disk = FakeStamps()
    conversation = Conversation(
        context=ContextBuilder(model="m", system="s", tools=(), answer_tokens=10),
        outside=OutsideChanges(disk),
    )
    conversation.transcript.append_user(UserMessage(text="go"))
    conversation.outside.remember({"a.py": STAMP})
    conversation.outside.add([disk.change("a.py")])
    first = conversation.next_request()
    assert [type(message) for message in first.messages] == [UserMessage, UserMessage]
    assert conversation.transcript.snapshot() == first.messages
    assert conversation.next_request() == first
