"""How a search, a folded block, a failed run and the pager look, at two sizes."""

import pytest

from caramelo_tui.domain.agent_events import AssistantReplied, Ending, TextStreamed
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock
from caramelo_tui.ui.screens.pager import PagerScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import NARROW, WIDE, OpenedApp
from tests.snapshot.snapshots import assert_snapshot
from tests.snapshot.test_panes import ANSWER

SIZES = [pytest.param(NARROW, id="80x24"), pytest.param(WIDE, id="160x45")]


def answer_with(running: OpenedApp, text: str) -> None:
    """Play a run of one answer."""
    running.agent.submit("add a --json flag to the CLI")
    running.agent.emit(lambda head: TextStreamed(head=head, text=text))
    message = AssistantMessage(blocks=(TextBlock(text=text),), stop_reason=StopReason.END_TURN)
    running.agent.emit(lambda head: AssistantReplied(head=head, message=message))
    running.agent.end_run()


async def failed_run(running: OpenedApp) -> None:
    """Show two answers, the first with a long listing, and a run that failed."""
    listing = "".join(f"src/module_{number:02}.py\n" for number in range(40))
    answer_with(running, f"The files:\n\n```text\n{listing}```\n\nNow the change.\n")
    answer_with(running, ANSWER)
    running.agent.submit("now the tests")
    running.agent.end_run(Ending.ERROR, "HTTP 529: the server is overloaded.")
    await running.until(lambda: "and then r" in running.shown())
    await running.press("f3")
    view = running.bench.conversation.view
    await running.until(lambda: view.is_settled and view._tick_timer is None)


@pytest.mark.parametrize("size", SIZES)
async def test_a_failed_run_says_what_helps(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=FakeAgent(folders={".": ()})) as running:
        await failed_run(running)
        await running.settle()
        assert_snapshot(running.app, f"failed-run-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_a_search_with_a_folded_block_above(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=FakeAgent(folders={".": ()})) as running:
        await failed_run(running)
        await running.press("home", "alt+down", "alt+down", "alt+down")
        await running.press("space", "slash", *"json")
        await running.settle()
        assert_snapshot(running.app, f"search-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_the_transcript_in_the_pager(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=FakeAgent(folders={".": ()})) as running:
        await failed_run(running)
        await running.press("t")
        await running.until_screen(PagerScreen)
        await running.press("slash", *"render", "enter", "n")
        await running.settle()
        assert_snapshot(running.app, f"pager-{size[0]}x{size[1]}")
