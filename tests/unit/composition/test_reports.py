"""What the user is told of settings, rules, tools and cache."""

from pathlib import Path

from caramelo_tui.agent.models_port import AnsweringModel
from caramelo_tui.agent.reports_port import NoReports, Report
from caramelo_tui.composition.core import build_core
from caramelo_tui.composition.reports import SessionReports
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, Rule
from caramelo_tui.domain.profiles import CORE
from tests.doubles.agent_worlds import asks, says
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import ScriptedModels, started_session


def reports(tmp_path: Path, settings: Settings, *, config: str | None = None) -> SessionReports:
    return SessionReports(
        core=build_core(core_options(tmp_path, settings=settings)),
        settings=settings,
        answering=lambda: AnsweringModel(provider="p", model="m"),
        config=None if config is None else lambda: config,
    )


async def test_the_rules_are_told_with_who_made_them(tmp_path: Path) -> None:
    policy = PolicySettings(
        protected_paths=(Rule(text="db/**", origin="config.toml:3"),),
        blocked_commands=(Rule(text="git push", origin="config.toml:4"),),
        max_diff_lines=LineLimit(lines=900, origin="config.toml:5"),
    )
    told = reports(tmp_path, Settings(policy=policy, mode_origin="--mode"))
    told.core.grants.grant("src/**", path="src/a.py")
    told.core.grants.block("git stash", command="git stash")
    text = await told.report(Report.POLICY)

    assert "Approval mode review  (--mode)" in text
    assert "  src/**\n" in text
    assert "  git stash  (this session)" in text
    assert "  git push  (config.toml:4)" in text
    assert "  db/**  (config.toml:3)" in text
    assert "  AGENTS.md  (built in)" in text
    assert "above no number a write asks" in text
    assert "above 900 (config.toml:5) a write is refused" in text


async def test_the_mode_in_force_is_told_and_who_chose_it(tmp_path: Path) -> None:
    told = reports(tmp_path, Settings())
    told.core.mode.change(ApprovalMode.EACH)

    assert "Approval mode each  (this session)" in await told.report(Report.POLICY)
    assert "mode   each  (this session)" in await told.report(Report.CONFIG)


async def test_the_settings_are_told_with_the_model_of_the_session(tmp_path: Path) -> None:
    text = await reports(tmp_path, Settings(), config="tools.profile  core  --profile\n").report(
        Report.CONFIG
    )

    assert "model  p/m" in text
    assert "tools.profile  core  --profile" in text
    unknown = await reports(tmp_path, Settings()).report(Report.CONFIG)
    assert "not known where the settings" in unknown


async def test_the_profile_is_told_with_its_tools_and_the_way_to_the_other(tmp_path: Path) -> None:
    text = await reports(tmp_path, Settings(disabled_tools=("bash",))).report(Report.PROFILE)

    assert "Profile caramelo; it stays to the end of the session." in text
    assert "caramelo --profile core" in text
    assert "  file_read\n" in text
    assert "Taken off by tools.disable\n  bash" in text
    core = await reports(tmp_path, Settings(profile=CORE)).report(Report.PROFILE)
    assert "caramelo --profile caramelo" in core
    assert "  run_command" in core


async def test_the_cache_is_told_by_its_counts(tmp_path: Path) -> None:
    read = asks(("c1", "file_read", '{"path": "a.txt"}'))
    models = ScriptedModels([read, asks(("c2", "file_read", '{"path": "a.txt"}')), says("done")])
    async with started_session(tmp_path, models) as session:
        (session.root / "a.txt").write_text("a\n")
        before = await session.agent.reports.report(Report.CACHE)
        await session.run()
        text = await session.agent.reports.report(Report.CACHE)

    assert "No read has asked the cache yet." in before
    assert "of 2 reads were answered by the cache" in text
    assert "It holds" in text


async def test_without_reports_that_is_said() -> None:
    assert "Nothing is told" in await NoReports().report(Report.CACHE)
