"""A write that the limit of changed lines refused, and what lifts it."""

from caramelo_tui.domain.agent_events import DiffCounted, ToolCallDecided, ToolCallStarted
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.commands import palette_entries
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import OpenedApp

REFUSAL = Decision(
    verdict=Verdict.DENY, reason="600 lines are too many.", rule="limit", code="diff_limit"
)


async def refuse(running: OpenedApp) -> None:
    agent = running.agent
    agent.start_run()
    agent.emit(
        lambda head: DiffCounted(head=head, changed_lines=480, deny_above=500, ask_above=200)
    )
    call = CallId("c1")
    agent.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call, tool="file_write", arguments_json="{}"
        )
    )
    agent.emit(lambda head: ToolCallDecided(head=head, call_id=call, decision=REFUSAL))
    await running.until(lambda: "600 lines are too many." in running.shown())


async def test_the_banner_names_keys_that_lift_the_refusal(open_app: OpenApp) -> None:
    async with open_app() as running:
        await refuse(running)
        assert "F7 raises the limit" in running.shown()
        assert "±480/500" in running.shown().splitlines()[-1]
        await running.press("f7", "shift+f7")
        assert running.agent.rules.limit_wishes == ["raise", "reset"]


def test_the_palette_offers_both() -> None:
    offered = {entry.words: entry.help for entry in palette_entries()}
    assert offered["Raise the limit of changed lines"] == "F7"
    assert offered["Count changed lines from zero"] == "shift+F7"
