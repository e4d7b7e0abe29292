"""A core is wired as its settings and its trust say."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.composition import CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.approvals import ApprovalRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, Rule
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.headless.tools_by_hand import ToolsByHand
from tests.doubles.cores import core_options


async def call(options: CoreOptions, name: str, arguments: str) -> ToolResult:
    core = build_core(options)
    try:
        tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        return (await tools.call(name, arguments)).result
    finally:
        await core.end_processes()


def options_for(folder: Path, **settings: object) -> CoreOptions:
    wanted = replace(Settings(), **settings)  # type: ignore[arg-type]  # the tests' own values
    return core_options(folder, settings=wanted)


def make_repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


async def test_trust_reaches_the_git_tools(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    make_repository(options.root)
    (options.root / "a.txt").write_text("a\n")
    restricted = await call(options, "git_commit", '{"message": "first"}')
    assert restricted.is_error
    assert "not trusted" in restricted.text


async def test_the_policys_settings_reach_the_engine_and_the_ledger(tmp_path: Path) -> None:
    policy = PolicySettings(
        max_diff_lines=LineLimit(lines=2, origin="config.toml:3"),
        protected_paths=(Rule(text="secret/**", origin="config.toml:4"),),
        protected_action=PolicySettings().protected_action,
    )
    options = options_for(tmp_path, policy=policy, mode=ApprovalMode.AUTO)
    long = await call(options, "file_write", '{"path": "a", "content": "1\\n2\\n3\\n"}')
    assert "config.toml:3" in long.text
    core = build_core(options)
    assert core.ledger.limits.deny_above is not None
    assert core.ledger.limits.deny_above.lines == 2


async def test_profile_core_has_its_own_limits_and_tools(tmp_path: Path) -> None:
    core = build_core(options_for(tmp_path, profile=CORE))
    limits = core.ledger.limits
    assert limits.deny_above is not None
    assert limits.deny_above.lines == 500
    assert core.tools[0].spec.name == "read_file"


async def test_the_web_settings_reach_web_fetch(tmp_path: Path) -> None:
    arguments = '{"url": "http://127.0.0.1:9/"}'
    refused = await call(options_for(tmp_path), "web_fetch", arguments)
    assert "web.allow_hosts" in refused.text
    allowed = options_for(tmp_path, web=WebSettings(allow_hosts=("127.0.0.1",)))
    tried = await call(allowed, "web_fetch", arguments)
    assert tried.is_error
    assert "web.allow_hosts" not in tried.text


async def test_the_limits_of_run_command_are_those_of_the_settings(tmp_path: Path) -> None:
    options = options_for(tmp_path, profile=CORE, run_command_max_timeout_s=5)
    result = await call(options, "run_command", '{"command": "true", "timeout": 6}')
    assert result.is_error
    assert "5" in result.text


async def test_a_sub_agent_needs_a_run(tmp_path: Path) -> None:
    result = await call(
        core_options(tmp_path), "spawn_subagent", '{"title": "t", "description": "d"}'
    )
    assert result.is_error
    assert "needs a run" in result.text


async def test_mode_plan_offers_nothing_that_writes(tmp_path: Path) -> None:
    options = options_for(tmp_path, mode=ApprovalMode.PLAN)
    result = await call(options, "file_write", '{"path": "a", "content": "x"}')
    assert result.is_error
    assert "mode plan" in result.text
    assert not (options.root / "a").exists()


@pytest.mark.parametrize("own", ["config", "state"])
async def test_the_programs_own_files_are_protected_where_the_workspace_holds_them(
    tmp_path: Path, own: str
) -> None:
    options = core_options(tmp_path, settings=Settings(mode=ApprovalMode.AUTO), approver=Nobody())
    folders = {name: options.root / f".{name}" / "caramelo" for name in ("config", "state")}
    options = replace(options, locations=Locations(**folders))
    arguments = json.dumps({"path": f".{own}/caramelo/trust.json", "content": "{}"})
    result = await call(options, "file_write", arguments)
    assert result.is_error
    assert not (folders[own] / "trust.json").exists()


class Nobody:
    async def reply(self, request: ApprovalRequest) -> Refused:
        del request
        return Refused(reason="nobody is there")
