"""Hold one conversation with the model: what was said, and the next request.

Owns the joint of transcript, context, mode, skills and outside changes, so that a note about
changed files, a changed mode or a new skill always goes out before the request that needs it.
Proven by tests/unit/agent/test_conversation.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from caramelo_tui.agent.context_builder import ContextBuilder, newest_words
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.transcript import Transcript
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import Message, UserMessage
from caramelo_tui.providers.base import ProviderRequest

PLAN_BEGINS = (
    "Note: mode plan is on. Only tools that read are offered. Find out what is needed and answer "
    "with the plan: what you would change, where, in which order, and how it is checked. It is "
    "carried out only when the developer says so."
)
PLAN_ENDS = "Note: mode plan is off. The tools that change things are offered again."


def nothing() -> None:
    """Do nothing."""


def no_news() -> tuple[str, ...]:
    """Return nothing to tell."""
    return ()


def nobody(text: str) -> None:
    """Tell no one of a note."""
    del text


class PlanTold:
    """What the model was last told about mode ``plan``."""

    def __init__(self, *, is_plan: bool = False) -> None:
        """Take what it was told before; at first nothing."""
        self._is_plan = is_plan

    def take_note(self, mode: ApprovalMode) -> UserMessage | None:
        """Return the note about a mode that begins or ends, once."""
        is_plan = mode is ApprovalMode.PLAN
        if is_plan is self._is_plan:
            return None
        self._is_plan = is_plan
        return UserMessage(text=PLAN_BEGINS if is_plan else PLAN_ENDS, is_note=True)


class AnsweredWords:
    """The newest words of the person of which something came back.

    A request that repeats them, after an empty or a broken answer, is no new prompt.
    """

    def __init__(self) -> None:
        self._words: UserMessage | None = None

    def take_note(self, messages: Sequence[Message]) -> None:
        """Take the words that these messages end with, if any, as answered."""
        self._words = newest_words(messages) or self._words

    def are_in(self, messages: Sequence[Message]) -> bool:
        """Whether messages end with the very words that were answered, not with equal ones."""
        return self._words is not None and newest_words(messages) is self._words


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One transcript and what belongs to it."""

    context: ContextBuilder
    outside: OutsideChanges
    mode: Callable[[], ApprovalMode]
    """The approval mode in force now."""
    transcript: Transcript = field(default_factory=Transcript)
    told: PlanTold = field(default_factory=PlanTold)
    answered: AnsweredWords = field(default_factory=AnsweredWords)
    news: Callable[[], tuple[str, ...]] = no_news
    """What the model is to hear before its next answer (skills that became active, undone changes,
    instructions of folders); each text is given once."""
    before_request: Callable[[], None] = nothing
    """Called before each request is made: another model may take over then."""
    on_note: Callable[[str], None] = nobody
    """Told every note of the program, so that the record has the whole transcript."""
    failed_prompt: str | None = None
    """Prompt of a run before this program's start whose failed request can be sent again."""

    def add_note(self, text: str) -> None:
        """Tell the model something in the user's place.

        Raises:
            TranscriptMisuse: If calls are unanswered.
        """
        self.transcript.append_user(UserMessage(text=text, is_note=True))
        self.on_note(text)

    def next_request(self) -> ProviderRequest:
        """Return the request for all that was said, outside changes included.

        Raises:
            ContextTooLong: If it does not fit; the note stays in the transcript.
        """
        self.before_request()
        for text in self.news():
            self.add_note(text)
        for note in (self.told.take_note(self.mode()), self.outside.take_note()):
            if note is not None:
                self.add_note(note.text)
        messages = self.transcript.snapshot()
        request = self.context.build(messages)
        is_new = request.is_users_turn and not self.answered.are_in(messages)
        return replace(request, is_users_turn=is_new)

    def note_answer(self) -> None:
        """Remember that something came back; called before the answer is added."""
        self.answered.take_note(self.transcript.snapshot())
