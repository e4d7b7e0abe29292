"""Skills of a whole session: where they come from, and every case about them."""

import json
import logging
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from caramelo_tui.agent.active_skills import PROMPT_CHARACTERS
from caramelo_tui.agent.approvers import ByHandApprover, HeadlessApprover
from caramelo_tui.composition.core import CoreOptions
from caramelo_tui.composition.skills import MOST_NOTICES, session_skills, skill_notices
from caramelo_tui.config.settings import TOOL_NAMES, Settings
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    BackgroundChanged,
    NoticeLevel,
    NoticeRaised,
    RunEnded,
    ToolCallDecided,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.profiles import CARAMELO
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.shell.command_report import STREAM_BYTES
from caramelo_tui.tools.skills.field_readers import (
    COMMAND_BYTES,
    DESCRIPTION_CHARACTERS,
    MOST_TRIGGERS,
    PROMPT_BYTES,
)
from caramelo_tui.tools.skills.input_schema import KEYWORDS
from caramelo_tui.tools.skills.json_skill import MOST_TOOLS
from caramelo_tui.tools.skills.skill_files import LARGEST_FILE_BYTES, MOST_SKILLS
from caramelo_tui.tools.skills.skill_tool import ARGUMENTS_CHARACTERS, TIMEOUT_MS
from tests.doubles.agent_worlds import Hang, Step, asks, says
from tests.doubles.cores import core_options
from tests.doubles.processes import is_running
from tests.doubles.session_worlds import ScriptedModels, Session, started_session

CASES = Path(__file__).parents[2] / "cases"
IN_TRUST = ("trust-004", "trust-005")
"""Cases of that area that are about skills."""


def skill(name: str = "deploy", *, tool: str = "deploy_staging", **more: object) -> str:
    described = {
        "name": tool,
        "description": "Deploys.",
        "inputSchema": {"type": "object", "properties": {"version": {"type": "string"}}},
        "command": ["cat"],
    }
    fields = {"name": name, "description": "Deploys.", "triggers": [name], "tools": [described]}
    return json.dumps({**fields, **more})


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def in_workspace(folder: Path, name: str = "deploy.json", text: str = "") -> Path:
    return put(folder / "project" / ".caramelo" / "skills" / name, text or skill())


def of_user(folder: Path, name: str = "deploy.json", text: str = "") -> Path:
    return put(folder / "config" / "skills" / name, text or skill())


def said(options: CoreOptions) -> list[str]:
    return [text for _, text in skill_notices(session_skills(options))]


def offered(request: ProviderRequest) -> list[str]:
    return [spec.name for spec in request.tools]


def notes(request: ProviderRequest) -> list[str]:
    return [m.text for m in request.messages if isinstance(m, UserMessage) and m.is_note]


# --- the cases ---------------------------------------------------------------------------


def cases() -> Iterator[Any]:
    for area in ("skills", "trust"):
        for case in json.loads((CASES / f"{area}.json").read_text(encoding="utf-8"))["cases"]:
            if area == "skills" or case["id"] in IN_TRUST:
                yield pytest.param(case, id=case["id"])


def answers(turns: list[dict[str, Any]]) -> list[list[Step]]:
    script: list[list[Step]] = []
    for turn in turns:
        calls = [
            (call["id"], call["name"], json.dumps(call["arguments"]))
            for call in turn.get("tool_calls", [])
        ]
        script.append(asks(*calls) if calls else says(turn["text"]))
    return script


@pytest.mark.parametrize("case", list(cases()))
async def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    setup, expect = case["setup"], case["expect"]

    def filled(text: str) -> str:
        return text.replace("${CFGDIR}", ".caramelo").replace("${OUT}", str(tmp_path / "outside"))

    (tmp_path / "outside").mkdir()
    for file in setup["files"]:
        put(tmp_path / "project" / filled(file["path"]), filled(file["text"]))
    models = ScriptedModels(answers(setup.get("model_turns", [{"text": "ok"}])))
    approver = ByHandApprover(approves_writes=True, approves_commands=setup.get("approve", False))
    settings = Settings(profile=setup.get("profile", CARAMELO), mode=ApprovalMode.AUTO)
    async with started_session(
        tmp_path, models, settings=settings, approver=approver, is_watched=True
    ) as session:
        await session.run(setup.get("user_prompt", "go"))
    check(session, expect)
    for file in expect.get("files", []):
        path = filled(file["path"])
        assert not (session.root / path).exists()


def check(session: Session, expect: dict[str, Any]) -> None:
    first = offered(session.models.provider.requests[0])
    assert set(expect.get("tools_present", [])) <= set(first)
    assert not set(expect.get("tools_absent", [])) & set(first)
    described = {spec.name: spec.description for spec in session.models.provider.requests[0].tools}
    for name in expect.get("builtin_unchanged", []):
        assert described[name] == description_of(name)
    said = "\n".join(notice.text for notice in session.of(NoticeRaised))
    for text in expect.get("error_contains", []):
        assert text in said
    for wanted in expect.get("results", []):
        result = session.result(wanted["id"])
        assert result.is_error is wanted["is_error"]
        for text in wanted["contains"]:
            assert text in result.text
    if "approvals_asked" in expect:
        assert len(session.of(ApprovalRequested)) == expect["approvals_asked"]


# --- where skills come from --------------------------------------------------------------


def test_a_workspace_that_is_not_trusted_brings_no_skill_and_no_finding(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    in_workspace(tmp_path)
    in_workspace(tmp_path, "bad.json", "{")
    of_user(tmp_path, "own.json", skill("own", tool="own_tool"))
    loaded = session_skills(options)
    assert [one.name for one in loaded.skills] == ["own"]
    assert loaded.report == ()
    trusted = session_skills(replace(options, is_trusted=True))
    assert [one.name for one in trusted.skills] == ["deploy", "own"]
    assert len(trusted.report) == 1


def test_no_folder_is_no_skill_and_nothing_to_say(tmp_path: Path) -> None:
    options = replace(core_options(tmp_path), is_trusted=True)
    assert session_skills(options).skills == ()
    assert said(options) == []


def test_the_own_folder_may_be_a_link_but_no_file(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    put(tmp_path / "dotfiles" / "a.json", skill())
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "skills").symlink_to(tmp_path / "dotfiles")
    assert [one.name for one in session_skills(options).skills] == ["deploy"]
    (tmp_path / "config" / "skills").unlink()
    put(tmp_path / "config" / "skills", "x")
    (line,) = said(options)
    assert "cannot be read" in line


def test_a_linked_folder_of_the_workspace_is_not_read(tmp_path: Path) -> None:
    options = replace(core_options(tmp_path), is_trusted=True)
    put(tmp_path / "project" / "elsewhere" / "skills" / "a.json", skill())
    (tmp_path / "project" / ".caramelo").symlink_to("elsewhere")
    assert session_skills(options).skills == ()
    (line,) = said(options)
    assert "leads out" in line
    (tmp_path / "project" / ".caramelo").unlink()
    (tmp_path / "project" / ".caramelo").symlink_to(tmp_path / "config")
    of_user(tmp_path)
    assert [one.name for one in session_skills(options).skills] == ["deploy"]
    assert len(said(options)) == 1


def test_a_trusted_name_without_a_skill_is_named(tmp_path: Path) -> None:
    options = replace(core_options(tmp_path), is_trusted=True)
    in_workspace(tmp_path)
    settings = Settings(trusted_skills=("deploy",))
    (line,) = said(replace(options, settings=settings))
    assert "skills.trust names deploy" in line
    of_user(tmp_path)
    report = said(replace(options, settings=settings))
    assert not [line for line in report if "skills.trust" in line]


def test_no_skill_tool_takes_a_name_of_either_profile(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    for name in TOOL_NAMES:
        of_user(tmp_path, f"{name}.json", skill(name, tool=name.upper()))
    loaded = session_skills(options)
    assert [tool for one in loaded.skills for tool in one.tools] == []
    assert len(loaded.report) == len(TOOL_NAMES)


# --- the report --------------------------------------------------------------------------


def test_what_is_not_used_is_a_warning_and_comes_first(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    of_user(tmp_path, "a.json", skill("a", tool="a_tool", extra=1))
    of_user(tmp_path, "b.json", "{")
    warning, info = skill_notices(session_skills(options))
    assert warning[0] is NoticeLevel.WARNING
    assert "b.json" in warning[1]
    assert info[0] is NoticeLevel.INFO
    assert "extra is an unknown key" in info[1]


def test_a_flood_of_findings_is_counted_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    options = core_options(tmp_path)
    for number in range(MOST_NOTICES + 3):
        of_user(tmp_path, f"{number:02}.json", "{\u202e\n")
    with caplog.at_level(logging.INFO):
        notices = skill_notices(session_skills(options))
    assert len(notices) == MOST_NOTICES + 1
    assert notices[-1][1].startswith("3 more files")
    assert len(caplog.records) == MOST_NOTICES + 3


def test_a_line_of_the_report_is_one_line_in_which_nothing_hides(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    name = "x\n\u202e\x1b[2J"
    of_user(tmp_path, "a.json", json.dumps({"name": name, "description": "x", name: 1}))
    (line,) = said(options)
    assert line.isprintable()
    assert "<U+202E>" in line


# --- in a session ------------------------------------------------------------------------

DEPLOY = ("1", "deploy_staging", '{"version": "2"}')


async def test_a_triggered_skill_is_there_for_its_run_only(tmp_path: Path) -> None:
    in_workspace(tmp_path, text=skill(promptTemplate="Deploy with care."))
    models = ScriptedModels([says("ok")])
    async with started_session(tmp_path, models) as session:
        await session.run("deploy it")
        await session.run("count the files")
    first, second = models.provider.requests
    assert "deploy_staging" in offered(first)
    assert any("Deploy with care." in note for note in notes(first))
    assert "deploy_staging" not in offered(second)


async def test_a_named_skill_is_there_to_the_end_and_told_once(tmp_path: Path) -> None:
    in_workspace(tmp_path, text=skill(promptTemplate="Deploy with care."))
    models = ScriptedModels([says("ok")])
    async with started_session(tmp_path, models) as session:
        assert session.agent.activate_skill("deploy") == ""
        await session.run("one")
        await session.run("deploy two")
    for request in models.provider.requests:
        assert "deploy_staging" in offered(request)
        assert len([note for note in notes(request) if "Deploy with care." in note]) == 1
    assert [info.is_active for info in session.agent.skills] == [True]


async def test_a_skill_that_is_named_during_a_run_is_told_with_the_next_request(
    tmp_path: Path,
) -> None:
    in_workspace(tmp_path, text=skill(promptTemplate="Deploy with care."))
    hang = Hang()
    look: list[Step] = [hang, *asks(("1", "list_dir", "{}"))]
    models = ScriptedModels([look, says("ok")])
    async with started_session(tmp_path, models) as session:
        session.agent.submit("go")
        await hang.reached.wait()
        session.agent.activate_skill("deploy")
        hang.goes_on.set()
        await session.until(RunEnded)
    first, second = models.provider.requests
    assert "deploy_staging" not in offered(first)
    assert "deploy_staging" in offered(second)
    assert any("Deploy with care." in note for note in notes(second))


async def test_a_tool_of_a_skill_always_asks_and_no_flag_answers(tmp_path: Path) -> None:
    in_workspace(tmp_path)
    models = ScriptedModels([asks(DEPLOY), says("ok")])
    approver = HeadlessApprover(auto_approves=True)
    settings = Settings(mode=ApprovalMode.AUTO, trusted_skills=("deploy",))
    async with started_session(tmp_path, models, settings=settings, approver=approver) as session:
        ended = await session.run("deploy it")
    assert session.result("1").is_error
    assert ended.refused_calls == 1


async def test_the_users_own_skill_runs_unasked_where_they_trust_it(tmp_path: Path) -> None:
    of_user(tmp_path)
    models = ScriptedModels([asks(DEPLOY), says("ok")])
    settings = Settings(trusted_skills=("deploy",))
    approver = HeadlessApprover()
    async with started_session(tmp_path, models, settings=settings, approver=approver) as session:
        await session.run("deploy it")
    assert not session.result("1").is_error
    assert '"version": "2"' in session.result("1").text
    (decided,) = session.of(ToolCallDecided)
    assert decided.decision.code == "skill"


async def test_arguments_outside_the_schema_never_reach_the_user(tmp_path: Path) -> None:
    in_workspace(tmp_path)
    wrong = ("1", "deploy_staging", '{"version": "2", "force": true}')
    models = ScriptedModels([asks(wrong), says("ok")])
    async with started_session(tmp_path, models) as session:
        await session.run("deploy it")
    assert "`force` is an unknown field" in session.result("1").text
    assert session.of(ApprovalRequested) == []


async def test_mode_plan_offers_no_tool_of_a_skill(tmp_path: Path) -> None:
    in_workspace(tmp_path)
    models = ScriptedModels([says("ok")])
    settings = Settings(mode=ApprovalMode.PLAN)
    async with started_session(tmp_path, models, settings=settings) as session:
        await session.run("deploy it")
    assert "deploy_staging" not in offered(models.provider.requests[0])


async def test_a_sub_agent_shares_what_is_active_and_activates_nothing(tmp_path: Path) -> None:
    in_workspace(tmp_path, text=skill(promptTemplate="Deploy with care."))
    in_workspace(tmp_path, "lint.json", skill("lint", tool="lint_all"))
    part = ("1", "spawn_subagent", json.dumps({"title": "Part", "description": "lint it"}))
    child = ("s1", *DEPLOY[1:])
    models = ScriptedModels([asks(part), says("ok")], {"Part": [asks(child), says("done")]})
    async with started_session(
        tmp_path, models, settings=Settings(profile=CARAMELO), is_watched=True
    ) as session:
        await session.run("deploy it")
    first = models.children.of("Part").requests[0]
    assert "deploy_staging" in offered(first)
    assert "lint_all" not in offered(first)
    assert any("Deploy with care." in note for note in notes(first))
    (asked,) = session.of(ApprovalRequested)
    assert asked.request.agent_title == "Part"
    assert not session.result("s1").is_error


LEAVES_BEHIND = (
    '"tools": [{"name": "leave", "description": "x", "inputSchema": {"type": "object"}, '
    '"command": ["./run.sh"]}]'
)


async def test_what_a_skills_program_leaves_running_is_listed_and_ends_with_the_session(
    tmp_path: Path,
) -> None:
    of_user(tmp_path, "deploy/skill.json", skill(tools=[]).replace('"tools": []', LEAVES_BEHIND))
    text = "#!/bin/sh\nsleep 60 >/dev/null 2>&1 &\necho $!\n"
    of_user(tmp_path, "deploy/run.sh", text).chmod(0o755)
    models = ScriptedModels([asks(("1", "leave", "{}")), says("ok")])
    async with started_session(tmp_path, models) as session:
        session.agent.submit("deploy it")
        (left,) = (await session.until(BackgroundChanged)).processes
        assert left.call_id == "1"
        assert is_running(left.pid)
    assert not is_running(left.pid)


# --- the page ----------------------------------------------------------------------------


def examples() -> dict[str, str]:
    """Return the examples of the page about skills, by their language."""
    page = (Path(__file__).parents[3] / "docs" / "skills.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^```(\w+)\n(.*?)^```", page, re.DOTALL | re.MULTILINE))


async def test_the_examples_of_the_page_work_as_it_says(tmp_path: Path) -> None:
    shown = examples()
    for put_there in (in_workspace, of_user):
        put_there(tmp_path, "release-notes/skill.json", shown["json"])
        script = put_there(tmp_path, "release-notes/collect.sh", shown["sh"])
        script.chmod(0o755)
    of_user(tmp_path, "review-style/SKILL.md", shown["markdown"])
    put(tmp_path / "project" / "CHANGES.txt", "faster\n")
    trusted = tuple(tomllib.loads(shown["toml"])["skills"]["trust"])
    call = ("1", "collect_changes", '{"since": "1.4.0"}')
    models = ScriptedModels([asks(call), says("ok")])
    settings = Settings(trusted_skills=trusted)
    approver = HeadlessApprover()
    async with started_session(tmp_path, models, settings=settings, approver=approver) as session:
        await session.run("Write the release  notes in our review-style")
    # The user's own counts, and it is trusted.
    (notice,) = [one.text for one in session.of(NoticeRaised) if "skill" in one.text]
    assert "the user's own counts" in notice
    result = session.result("1")
    assert not result.is_error
    assert 'asked for: {\n  "since": "1.4.0"\n}\nfaster\n' in result.text
    told = "\n".join(notes(models.provider.requests[0]))
    assert "Leave out chores." in told
    assert "Quote the line that you speak of." in told


def test_the_page_names_the_limits_that_hold() -> None:
    page = (Path(__file__).parents[3] / "docs" / "skills.md").read_text(encoding="utf-8")
    page = " ".join(page.split())
    for said in (
        f"regular files up to {LARGEST_FILE_BYTES // 1024} KB",
        f"at most {MOST_SKILLS} files and folders",
        f"up to {DESCRIPTION_CHARACTERS:,} characters",
        f"up to {MOST_TRIGGERS} words or phrases",
        f"up to {PROMPT_BYTES // 1024} KB that the model",
        f"up to {MOST_TOOLS} tools",
        f"as a list, up to {COMMAND_BYTES // 1024} KB",
        f"for at most {TIMEOUT_MS // 1000} s",
        f"{STREAM_BYTES // 1024} KB of each",
        f"the first {PROMPT_CHARACTERS:,} characters of a prompt",
        f"Arguments above {ARGUMENTS_CHARACTERS:,} characters",
        f"draft-07: `{' '.join(KEYWORDS)}`",
    ):
        assert said in page
