"""Skills that the user activates are on record."""

from caramelo_tui.agent.active_skills import ActiveSkills
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.recorded_skills import RecordedSkills
from caramelo_tui.domain.agent_events import SkillActivated
from tests.doubles.clocks import ManualClock
from tests.unit.agent.test_active_skills import skill


def test_an_activation_is_an_event_and_a_refusal_is_none() -> None:
    events = EventStream(ManualClock())
    skills = RecordedSkills(ActiveSkills([skill("review")]), events)
    assert skills.activate("none")
    assert not events.events
    assert not skills.activate("Review ")
    assert [e.name for e in events.events if isinstance(e, SkillActivated)] == ["Review"]
    assert skills.infos[0].is_active


def test_what_was_told_is_not_told_again() -> None:
    active = ActiveSkills([skill("review")])
    active.activate("review")
    active.mark_told(["REVIEW"])
    assert active.begin_run("go") == ()
