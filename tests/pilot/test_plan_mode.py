"""A finished plan is offered: carried out in mode review, or edited first."""

from dataclasses import replace

import pytest

from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.commands import palette_entries
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import OpenedApp

OFFER = "F9 carry out the plan"
PLAN = "1. Parse the flag\n2. Render it"


async def plan(running: OpenedApp, ending: Ending = Ending.COMPLETED) -> None:
    running.agent.start_run("plan it")
    running.agent.end_run(ending, text=PLAN)
    await running.until(lambda: not running.main.status.view.is_running)
    await running.settle()


def planner() -> FakeAgent:
    return FakeAgent(mode=ApprovalMode.PLAN)


async def test_a_plan_is_carried_out_in_mode_review_and_the_model_told(open_app: OpenApp) -> None:
    async with open_app(agent=planner()) as running:
        await plan(running)
        assert OFFER in running.shown().splitlines()[-1]
        await running.press("f9")
        await running.until(lambda: running.agent.submitted)
        assert running.agent.mode is ApprovalMode.REVIEW
        assert running.agent.submitted[0].startswith("Carry out the plan.")
        await running.until(lambda: OFFER not in running.shown())


async def test_an_edited_plan_is_sent_along(open_app: OpenApp) -> None:
    async with open_app(agent=planner()) as running:
        await plan(running)
        await running.press("shift+f9")
        await running.until(lambda: running.main.prompt.draft == PLAN)
        # Pressed again, it is not put there twice.
        await running.press("shift+f9", *" now", "f9")
        await running.until(lambda: running.agent.submitted)
        assert running.agent.mode is ApprovalMode.REVIEW
        assert running.agent.submitted[0].endswith(f"\n\n{PLAN} now")
        assert running.main.prompt.draft == ""


async def test_enter_sends_an_edited_plan_back_in_mode_plan(open_app: OpenApp) -> None:
    async with open_app(agent=planner()) as running:
        await plan(running)
        await running.press("shift+f9")
        await running.until(lambda: running.main.prompt.draft == PLAN)
        await running.press("enter")
        await running.until(lambda: running.agent.submitted == [PLAN])
        assert running.agent.mode is ApprovalMode.PLAN


async def test_a_draft_of_something_else_stays(open_app: OpenApp) -> None:
    async with open_app(agent=planner()) as running:
        await plan(running)
        await running.press(*"later", "f9")
        await running.until(lambda: running.agent.submitted)
        assert "later" not in running.agent.submitted[0]
        assert running.main.prompt.draft == "later"


@pytest.mark.parametrize("ending", [Ending.CANCELLED, Ending.ERROR, Ending.MAX_TURNS])
async def test_a_run_that_did_not_finish_left_no_plan(open_app: OpenApp, ending: Ending) -> None:
    async with open_app(agent=planner()) as running:
        await plan(running, ending)
        await running.press("f9")
        await running.until(lambda: "There is no plan to carry out." in running.shown())
        assert running.agent.submitted == []


async def test_another_mode_has_no_plan(open_app: OpenApp) -> None:
    async with open_app() as running:
        await plan(running)
        assert OFFER not in running.shown()
        await running.press("shift+f9")
        await running.until(lambda: "There is no plan to edit." in running.shown())


async def test_the_palette_names_each_mode(open_app: OpenApp) -> None:
    offered = {entry.words: entry.action for entry in palette_entries()}
    async with open_app() as running:
        for mode in ApprovalMode:
            action = offered[f"Approval mode {mode.value}"]
            await running.app.run_action(action, default_namespace=running.main)
            assert running.agent.mode is mode


async def test_the_empty_conversation_promises_what_the_mode_keeps(open_app: OpenApp) -> None:
    agent = FakeAgent(mode=ApprovalMode.PLAN)
    agent.info = replace(agent.info, profile="core")
    async with open_app(agent=agent) as running:
        await running.until(lambda: "What is said last is the plan." in running.shown())
        await running.press("shift+tab")
        await running.until(lambda: "Risky commands ask first." in running.shown())
        assert "the plan" not in running.shown()
