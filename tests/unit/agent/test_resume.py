"""What a stored session left behind."""

from caramelo_tui.agent.conversation import PLAN_BEGINS, PLAN_ENDS
from caramelo_tui.agent.resume import remains_of
from caramelo_tui.domain.agent_events import (
    DiffCounted,
    ModelChanged,
    NoteAdded,
    SessionResumed,
    SkillActivated,
    SubagentStarted,
    UsageReported,
)
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.domain.usage import Usage
from tests.doubles.stored_sessions import Told


def test_a_new_session_left_nothing() -> None:
    remains = remains_of(())
    assert (remains.runs, remains.usage, remains.changed_lines) == (0, Usage(), 0)
    assert not remains.skills
    assert not remains.is_plan_told


def test_counts_are_the_last_ones() -> None:
    told = Told().exchange("a", "b").begin("c").turn()
    for total in (10, 25):
        usage = Usage(input_tokens=total)
        told.add(
            UsageReported(head=told.head(), usage=usage, session_usage=usage, context_window=None)
        )
        told.add(
            DiffCounted(head=told.head(), changed_lines=total, deny_above=None, ask_above=None)
        )
    remains = remains_of(told.events)
    assert remains.runs == 2
    assert remains.usage == Usage(input_tokens=25)
    assert remains.changed_lines == 25


def test_names_that_are_taken_are_known() -> None:
    told = Told().begin("go").turn().reply("", ("c1", "bash", "{}"))
    told.add(
        SubagentStarted(
            head=told.head(agent="child"), call_id=CallId("c1"), title="child", role="", model=""
        )
    )
    remains = remains_of(told.events)
    assert remains.call_ids == {"c1"}
    assert remains.titles == {"child"}


def test_a_skill_is_told_of_by_the_next_request() -> None:
    told = Told()
    told.add(SkillActivated(head=told.head(), name="one")).begin("go").turn()
    told.add(SkillActivated(head=told.head(), name="two"))
    assert remains_of(told.events).skills == {"one": True, "two": False}


def test_the_last_word_about_the_mode_counts() -> None:
    told = Told().begin("go").turn()
    told.add(NoteAdded(head=told.head(), text=PLAN_BEGINS))
    assert remains_of(told.events).is_plan_told
    told.add(NoteAdded(head=told.head(agent="child"), text=PLAN_ENDS))
    assert remains_of(told.events).is_plan_told
    told.add(NoteAdded(head=told.head(), text=PLAN_ENDS))
    assert not remains_of(told.events).is_plan_told


def test_the_last_model_is_known() -> None:
    told = Told().exchange("a", "b")
    assert (remains_of(told.events).provider, remains_of(told.events).model) == (
        "scripted",
        "model-1",
    )
    told.add(ModelChanged(head=told.head(), provider="p", model="m", context_window=None))
    told.add(SessionResumed(head=told.head(), session_id=SessionId("s"), runs=1))
    remains = remains_of(told.events)
    assert (remains.provider, remains.model, remains.resumptions) == ("p", "m", 1)
