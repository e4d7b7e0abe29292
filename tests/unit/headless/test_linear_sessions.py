"""Stored sessions in lines: read out, gone on with, forked, exported, and read again."""

from dataclasses import dataclass, field

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.undo_port import RewindPoint
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    Ending,
    NoticeLevel,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RetryScheduled,
    SessionResumed,
    TextStreamed,
    ToolCallFinished,
)
from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import CallId, RunId, SessionId
from caramelo_tui.domain.messages import AssistantMessage
from caramelo_tui.domain.sessions import ExportForm, SessionSummary
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.headless.linear.session import Sitting
from caramelo_tui.headless.linear.sessions import MOST_READ
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_sessions import FakeSessions
from tests.unit.headless.linear_worlds import linear_world


@dataclass
class Opener:
    """Opens sessions as a test says."""

    problem: str = ""
    opened: list[SessionId] = field(default_factory=list[SessionId])
    agent: FakeAgent = field(default_factory=FakeAgent)
    at_work: FakeAgent | None = None
    """Begins a run while a session is opened."""

    async def __call__(self, session_id: SessionId) -> AgentPort:
        if self.problem:
            raise CarameloError(self.problem)
        self.opened.append(session_id)
        if self.at_work is not None:
            self.at_work.start_run()
        return self.agent


def stored(name: str, **more: object) -> SessionSummary:
    plain = SessionSummary(id=SessionId(name), started_at=0.0, active_at=0.0)
    return SessionSummary(
        **{key: getattr(plain, key) for key in plain.__slots__} | {"runs": 2} | more
    )


def point(name: str) -> RewindPoint:
    return RewindPoint(run_id=RunId(name), prompt=name, at=0.0, files=0)


async def test_other_sessions_are_read_out_and_a_number_goes_on_with_one() -> None:
    opener = Opener()
    sessions = FakeSessions(
        found=(
            stored("s-now", first_prompt="this one"),
            stored("s-1", first_prompt="fix\x1b it", is_unended=True),
            stored("s-2", first_prompt="x" * 300, is_open=True),
            stored("s-3", runs=0, problem="Its first line is damaged."),
        )
    )
    with linear_world(FakeAgent(sessions=sessions), sitting=Sitting(open_session=opener)) as world:
        said = await world.type_beside("/resume")
        assert "ago, 2 prompts, cut off: fix<U+001B> it." in said
        assert f"open elsewhere: {'x' * 119}…." in said
        assert "nothing was asked. Its first line is damaged." in said
        assert "this one" not in said
        assert "There is no session 4" in await world.type_beside("/resume 4")
        await world.type_beside("/resume 2")
        assert opener.opened == [SessionId("s-2")]
        assert world.session.successor is not None
        assert world.session.successor.agent is opener.agent
        assert await world.session.run() == 0
        # Who sits it next closes it.
        assert not opener.agent.is_closed


async def test_words_narrow_the_list_and_a_long_one_is_cut() -> None:
    sessions = FakeSessions(found=tuple(stored(f"s-{n}") for n in range(MOST_READ + 3)))
    with linear_world(FakeAgent(sessions=sessions)) as world:
        assert "3 more are not read out." in await world.type_beside("/resume two words")
        assert sessions.searched == ["two words"]
        sessions.found = ()
        said = await world.type_beside("/resume no\x1bthing")
        assert (
            "There is no other session of this folder that holds all of: no<U+001B>thing." in said
        )
        # A number that no list gave is a word to search for.
        await world.type_beside("/resume 2026")
        assert sessions.searched[-1] == "2026"


async def test_a_session_that_cannot_be_opened_leaves_this_one() -> None:
    opener = Opener(problem="s-1 is open in another\x1b Caramelo")
    sessions = FakeSessions(found=(stored("s-1"),))
    with linear_world(FakeAgent(sessions=sessions), sitting=Sitting(open_session=opener)) as world:
        await world.type_beside("/resume")
        assert "open in another<U+001B> Caramelo" in await world.type_beside("/resume 1")
        assert world.session.successor is None
        sessions.problem = "they cannot be read"
        assert "they cannot be read" in await world.type_beside("/resume")
        assert "they cannot be read" in await world.type_beside("/export")
    with linear_world(FakeAgent(sessions=FakeSessions(found=(stored("s-1"),)))) as world:
        await world.type_beside("/resume")
        assert "demo's sessions are not gone on with" in await world.type_beside("/resume 1")


async def test_a_run_is_not_left_for_another_session() -> None:
    agent = FakeAgent(sessions=FakeSessions(found=(stored("s-1"),), earlier=earlier_events()))
    opener = Opener(at_work=agent)
    with linear_world(agent, sitting=Sitting(open_session=opener)) as world:
        await world.type_beside("/resume")
        assert "A run is under way" in await world.type_beside("/resume 1")
        assert opener.agent.is_closed
        for command in ("/resume", "/fork", "/earlier"):
            assert "A run is under way" in await world.type_beside(command)
        assert agent.sessions.forked == []
        assert world.session.successor is None


async def test_a_fork_goes_on_and_its_prompt_is_prepared() -> None:
    agent, opener = FakeAgent(), Opener()
    agent.undo.points = (point("run-1"), point("run-2"))
    with linear_world(agent, sitting=Sitting(open_session=opener)) as world:
        for wrong in ("0", "3", "x"):
            assert f"There is no prompt {wrong};" in await world.type_beside(f"/fork {wrong}")
        await world.type_beside("/fork 2")
        assert agent.sessions.forked == [RunId("run-2")]
        assert world.session.successor is not None
        assert world.session.successor.prepared == "asked before"
    with linear_world(agent, sitting=Sitting(open_session=opener)) as world:
        await world.type_beside("/fork")
        assert agent.sessions.forked[-1] is None
        assert opener.opened == [SessionId("s-fork")] * 2


@pytest.mark.parametrize(
    ("typed", "form", "target"),
    [
        ("/export", ExportForm.MARKDOWN, ""),
        ("/export json", ExportForm.JSON, ""),
        ("/export html out/page one", ExportForm.HTML, "out/page one"),
        ("/export page.HTML", ExportForm.HTML, "page.HTML"),
        ("/export notes", ExportForm.MARKDOWN, "notes"),
    ],
)
async def test_a_session_is_written_to_a_file(typed: str, form: ExportForm, target: str) -> None:
    with linear_world() as world:
        assert "The session was written to /home/project/" in await world.type_beside(typed)
        assert world.agent.sessions.exported == [(form, target)]


async def test_the_list_comes_first_where_one_is_picked() -> None:
    sessions = FakeSessions(found=(stored("s-1", first_prompt="mine"),))
    with linear_world(
        FakeAgent(sessions=sessions), sitting=Sitting(picks_session=True, open_session=Opener())
    ) as world:
        # There is no input: it ends by itself, and what was begun with it.
        assert await world.session.run() == 0
        assert world.session._others == set()


# --- what was said before -------------------------------------------------------------------


def earlier_events() -> tuple[AgentEvent, ...]:
    """Two prompts with their answers, as a session file has them."""
    told = FakeAgent(stream=EventStream(ManualClock()))
    reply = AssistantMessage(blocks=(), stop_reason=None)
    told.emit(
        lambda head: NoticeRaised(head=head, level=NoticeLevel.INFO, text="of that start only")
    )
    told.start_run("first\nprompt")
    told.emit(lambda head: TextStreamed(head=head, text="one"))
    told.emit(lambda head: AssistantReplied(head=head, message=reply))
    told.end_run()
    told.start_run("second", is_retry=True)
    told.emit(lambda head: QueueChanged(head=head, prompts=("waits",)))
    told.emit(lambda head: RetryScheduled(head=head, attempt=1, wait_s=2.0, reason="busy"))
    told.emit(lambda head: PromptSteered(head=head, text="and that"))
    result = ToolResult(call_id=CallId("c"), text="kept", is_error=False, state=CallState.OK)
    told.emit(
        lambda head: ToolCallFinished(
            head=head, call_id=CallId("c"), tool="grep", result=result, duration_ms=1
        )
    )
    told.emit(lambda head: TextStreamed(head=head, text="two"))
    told.end_run(Ending.ERROR, "Lost.", can_retry=True)
    return tuple(told.stream.events)


async def test_the_last_prompt_is_read_at_the_begin_and_the_rest_when_asked_for() -> None:
    agent = FakeAgent(sessions=FakeSessions(earlier=earlier_events()), queue=["waited"])
    with linear_world(agent) as world:
        assert await world.session.run() == 0
        said = world.news()
        assert "1 earlier prompt is not read out; /earlier reads them." in said
        begin = said.index("Prompt 2 of 2, asked again:\nsecond\nEnd of the prompt.\n")
        assert said[begin:].splitlines()[3:] == [
            "The run was told:",
            "and that",
            "End of the prompt.",
            "Tool grep: ok.",
            "Assistant:",
            "two",
            "End of the answer.",
            "The run ended: error. Lost.",
            "End of what was said before.",
            "1 prompt not sent: /send sends the next, /queue reads them, /drop forgets.",
            "Type a prompt and press Enter. /help lists what can be typed.",
        ]
    with linear_world(agent) as world:
        said = await world.type_beside("/earlier")
        assert said.startswith("Prompt 1 of 2:\nfirst\nprompt\nEnd of the prompt.\n")
        assert "second" in said
        for passing in ("of that start only", "queue", "busy", "/retry"):
            assert passing not in said
        assert (await world.type_beside("/earlier 1")).startswith("1 earlier prompt is not")
        assert "/earlier NUMBER that many" in await world.type_beside("/earlier all")


async def test_the_last_result_of_before_can_be_read_again() -> None:
    agent = FakeAgent(sessions=FakeSessions(earlier=earlier_events()))
    with linear_world(agent) as world:
        await world.session.run()
        world.news()
        assert (await world.type("/output")).startswith("kept\n")


async def test_a_new_session_has_nothing_before() -> None:
    with linear_world() as world:
        assert "began with this start" in await world.type_beside("/earlier")


async def test_that_a_session_goes_on_is_said_with_what_could_not_be_read() -> None:
    with linear_world() as world:
        world.agent.emit(
            lambda head: SessionResumed(
                head=head,
                session_id=SessionId("s"),
                runs=1,
                forked_from=SessionId("r"),
                problems=("Line 3\x1b is damaged.",),
            )
        )
        assert await world.catch_up() == (
            "The fork goes on after 1 prompt.\nWarning: Line 3<U+001B> is damaged.\n"
        )
