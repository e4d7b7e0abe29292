"""Hold one conversation with the model: what was said, and the next request.

Owns the joint of transcript, context and outside changes, so that the note about changed
files always goes out before the request that needs it. Proven by
tests/unit/agent/test_conversation.py.
"""

from dataclasses import dataclass, field

from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.transcript import Transcript
from caramelo_tui.providers.base import ProviderRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One transcript and what belongs to it."""

    context: ContextBuilder
    outside: OutsideChanges
    transcript: Transcript = field(default_factory=Transcript)

    def next_request(self) -> ProviderRequest:
        """Return the request for all that was said, outside changes included.

        Raises:
            ContextTooLong: If it does not fit; the note stays in the transcript.
        """
        note = self.outside.take_note()
        if note is not None:
            self.transcript.append_user(note)
        return self.context.build(self.transcript.snapshot())
