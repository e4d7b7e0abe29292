"""The way from the first paint to a working agent."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.first_start import FirstStartScreen
from caramelo_tui.ui.screens.trust import TrustScreen
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan
from caramelo_tui.ui.themes import load_themes
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import GUARD_S

ROOT = Path("/home/project")


class Answers:
    """Remembers what the start questions were answered."""

    def __init__(self) -> None:
        self.trust: list[TrustChoice] = []
        self.provider: list[ProviderChoice] = []

    def plan(
        self, *, asks_trust: bool = False, offers_trust: bool = True, asks_provider: bool = False
    ) -> StartPlan:
        return StartPlan(
            workspace=ROOT,
            build_agent=plan_for(FakeAgent()).build_agent,
            needs_trust=ROOT if asks_trust else None,
            offers_trust=offers_trust,
            on_trust=self.trust.append,
            needs_provider=asks_provider,
            key_lines=("export ANTHROPIC_API_KEY=…",),
            on_provider=self.provider.append,
            demo_draft="try me",
        )


async def test_without_questions_the_agent_is_there_at_once(open_app: OpenApp) -> None:
    async with open_app() as running:
        assert isinstance(running.top, MainScreen)
        assert "claude-test" in running.shown()


async def test_trust_is_asked_before_the_agent_is_built(open_app: OpenApp) -> None:
    answers = Answers()
    async with open_app(plan=answers.plan(asks_trust=True), waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        assert str(ROOT) in running.shown()
        assert running.main.status.view.is_starting
        running.clock.move(GUARD_S)
        await running.press("t")
        await running.until(lambda: not running.main.status.view.is_starting)
        assert answers.trust == [TrustChoice.TRUST]


async def test_enter_at_the_trust_question_means_restricted(open_app: OpenApp) -> None:
    answers = Answers()
    async with open_app(plan=answers.plan(asks_trust=True), waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("enter")
        await running.until(lambda: answers.trust == [TrustChoice.RESTRICTED])


async def test_keys_in_the_first_moments_never_trust(open_app: OpenApp) -> None:
    answers = Answers()
    async with open_app(plan=answers.plan(asks_trust=True), waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        await running.press("t", "right", "enter", "q")
        running.clock.move(0.4)
        await running.press("t")
        assert answers.trust == []
        assert isinstance(running.top, TrustScreen)


async def test_a_start_question_says_when_it_can_be_answered(open_app: OpenApp) -> None:
    answers = Answers()
    async with open_app(plan=answers.plan(asks_trust=True), waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.until(lambda: "ready in 0.5 s" in running.shown())
        await running.press("x")
        assert "ready in" in running.shown() or "finish typing" in running.shown()
        running.clock.move(GUARD_S)
        await running.until(lambda: "enter takes the marked answer" in running.shown())
        assert "▸r Work restricted◂" in running.shown()


@pytest.mark.parametrize("folder", ["p", "/".join(["a-long-name-of-a-folder"] * 8)])
@pytest.mark.parametrize("size", [(80, 24), (60, 16), (40, 12)])
async def test_the_answers_about_trust_are_in_view_on_every_screen(
    open_app: OpenApp, size: tuple[int, int], folder: str
) -> None:
    plan = replace(Answers().plan(asks_trust=True), needs_trust=Path("/home") / folder)
    async with open_app(plan=plan, waits_for_agent=False, size=size) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.until(lambda: "one key answers" in running.shown())
        for answer in ("r Work restricted", "t Trust", "q Quit"):
            assert answer in running.shown()
        await running.press("pagedown", "pagedown", "pagedown")
        await running.until(lambda: "commit." in running.shown())


async def test_no_mode_is_named_before_one_is_in_force(open_app: OpenApp) -> None:
    plan = Answers().plan(asks_trust=True)
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.until(lambda: "starting …" in running.shown())
        assert "review" not in running.shown().splitlines()[-1]


async def test_trust_texts_have_no_line_of_one_word(open_app: OpenApp) -> None:
    for offers_trust in (True, False):
        plan = Answers().plan(asks_trust=True, offers_trust=offers_trust)
        async with open_app(plan=plan, waits_for_agent=False) as running:
            await running.until_screen(TrustScreen)
            await running.settle()
            inner = [
                line.split("┃")[1].split()
                for line in running.shown().splitlines()
                if line.count("┃") == 2
            ]
            assert not [
                words for words in inner if len(words) == 1 and not words[0].startswith("/")
            ]


async def test_the_title_names_the_folder_that_is_worked_in(open_app: OpenApp) -> None:
    agent = FakeAgent()
    agent.info = replace(agent.info, workspace=Path("/tmp/caramelo-demo-x/tally"))
    async with open_app(agent=agent) as running:
        assert running.app.title == "Caramelo · tally"
        assert "tally" in running.shown()


async def test_home_offers_restricted_work_only(open_app: OpenApp) -> None:
    answers = Answers()
    plan = answers.plan(asks_trust=True, offers_trust=False)
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        assert "more than one project" in running.shown()
        assert "trust this folder?" not in running.shown()
        running.clock.move(GUARD_S)
        await running.press("t")
        assert answers.trust == []
        running.clock.move(GUARD_S)
        await running.press("r")
        await running.until(lambda: answers.trust == [TrustChoice.RESTRICTED])


async def test_quitting_the_trust_question_builds_nothing(open_app: OpenApp) -> None:
    answers = Answers()
    async with open_app(plan=answers.plan(asks_trust=True), waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("q")
        await running.until(lambda: running.app._exit)
        assert running.app.return_code == 0
        assert answers.trust == []
        assert running.main.status.view.is_starting


async def test_without_a_key_the_demo_is_offered_with_the_line_that_sets_one(
    open_app: OpenApp,
) -> None:
    answers = Answers()
    plan = answers.plan(asks_trust=True, asks_provider=True)
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(TrustScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("r")
        await running.until_screen(FirstStartScreen)
        await running.settle()
        assert "export ANTHROPIC_API_KEY=…" in running.shown()
        assert "caramelo --provider openai --model ID --base-url URL" in running.shown()
        running.clock.move(GUARD_S)
        await running.press("d")
        await running.until(lambda: not running.main.status.view.is_starting)
        assert answers.provider == [ProviderChoice.DEMO]
        assert running.main.prompt.draft == "try me"


@pytest.mark.parametrize("size", [(60, 16), (40, 12)])
async def test_the_demo_is_in_view_on_every_screen(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    plan = Answers().plan(asks_provider=True)
    async with open_app(plan=plan, waits_for_agent=False, size=size) as running:
        await running.until_screen(FirstStartScreen)
        await running.until(lambda: "d Start the demo" in running.shown())
        assert "q Quit and set a key" in running.shown()


async def test_what_is_sent_before_the_agent_is_there_goes_to_it() -> None:
    agent = FakeAgent()
    release = asyncio.Event()

    async def build() -> AgentPort:
        await release.wait()
        return agent

    plan = StartPlan(workspace=ROOT, build_agent=build)
    app = CarameloApp(plan, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"early", "enter", *"next")
        assert agent.submitted == []
        release.set()
        while not agent.submitted:
            await pilot.pause(0.01)
        assert agent.submitted == ["early"]
        assert app.main.prompt.draft == "next"


async def test_a_first_prompt_is_sent_and_a_first_draft_only_shown(open_app: OpenApp) -> None:
    base = plan_for(FakeAgent())
    plan = StartPlan(
        workspace=ROOT, build_agent=base.build_agent, first_prompt="go", first_draft="then"
    )
    async with open_app(plan=plan) as running:
        await running.until(lambda: running.agent.submitted == ["go"])
        assert running.main.prompt.draft == "then"


async def test_an_agent_that_cannot_be_built_ends_the_app_with_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def build() -> AgentPort:
        raise ConfigError("config.toml", "provider.name", "unknown")

    app = CarameloApp(StartPlan(workspace=ROOT, build_agent=build), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        while not app._exit:
            await pilot.pause(0.01)
    assert app.return_code == 1
    assert capsys.readouterr().err.strip() == "config.toml: provider.name: unknown"


async def test_no_color_chooses_the_theme_without_colours(open_app: OpenApp) -> None:
    plan = StartPlan(
        workspace=ROOT, build_agent=plan_for(FakeAgent()).build_agent, theme="high-contrast"
    )
    async with open_app(plan=plan) as running:
        assert running.app.theme == "high-contrast"


async def test_an_unknown_theme_is_a_notice(open_app: OpenApp) -> None:
    plan = StartPlan(workspace=ROOT, build_agent=plan_for(FakeAgent()).build_agent, theme="none")
    async with open_app(plan=plan) as running:
        assert running.app.theme == "caramelo"
        await running.until(lambda: "There is no theme none" in running.shown())
        said = " ".join(notice.message for notice in running.app._notifications)
        assert "Known themes: blue-orange, blue-orange-light, caramelo" in said


async def test_the_next_theme_is_always_one_of_ours(open_app: OpenApp) -> None:
    async with open_app() as running:
        seen = {running.app.theme}
        shipped = {theme.name for theme in load_themes().themes}
        for _ in shipped:
            running.app.action_next_theme()
            seen.add(running.app.theme)
        assert seen == shipped
        assert running.app.theme == "caramelo"
