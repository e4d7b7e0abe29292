"""Let a session go on where it was left, or begin a new one.

Owns what of a stored session goes where: the transcript into the conversation, tokens, lines,
names and skills to those who count them, and the events that say so. Also where a session is
kept. Proven by tests/unit/composition/test_resume.py and tests/e2e/test_resume.py.
"""

from dataclasses import dataclass, replace

from caramelo_tui.agent.active_skills import ActiveSkills
from caramelo_tui.agent.conversation import Conversation, PlanTold
from caramelo_tui.agent.current_model import UsableModel
from caramelo_tui.agent.resume import RESUMED, Remains, remains_of
from caramelo_tui.agent.resume_ends import OpenEnds
from caramelo_tui.agent.resume_transcript import TranscriptPlayer
from caramelo_tui.agent.retries import failed_prompt_of
from caramelo_tui.agent.sessions_port import NoSessions, SessionsPort
from caramelo_tui.agent.stored_sessions import SessionPlace, StoredSessions
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.subagents import Subagents
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.composition.core import Core, new_session_id
from caramelo_tui.domain.agent_events import ModelChanged, NoteAdded, NoticeLevel, SessionResumed
from caramelo_tui.domain.ids import SystemClock
from caramelo_tui.sessions.opening import OpenedSession
from caramelo_tui.sessions.recorder import SessionRecorder
from caramelo_tui.sessions.rescue import rescue_beside
from caramelo_tui.sessions.store import SessionFile, SessionHeader


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCounts:
    """Who counts what for the session's agents."""

    skills: ActiveSkills
    tokens: TokenCount
    call_ids: CallIds
    subagents: Subagents


class SessionCourse:
    """The course of one session: what was before, and what is kept of it."""

    def __init__(self, core: Core, *, is_kept: bool) -> None:
        """Take a core, with the stored session that it was built for, if there is one."""
        self._core = core
        self._opened = core.opened
        earlier = () if core.opened is None else core.opened.events
        self._earlier = earlier
        self._remains = remains_of(earlier)
        self._ends = OpenEnds()
        self._player = TranscriptPlayer()
        self._ends.play(earlier)
        self._player.play(earlier)
        self.recorder = _recorder(core) if is_kept else None
        """Keeps the session's events; ``None``: nobody does."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Prompts that waited when the session was left."""
        return self._ends.waiting

    @property
    def sessions(self) -> SessionsPort:
        """What the user may ask about stored sessions."""
        core, recorder = self._core, self.recorder
        if recorder is None:
            return NoSessions()
        place = SessionPlace(
            folder=core.session_file.parent,
            root=core.sandbox.root,
            current=core.session_id,
            saved_seq=lambda: recorder.saved_seq,
            unkept=lambda: recorder.unkept,
            new_id=new_session_id,
        )
        return StoredSessions(place, core.events, SystemClock(), earlier=self._earlier)

    def go_on(self, counts: SessionCounts, main: UsableModel) -> None:
        """Give everybody what was left, and report that the session goes on; first of all events.

        Does nothing for a new session.
        """
        if self._opened is None:
            return
        self._restore(counts)
        self._ends.settle(self._core.events)
        self._report(self._opened, main)
        self._player.play(self._core.events.events)
        self._player.end()

    def continued(self, conversation: Conversation) -> Conversation:
        """Return a conversation that begins with what was said, and has its notes on record."""
        return replace(
            conversation,
            transcript=self._player.transcript,
            told=PlanTold(is_plan=self._remains.is_plan_told),
            on_note=self._record_note,
            failed_prompt=failed_prompt_of(self._earlier),
        )

    def _record_note(self, text: str) -> None:
        self._core.events.emit(lambda head: NoteAdded(head=head, text=text))

    def _restore(self, counts: SessionCounts) -> None:
        remains = self._remains
        self._core.ledger.book(remains.changed_lines)
        counts.tokens.add(remains.usage)
        counts.subagents.know_titles(remains.titles)
        for call_id in sorted(remains.call_ids):
            counts.call_ids.claim(call_id)
        self._restore_skills(remains, counts.skills)

    def _restore_skills(self, remains: Remains, skills: ActiveSkills) -> None:
        for name in remains.skills:
            problem = skills.activate(name)
            if problem:
                self._core.events.raise_notice(NoticeLevel.WARNING, problem)
        told = [name for name, was_told in remains.skills.items() if was_told]
        if remains.runs:
            skills.mark_told(told)

    def _report(self, opened: OpenedSession, main: UsableModel) -> None:
        events, remains = self._core.events, self._remains
        forked_from = None if remains.resumptions else opened.header.forked_from
        events.emit(
            lambda head: SessionResumed(
                head=head,
                session_id=self._core.session_id,
                runs=remains.runs,
                forked_from=forked_from,
                problems=opened.problems,
            )
        )
        if not remains.runs:
            return
        if (remains.provider, remains.model) != (main.provider.name, main.model):
            # Its thinking is given to no other model.
            events.emit(
                lambda head: ModelChanged(
                    head=head,
                    provider=main.provider.name,
                    model=main.model,
                    context_window=main.context_window,
                )
            )
        self._record_note(RESUMED)


def _recorder(core: Core) -> SessionRecorder:
    opened = core.opened
    header = SessionHeader(
        session_id=core.session_id, workspace=str(core.sandbox.root), started_at=SystemClock().now()
    )
    return SessionRecorder(
        SessionFile(core.session_file, header) if opened is None else opened.file,
        on_trouble=lambda problem: core.events.raise_notice(NoticeLevel.WARNING, problem),
        saved_seq=0 if opened is None else opened.last_seq,
        rescue=rescue_beside(core.session_file, header if opened is None else opened.header),
    )
