"""Name what the conversation wants of the app.

Owns the messages that its view posts and that others carry out. Past tense of the act; they carry
values only. Proven by tests/pilot/test_block_keys.py.
"""

from textual.message import Message

from caramelo_tui.domain.ids import RunId


class ConversationRequest(Message):
    """Something the conversation wants of the prompt, the agent or the terminal."""


class TextQuoted(ConversationRequest):
    """The person wants a text in the prompt, to answer to it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        """A Markdown quote that ends with a blank line."""


class TextOpened(ConversationRequest):
    """The person wants to read a text on a page of its own."""

    def __init__(self, text: str, *, title: str) -> None:
        super().__init__()
        self.text = text
        self.title = title


class TextEditAsked(ConversationRequest):
    """The person wants a text in their own editor; what they change there is dropped."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class RetryAsked(ConversationRequest):
    """The person wants a failed run made up for."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt
        """What is to be sent where no request can be repeated: the last prompt again, or words
        to go on; empty: no run has failed."""


class RewindAsked(ConversationRequest):
    """The person wants the files as they were before a prompt."""

    def __init__(self, run_id: RunId) -> None:
        super().__init__()
        self.run_id = run_id


class ForkAsked(ConversationRequest):
    """The person wants to go on in a new session that ends before a prompt."""

    def __init__(self, run_id: RunId) -> None:
        super().__init__()
        self.run_id = run_id


AnyConversationRequest = (
    TextQuoted | TextOpened | TextEditAsked | RetryAsked | RewindAsked | ForkAsked
)
"""Every request of the conversation; the desk's match over them is exhaustive."""
