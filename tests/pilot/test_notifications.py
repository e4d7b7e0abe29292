"""The whole app tells the terminal what waits."""

import pytest
from textual import events

from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.ui.terminal_sequences import BELL, title_sequence
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import command_request


async def test_a_question_rings_where_nobody_looks(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app() as running:
        written: list[str] = []
        monkeypatch.setattr(running.app._elsewhere, "_write", written.append)
        running.app.post_message(events.AppBlur())
        await running.settle()
        running.agent.start_run()
        running.agent.ask(command_request(approval_id="one"))
        await running.until(lambda: any(text.startswith(BELL) for text in written))
        assert title_sequence("? 1 · Caramelo · project") in written
        running.app.post_message(events.AppFocus())
        await running.settle()
        written.clear()
        running.agent.settle(ApprovalId("one"), ApprovalOutcome.WITHDRAWN)
        running.agent.ask(command_request(approval_id="two"))
        await running.until(lambda: title_sequence("? 1 · Caramelo · project") in written)
        assert not any(text.startswith(BELL) for text in written)
        running.agent.settle(ApprovalId("two"), ApprovalOutcome.WITHDRAWN)
        running.agent.end_run()
        await running.until(lambda: written[-1] == title_sequence("Caramelo · project"))


async def test_a_terminal_without_a_driver_of_ours_keeps_its_mouse(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("shift+f8")
        await running.until(lambda: "The mouse cannot be left to this terminal." in running.shown())
