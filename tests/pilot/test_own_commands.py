"""Commands of the person's own: typed, never put into their mouth."""

import pytest
from textual.events import Paste

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import OpenedApp

RESULT = ToolResult(
    call_id=CallId("own-1"),
    text="exit code: 1\nfailed",
    is_error=True,
    state=CallState.ERROR,
    exit_code=1,
)


def agent_with_result() -> FakeAgent:
    return FakeAgent(folders={".": ()}, own_result=RESULT)


def draft(running: OpenedApp) -> str:
    return running.main.prompt.draft


async def test_a_typed_command_runs_and_is_not_sent(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        await running.press(*"!pyt")
        await running.until(lambda: "your command: Enter runs it, unasked" in running.shown())
        await running.press(*"est -q", "enter")
        await running.until(lambda: running.agent.own_commands == ["pytest -q"])
        await running.until(lambda: "pytest -q: exit 1. ctrl+n gives" in running.shown())
        assert running.agent.submitted == []
        assert draft(running) == ""
        assert "your command" not in running.shown()


async def test_its_output_is_given_to_the_model_by_a_key(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        await running.press("ctrl+n")
        await running.until(lambda: "No command of yours has ended yet" in running.shown())
        await running.press(*"!ls", "enter")
        await running.until(lambda: running.agent.own_commands == ["ls"])
        await running.press(*"why", "ctrl+n")
        await running.until(lambda: "failed" in draft(running))
        await running.press("enter")
        (sent,) = running.agent.submitted
        assert sent == "why\n\nI ran this command myself:\n\nls\n\nexit code: 1\nfailed"


async def test_it_runs_beside_the_agent_by_either_key(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        await running.press(*"go", "enter", *"!ls", "ctrl+t")
        await running.until(lambda: running.agent.own_commands == ["ls"])
        assert running.agent.queued_prompts == ()


@pytest.mark.parametrize("keys", [["enter"], ["x", "enter"], ["ctrl+t"]])
async def test_what_was_put_into_the_prompt_is_never_run(
    open_app: OpenApp, keys: list[str]
) -> None:
    async with open_app(agent=agent_with_result()) as running:
        running.main.prompt.put_before_draft(["!touch x"])
        await running.press(*keys)
        await running.until(lambda: "Nothing was run or sent" in running.shown())
        assert running.agent.own_commands == []
        assert running.agent.submitted == []
        assert draft(running).startswith("!touch x")


async def test_a_paste_or_what_undo_brings_back_is_never_run(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        running.app.post_message(Paste("!touch x"))
        await running.settle()
        await running.press("enter")
        await running.until(lambda: "Nothing was run or sent" in running.shown())
        running.main.prompt.set_draft("")
        await running.press("!", "ctrl+z", "ctrl+z", "enter")
        await running.settle()
        assert running.agent.own_commands == []


async def test_a_command_from_the_history_is_not_run_either(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        await running.press(*"!ls", "enter")
        await running.until(lambda: running.agent.own_commands == ["ls"])
        await running.press("up", "enter")
        await running.until(lambda: "Nothing was run or sent" in running.shown())
        assert running.agent.own_commands == ["ls"]


async def test_a_picture_and_a_mark_inside_are_prompts(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_result()) as running:
        await running.press(*"![a](b)", "enter")
        await running.until(lambda: running.agent.submitted == ["![a](b)"])
        assert running.agent.own_commands == []


async def test_an_agent_that_is_at_its_end_says_so(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"!ls", "enter")
        await running.until(lambda: "The command was not run" in running.shown())
