"""A conversation sends the note about changed files before the request that needs it."""

from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.messages import UserMessage


def test_the_note_stands_in_the_transcript_and_goes_out_once() -> None:
    conversation = Conversation(
        context=ContextBuilder(model="m", system="s", tools=(), answer_tokens=10)
    )
    conversation.transcript.append_user(UserMessage(text="go"))
    conversation.outside.remember(["a.py"])
    conversation.outside.add([FileChange(path="a.py", kind=ChangeKind.MODIFIED)])
    first = conversation.next_request()
    assert [type(message) for message in first.messages] == [UserMessage, UserMessage]
    assert conversation.transcript.snapshot() == first.messages
    assert conversation.next_request() == first
