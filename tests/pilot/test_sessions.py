"""Stored sessions in the app: the picker, what is shown again, forks and exports."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import RunId, SessionId
from caramelo_tui.domain.sessions import ExportForm, SessionSummary
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_sessions import FakeSessions
from tests.doubles.stored_sessions import Told
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp
from tests.snapshot.snapshots import screen_lines

OTHER = SessionSummary(
    id=SessionId("20260101-1"),
    started_at=0.0,
    active_at=0.0,
    first_prompt="mend the [red]parser[/]\x1b[31m",
    runs=2,
    is_unended=True,
)


def plan(opens: Callable[[SessionId], Awaitable[AgentPort]], *, picks: bool = False) -> StartPlan:
    async def unused() -> AgentPort:
        raise AssertionError

    return StartPlan(
        workspace=Path("/home/project"),
        build_agent=unused,
        open_session=opens,
        picks_session=picks,
    )


class Opener:
    """Opens sessions: agents that a test made."""

    def __init__(self, agent: FakeAgent | None = None) -> None:
        self.agent = agent
        self.asked: list[SessionId] = []

    async def __call__(self, session_id: SessionId) -> FakeAgent:
        self.asked.append(session_id)
        if self.agent is None:
            raise CarameloError("the session is open in another Caramelo")
        return self.agent


def with_history(told: Told) -> FakeAgent:
    return FakeAgent(sessions=FakeSessions(earlier=tuple(told.events)))


def shown(app: OpenedApp) -> str:
    return "\n".join(screen_lines(app.app))


async def typed(app: OpenedApp, command: str) -> None:
    app.app.main.prompt.focus()
    await app.pilot.press(*("slash" if c == "/" else "space" if c == " " else c for c in command))
    await app.pilot.press("enter")
    await app.settle()


async def test_the_picker_goes_on_with_a_session_and_the_draft_stays(open_app: OpenApp) -> None:
    old = FakeAgent(sessions=FakeSessions(found=(OTHER,)))
    new = with_history(Told().exchange("the old prompt", "the old answer"))
    opener = Opener(new)
    async with open_app(size=WIDE, agent=old, plan=plan(opener)) as app:
        await app.app.run_action("screen.sessions('resume')", default_namespace=app.app.main)
        await app.until(lambda: isinstance(app.app.screen, FindScreen))
        await app.settle()
        text = shown(app)
        assert "2 prompts · cut off · mend the [red]parser[/]" in text
        assert "\x1b[31m" not in text
        await app.pilot.press("escape")
        app.app.main.prompt.set_draft("half a thought")
        await app.app.run_action("screen.sessions('resume')", default_namespace=app.app.main)
        await app.until(lambda: isinstance(app.app.screen, FindScreen))
        await app.pilot.press("enter")
        await app.until(lambda: old.is_closed)
        await app.until(lambda: "the old answer" in shown(app))
        assert opener.asked == [OTHER.id]
        assert "the old prompt" in shown(app)
        assert app.app.main.prompt.draft == "half a thought"
        assert not new.is_closed
        # The new agent has the keys.
        app.app.main.prompt.set_draft("")
        await typed(app, "go")
        assert new.submitted == ["go"]
    assert new.is_closed


async def test_a_session_that_cannot_be_had_leaves_everything_as_it_is(open_app: OpenApp) -> None:
    agent = FakeAgent(sessions=FakeSessions(found=(OTHER,)))
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener())) as app:
        await typed(app, "/resume")
        await app.until(lambda: isinstance(app.app.screen, FindScreen))
        await app.pilot.press("enter")
        await app.until(lambda: "open in another Caramelo" in shown(app))
        assert not agent.is_closed
        await typed(app, "go")
        assert agent.submitted == ["go"]


async def test_words_are_searched_for(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener())) as app:
        await typed(app, "/resume red parser")
        await app.until(lambda: agent.sessions.searched == ["red parser"])
        await app.until(lambda: "No other session holds" in shown(app))


async def test_a_run_is_not_left(open_app: OpenApp) -> None:
    agent = FakeAgent(sessions=FakeSessions(found=(OTHER,)))
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener())) as app:
        agent.start_run()
        await app.settle()
        for name in ("resume", "fork", "earlier"):
            app.app.main.action_sessions(name)
            await app.until(lambda: "A run is under way" in shown(app))
            app.app.clear_notifications()
        assert agent.sessions.searched == []


async def test_a_fork_before_a_prompt_puts_it_into_the_draft(open_app: OpenApp) -> None:
    agent = with_history(Told().exchange("one", "1").exchange("two", "2"))
    fork = with_history(Told().exchange("one", "1"))
    opener = Opener(fork)
    async with open_app(size=WIDE, agent=agent, plan=plan(opener)) as app:
        await app.until(lambda: "you  two" in shown(app))
        await app.settle()
        app.app.main.workbench.conversation.focus() if app.app.main.workbench else None
        await app.pilot.press("alt+up", "f")
        await app.until(lambda: agent.is_closed)
        await app.settle()
        assert agent.sessions.forked == [RunId("run-2")]
        assert opener.asked == ["s-fork"]
        assert app.app.main.prompt.draft == "asked before"


async def test_an_export_takes_form_and_file(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener())) as app:
        for command in ("/export", "/export html", "/export json a.txt", "/export notes.html"):
            await typed(app, command)
        await app.until(lambda: len(agent.sessions.exported) == 4)
        assert agent.sessions.exported == [
            (ExportForm.MARKDOWN, ""),
            (ExportForm.HTML, ""),
            (ExportForm.JSON, "a.txt"),
            (ExportForm.HTML, "notes.html"),
        ]
        agent.sessions.problem = "there is such a file already"
        await typed(app, "/export")
        await app.until(lambda: "there is such a file already" in shown(app))


async def test_the_last_runs_are_shown_at_once_and_the_rest_on_demand(open_app: OpenApp) -> None:
    told = Told()
    for number in range(300):
        told.exchange(f"prompt {number}", f"answer {number}")
    agent = with_history(told)
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener())) as app:
        await app.until(lambda: "answer 299" in shown(app))
        await app.settle()
        workbench = app.app.main.workbench
        assert workbench is not None
        sources = [block.source for block in workbench.conversation.view.blocks]
        assert "/earlier shows them" in sources[0]
        assert "prompt 0" not in sources
        assert not app.app.main.status.view.is_running
        assert agent.submitted == []
        await typed(app, "/earlier")
        await app.until(lambda: app.app.main.workbench is not workbench)
        await app.until(lambda: "answer 299" in shown(app))
        again = app.app.main.workbench
        assert again is not None
        assert again.conversation.view.blocks[0].source == "prompt 0"
        assert not agent.is_closed


async def test_the_start_can_begin_with_the_picker(open_app: OpenApp) -> None:
    agent = FakeAgent(sessions=FakeSessions(found=(OTHER,)))
    async with open_app(size=WIDE, agent=agent, plan=plan(Opener(), picks=True)) as app:
        await app.until(lambda: isinstance(app.app.screen, FindScreen))
