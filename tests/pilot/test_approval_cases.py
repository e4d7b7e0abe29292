"""The cases of the area ``approval`` that are about what the question shows and takes.

Each is run at 80 by 24 and at 40 by 12, on a double of the agent. All cases of the area are
played on the whole agent by test_approval_whole_cases.py.
"""

import json
import re
from pathlib import Path

import pytest
from textual.widget import Widget

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.widgets.command_view import CommandView
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, OpenedApp, command_request

_CASES_FILE = Path(__file__).parent.parent / "cases" / "approval.json"
_SIZES = ((80, 24), (40, 12))
_SHOWN_HERE = {
    "reachable_text",
    "buttons_visible",
    "shows_line_count",
    "screen_codepoints_absent",
    "shows_any",
    "warning",
    "screen_has_no_escape",
    "default_focus_not",
    "escape_means_in",
    "enter_is_not_yes",
    "executed",
    "still_pending",
}
"""Expectations that this file can check."""


def _cases() -> list[dict[str, object]]:
    return list(json.loads(_CASES_FILE.read_text(encoding="utf-8"))["cases"])


def _command_of(case: dict[str, object]) -> str | None:
    """Return the command of a case, ``None`` when it is about something else."""
    args = case.get("args")
    if case["tool"] not in {"bash", "run_command"} or not isinstance(args, dict):
        return None
    return str(args["command"])


def _is_looked_at(case: dict[str, object]) -> bool:
    """Return whether a case is about what a command's question shows and takes."""
    expect = case["expect"]
    assert isinstance(expect, dict)
    return _command_of(case) is not None and "answers" not in case and set(expect) <= _SHOWN_HERE


@pytest.mark.parametrize("size", _SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    "case", [case for case in _cases() if _is_looked_at(case)], ids=lambda case: str(case["id"])
)
async def test_case(open_app: OpenApp, case: dict[str, object], size: tuple[int, int]) -> None:
    command = _command_of(case)
    assert command is not None
    args = case["args"]
    assert isinstance(args, dict)
    folder = f"/home/project/{args['cwd']}" if "cwd" in args else "/home/project"
    expect = case["expect"]
    assert isinstance(expect, dict)
    async with open_app(size=size) as running:
        running.agent.start_run()
        running.agent.ask(command_request(command, cwd=folder))
        await running.until_screen(ApprovalScreen)
        await running.settle()
        if "keys_within_ms" in case:
            await _press_early(running, case)
        pages = await _all_pages(running)
        _check_shown(expect, pages)
        if "executed" not in expect:
            await _check_answers(running, expect)


async def _press_early(running: OpenedApp, case: dict[str, object]) -> None:
    early = case["keys_within_ms"]
    assert isinstance(early, dict)
    running.clock.move(float(early["after_ms"]) / 1000)
    await running.press(*[str(key) for key in early["keys"]])
    assert running.agent.answers == []
    assert isinstance(running.app.screen, ApprovalScreen)
    running.clock.move(GUARD_S)


async def _all_pages(running: OpenedApp) -> list[str]:
    """Scroll through command and facts; return every sight, with wraps taken out."""
    running.clock.move(GUARD_S)
    await running.press("home")
    pages: list[str] = []
    view = running.app.screen.query_one(CommandView)
    while not pages or not view.is_at_end or running.shown() != pages[-1]:
        pages.append(running.shown())
        await running.press("pagedown", "shift+down")
    return pages


def _joined(pages: list[str]) -> str:
    """Return all command text as one, each wrapped line put together with the next."""
    lines: list[str] = []
    for page in pages:
        for line in page.splitlines():
            text = re.sub(r"[┃▐]", "", line)
            if text not in lines:
                lines.append(text)
    text = "\n".join(lines)
    return re.sub(r" *\n ?↪ ", "", text)


def _check_shown(expect: dict[str, object], pages: list[str]) -> None:
    everything = "\n".join(pages)
    joined = re.sub(r"\s+", "", _joined(pages))
    reachable = expect.get("reachable_text", [])
    assert isinstance(reachable, list)
    for text in reachable:
        assert re.sub(r"\s+", "", str(text)) in joined
    if expect.get("shows_line_count"):
        assert re.search(r"\d+ lines?", everything)
    if expect.get("warning"):
        assert "⚠" in everything
    any_of = expect.get("shows_any", [])
    assert isinstance(any_of, list)
    assert not any_of or any(str(text) in everything for text in any_of)
    absent = expect.get("screen_codepoints_absent", [])
    assert isinstance(absent, list)
    for number in absent:
        assert chr(int(str(number), 16)) not in everything
    if expect.get("screen_has_no_escape"):
        assert all(c.isprintable() or c == "\n" for c in everything)


async def _check_answers(running: OpenedApp, expect: dict[str, object]) -> None:
    screen = running.app.screen
    assert isinstance(screen, ApprovalScreen)
    if expect.get("buttons_visible"):
        bar = screen.query_one("#answers", Widget)
        assert screen.region.contains_region(bar.region)
        assert bar.region.height > 0
    if expect.get("default_focus_not") == "allow":
        assert screen.marked_answer != CommandAction.RUN
    running.clock.move(GUARD_S)
    if expect.get("enter_is_not_yes"):
        await running.press("left", "left")
        running.clock.move(GUARD_S)
        await running.press("enter")
        assert running.agent.answers == []
    if expect.get("escape_means_in") == ["abort"]:
        running.clock.move(GUARD_S)
        await running.press("escape")
        ((_id, answer),) = running.agent.answers
        assert answer == CommandAnswer(action=CommandAction.STOP)
