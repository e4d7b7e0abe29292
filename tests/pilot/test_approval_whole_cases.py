"""Every case of the area ``approval``, played by keys on the whole agent.

Real files, real commands, the real policy; the model's words are the case's. Each is played at
the size that it names; what is only looked at is looked at in test_approval_cases.py at
40 by 12 too.
"""

import gc
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    RunEnded,
    ToolCallFinished,
    ToolExecutionStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import PolicySettings, Rule
from caramelo_tui.domain.tool_calls import CallState, PreparedCall, ToolResult
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.approval import ApprovalScreen
from tests.doubles.agent_worlds import Step, asks, says
from tests.pilot.driving import GUARD_S
from tests.pilot.real_agent import RealSitting, ScriptedModels, agent_options, opened_for_real

_CASES_FILE = Path(__file__).parent.parent / "cases" / "approval.json"

Case = Mapping[str, Any]
"""One case, as decoded JSON."""

_LOOKS = frozenset(
    {
        "reachable_text",
        "buttons_visible",
        "shows_line_count",
        "screen_codepoints_absent",
        "screen_has_no_escape",
        "shows_any",
        "warning",
        "default_focus_not",
        "escape_means_in",
        "enter_is_not_yes",
        "still_pending",
    }
)
_DEEDS = frozenset(
    {
        "executed",
        "executed_ids",
        "denied_ids",
        "executed_command",
        "is_error",
        "contains",
        "contains_any",
        "files",
        "results",
        "approvals_asked",
        "every_call_answered",
    }
)


def cases() -> list[Case]:
    return list(json.loads(_CASES_FILE.read_text(encoding="utf-8"))["cases"])


def test_every_expectation_is_looked_at() -> None:
    named = {key for case in cases() for key in case["expect"]}
    assert named <= _LOOKS | _DEEDS


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases()])
async def test_case(case: Case, tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    setup = case.get("setup", {})
    for folder in setup.get("dirs", []):
        (root / folder).mkdir()
    for file in setup.get("files", []):
        (root / file["path"]).write_text(file["text"], encoding="utf-8")
    size = (setup["terminal"]["cols"], setup["terminal"]["rows"])
    options = agent_options(root, home, _settings(setup))
    async with opened_for_real(options, _models(case), size=size) as sitting:
        sitting.agent.submit("go")
        if "answers" not in case:
            await _look(sitting, case)
            return
        for answer in case["answers"]:
            await _give(sitting, case, answer)
        await sitting.until(lambda: sitting.of_kind(RunEnded))
        _check_deeds(sitting.events, case["expect"], root)


def _settings(setup: Mapping[str, Any]) -> Settings:
    policy = setup.get("policy", {})
    blocked = tuple(Rule(text=text, origin="case") for text in policy.get("blocked_commands", []))
    return Settings(
        profile=setup.get("profile", "caramelo"),
        mode=ApprovalMode.parse(policy.get("mode", "review")),
        policy=PolicySettings(blocked_commands=blocked),
    )


def _models(case: Case) -> ScriptedModels:
    setup = case.get("setup", {})
    if "model_turns" in setup:
        child = [_turn(turn) for turns in setup["subagent_turns"] for turn in turns]
        return ScriptedModels([_turn(turn) for turn in setup["model_turns"]], child)
    calls = case.get("calls") or [{"id": "1", "tool": case["tool"], "args": case["args"]}]
    asked = [(call["id"], call["tool"], json.dumps(call["args"])) for call in calls]
    return ScriptedModels([asks(*asked), says("done")], [says("done")])


def _turn(turn: Mapping[str, Any]) -> list[Step]:
    calls = turn.get("tool_calls")
    if calls is None:
        return says(turn["text"])
    return asks(*[(call["id"], call["name"], json.dumps(call["arguments"])) for call in calls])


# --- answers ---------------------------------------------------------------------------


async def _give(sitting: RealSitting, case: Case, answer: Mapping[str, Any]) -> None:
    """Wait for what the answer is about, look at it, and answer it by keys."""
    wanted = answer.get("shown_contains", [])
    texts = [wanted] if isinstance(wanted, str) else list(wanted)
    is_write = case["tool"] == "file_write" or texts == ["w.txt"]
    if is_write:
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        await sitting.until(lambda: isinstance(sitting.top, MainScreen))
        await sitting.press("ctrl+o")
    else:
        await sitting.until_screen(ApprovalScreen)
    await sitting.until(lambda: all(text in sitting.shown() for text in texts))
    await sitting.settle()
    sitting.clock.move(GUARD_S)
    if "mutate_args_before_answer" in case:
        _mutate(case["mutate_args_before_answer"])
    seen = sitting.top
    for keys in _keys_for(answer, is_write=is_write):
        await sitting.press(*keys)
        await sitting.settle()
        sitting.clock.move(GUARD_S)
    if not is_write:
        await sitting.until(lambda: sitting.top is not seen)


def _keys_for(answer: Mapping[str, Any], *, is_write: bool) -> list[list[str]]:
    """Return the keys of an answer; the guard's time passes between the groups."""
    remark = answer.get("remark", "")
    if "hunks" in answer:
        accepted, rejected = answer["hunks"]
        assert accepted
        assert not rejected
        return [["a"], ["c", *remark, "enter"], ["r"], ["s"]]
    kind = answer["answer"]
    if is_write:
        return [["Y" if kind == "allow" else "N"], ["s"]]
    if kind == "edit":
        return [["e"], ["ctrl+u", *answer["command"], "enter"], ["y"]]
    if kind == "deny" and remark:
        return [["m", *remark, "enter"]]
    return [[{"allow": "y", "deny": "n", "abort": "escape"}[kind]]]


def _mutate(changed: Mapping[str, Any]) -> None:
    """Change the arguments of every prepared call that lives, where that is possible at all."""
    found = [held for held in gc.get_objects() if isinstance(held, PreparedCall)]
    assert found
    for prepared in found:
        if isinstance(prepared.arguments, dict):
            prepared.arguments.update(changed)


# --- looks -----------------------------------------------------------------------------


async def _look(sitting: RealSitting, case: Case) -> None:
    expect = case["expect"]
    is_write = case["tool"] == "file_write"
    if is_write:
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        await sitting.press("ctrl+o")
        await sitting.settle()
    else:
        await sitting.until_screen(ApprovalScreen)
        await sitting.settle()
    if "keys_within_ms" in case:
        early = case["keys_within_ms"]
        sitting.clock.move(early["after_ms"] / 1000)
        await sitting.press(*early["keys"])
        assert isinstance(sitting.top, ApprovalScreen)
    pages = [sitting.shown()] if is_write else await _pages(sitting)
    _check_looks(expect, pages)
    assert sitting.of_kind(ToolExecutionStarted) == []
    if not is_write:
        await _check_answers(sitting, expect)


async def _pages(sitting: RealSitting) -> list[str]:
    sitting.clock.move(GUARD_S)
    await sitting.press("home")
    pages: list[str] = []
    while not pages or sitting.shown() != pages[-1]:
        pages.append(sitting.shown())
        await sitting.press("pagedown", "shift+down")
        await sitting.settle()
    return pages


def _bare(text: str) -> str:
    """Return text without frames, wraps and blanks."""
    return re.sub(r"[┃│▐↪\s]", "", text)


def _check_looks(expect: Mapping[str, Any], pages: Sequence[str]) -> None:
    lines = list(dict.fromkeys(line for page in pages for line in page.splitlines()))
    everything = "\n".join(lines)
    for text in expect.get("reachable_text", []):
        assert _bare(text) in _bare(everything)
    if expect.get("shows_line_count"):
        assert re.search(r"\d+ lines?", everything)
    if expect.get("warning"):
        assert "⚠" in everything
    if "shows_any" in expect:
        assert any(text in everything for text in expect["shows_any"])
    for number in expect.get("screen_codepoints_absent", []):
        assert chr(int(number, 16)) not in everything
    if expect.get("screen_has_no_escape"):
        assert all(c.isprintable() or c == "\n" for c in everything)


async def _check_answers(sitting: RealSitting, expect: Mapping[str, Any]) -> None:
    screen = sitting.top
    assert isinstance(screen, ApprovalScreen)
    if expect.get("buttons_visible"):
        bar = screen.query_one("#answers")
        assert screen.region.contains_region(bar.region)
    if expect.get("default_focus_not") == "allow":
        assert screen.marked_answer != "run"
    if expect.get("enter_is_not_yes"):
        while screen.marked_answer != "run":
            await sitting.press("left")
        sitting.clock.move(GUARD_S)
        await sitting.press("enter")
        await sitting.settle()
        assert sitting.top is screen
    sitting.clock.move(GUARD_S)
    await sitting.press("escape")
    await sitting.until(lambda: sitting.of_kind(RunEnded))
    (ended,) = sitting.of_kind(RunEnded)
    assert isinstance(ended, RunEnded)
    assert ended.ending.value == "aborted"


# --- deeds -----------------------------------------------------------------------------


def _check_deeds(events: Sequence[AgentEvent], expect: Mapping[str, Any], root: Path) -> None:
    results: dict[str, ToolResult] = {}
    for event in events:
        if isinstance(event, ToolCallFinished) and not event.head.agent:
            assert event.call_id not in results
            results[event.call_id] = event.result
    ran = [event.call_id for event in events if isinstance(event, ToolExecutionStarted)]
    asked = [event for event in events if isinstance(event, ApprovalRequested)]
    if "executed_ids" in expect:
        assert ran == expect["executed_ids"]
    for call_id in expect.get("denied_ids", []):
        assert results[call_id].state in {CallState.DENIED, CallState.REJECTED}
    if expect.get("executed") is False:
        assert ran == []
    if "approvals_asked" in expect:
        assert len(asked) == expect["approvals_asked"]
    if "every_call_answered" in expect:
        assert sorted(results) == expect["every_call_answered"]
    for wanted in expect.get("results", []):
        assert results[wanted["id"]].is_error is wanted["is_error"]
    _check_files(expect, root)
    if len(results) == 1:
        _check_result(next(iter(results.values())), expect)


def _check_files(expect: Mapping[str, Any], root: Path) -> None:
    for file in expect.get("files", []):
        path = root / file["path"]
        if file.get("absent"):
            assert not path.exists()
        else:
            assert path.read_text(encoding="utf-8") == file["text"]


def _check_result(result: ToolResult, expect: Mapping[str, Any]) -> None:
    if "is_error" in expect:
        assert result.is_error is expect["is_error"]
    for text in expect.get("contains", []):
        assert text in result.text
    for texts in expect.get("contains_any", []):
        assert any(text in result.text.lower() for text in texts)
    if "executed_command" in expect:
        # The commands of these cases say their own arguments.
        said = expect["executed_command"].removeprefix("echo ")
        assert re.search(rf"^{re.escape(said)}$", result.text, re.MULTILINE)
