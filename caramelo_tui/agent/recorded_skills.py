"""Put on record which skills the user activates.

Owns that an activation is an event, so that a session that goes on has them active. Proven by
tests/unit/agent/test_recorded_skills.py.
"""

from caramelo_tui.agent.active_skills import ActiveSkills
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.port import SkillInfo
from caramelo_tui.domain.agent_events import SkillActivated


class RecordedSkills:
    """The ``SkillChoice`` of a session that is kept."""

    def __init__(self, skills: ActiveSkills, events: EventStream) -> None:
        self._skills = skills
        self._events = events

    @property
    def infos(self) -> tuple[SkillInfo, ...]:
        """The skills that are loaded, by name."""
        return self._skills.infos

    def activate(self, name: str) -> str:
        """Keep a skill active to the end of the session; return why not, empty: it is."""
        problem = self._skills.activate(name)
        if not problem and not self._events.is_closed:
            shown = name.strip()
            self._events.emit(lambda head: SkillActivated(head=head, name=shown), is_in_run=False)
        return problem
