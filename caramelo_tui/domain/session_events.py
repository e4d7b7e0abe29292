"""Name the events that a session is taken up again by.

Owns those members of ``AgentEvent`` that say what the transcript holds beside prompts, answers
and results, and that a session went on. Proven by tests/property/test_codec.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.event_head import AgentEventBase
from caramelo_tui.domain.ids import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteAdded(AgentEventBase):
    """The program told the model something, in the user's place; the next request has it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillActivated(AgentEventBase):
    """The user activated a skill, to the end of the session."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResumed(AgentEventBase):
    """A stored session goes on; what stands before was played from its file."""

    session_id: SessionId
    runs: int
    """Runs before."""
    forked_from: SessionId | None = None
    """The session whose beginning this one shares; said once, by the fork's first start."""
    problems: tuple[str, ...] = ()
    """What of the file could not be read, a sentence each."""
