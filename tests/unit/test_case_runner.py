"""The runner of the behaviour cases notices when an expectation does not hold."""

import copy
import json
import os
import re
from pathlib import Path

import pytest

from tests.case_runner.building import build_world
from tests.case_runner.checks import CHECKS, check
from tests.case_runner.play import play
from tests.case_runner.played import look_at, survivors_of
from tests.case_runner.settings_of import profile_of
from tests.case_runner.tool_checks import GIT_CHECKS
from tests.case_runner.world import Case
from tests.test_cases import OWN_CASES, all_cases, reason_to_skip

BROKEN: dict[str, list[tuple[str, object]]] = {
    "file_edit-001": [
        ("is_error", True),
        ("files", [{"path": "lib/sum.py", "text": "def total(xs):\n"}]),
        ("files", [{"path": "lib/sum.py", "absent": True}]),
        ("results_multiset", [{"is_error": True}]),
        ("home_untouched", None),
    ],
    "file_edit-002": [("contains", ["never said"]), ("not_contains", ["did not match"])],
    "file_edit-025": [("files", [{"path": "mode/run.sh", "unchanged": True}])],
    "file_read-001": [("header", {"lines": "1-3 of 4"}), ("body", "alpha\nbeta\n")],
    "file_read-009": [("truncated_flag", False)],
    "list_dir-001": [("entries", [".env.sample", "sub/", "z.txt"])],
    "grep-001": [("rows", ["app/one.py:1:Token = 1"])],
    "grep-027": [("rows_ordered", ["a/z.txt:1:go", "A.txt:2:go", "a/z.txt:3:go"])],
    "glob-001": [("paths", [])],
    "bash-002": [("exit_code", 0), ("stdout", "out"), ("stderr", "")],
    "bash-008": [("max_seconds", 0.01)],
    "bash-022": [("approvals_asked", 0)],
    "schema-001": [("executed", True)],
    "paths-001": [("an_expectation_that_nobody_knows", True)],
    "second_profile-023": [("match_count", 3)],
    "cache-001": [("cache_hits", [True, True])],
    "git-004": [
        ("git", {"last_message": "another"}),
        ("git", {"last_files": ["b.txt"]}),
        ("git", {"last_files_include": ["b.txt"]}),
        ("git", {"still_changed": []}),
        ("git", {"commit_count": 3}),
        ("git", {"branches_include": ["side"]}),
        ("git", {"branches_exclude": ["main"]}),
        ("git", {"current": "side"}),
        ("git", {"nobody_knows": 1}),
    ],
    "git-022": [("gh_not_called", True), ("gh_argv_values", {"body": "another"})],
    "web_fetch-011": [
        ("connected_to_only", ["127.0.0.1"]),
        ("requests", []),
        ("max_requests", 0),
    ],
    "web_fetch-013": [("request_headers_absent", {"http://docs.example.test/go": ["x-plain"]})],
    "policy-001": [("decision_in", ["deny", "approval"])],
    "policy-029": [("decision_in", ["allow", "approval"])],
    "policy-031": [("decision_in", ["allow", "deny"])],
    "policy-059": [("decision_in", ["allow"])],
    "agents-001": [("ending", "incomplete"), ("ends_loop", False)],
    "agents-002": [
        ("model_requests", 3),
        ("every_call_answered", ["3"]),
        ("cache_hits_by_id", {"1": True}),
    ],
    "agents-003": [("ends_loop", True)],
    "agents-006": [("subagents_started", 2), ("subagent_requests", 1), ("executed", [])],
    "trust-001": [("requests_to_absent", ["api.anthropic.com"]), ("trust_asked", False)],
    "trust-005": [("builtin_unchanged", ["task_done"])],
    "trust-006": [
        ("session_file_mode", "0644"),
        ("session_dir_mode", "0755"),
        ("settings_file_mode", "0644"),
        ("sent_text_absent", ["hello"]),
        ("disk_text_absent", ["hello"]),
    ],
    "trust-009": [("approvals_asked", 0)],
    "trust-010": [("model_context_codepoints_absent", ["68"])],
    "trust-013": [("effective_policy_not_weaker", False)],
    "trust-014": [("trust_asked", True), ("starts", False)],
    "skills-001": [("tools_absent", ["deploy_staging"]), ("tools_present", ["ship"])],
    "skills-004": [("error_contains", ["never said"])],
    "stream-002": [
        ("text", "Hello"),
        ("tool_calls", []),
        ("tool_calls_include", [{"name": "glob", "arguments": {}}]),
        ("stop_reason", "stop"),
        ("incomplete", True),
        ("executed", []),
        ("executed_before_retry", []),
        ("min_delay_s", 60),
        ("user_told", True),
        ("user_text_contains", ["never said"]),
        ("error_to_model", True),
    ],
    "stream-013": [
        ("incomplete", False),
        ("retry_offered", False),
        ("user_text_not_contains", ["par"]),
    ],
    "stream-019": [("error_kind", "rate_limit"), ("requests", 2)],
}
"""A case that holds, and for expectations a value that is wrong; ``None``: whatever it is."""


@pytest.mark.parametrize("case_id", BROKEN)
async def test_a_broken_expectation_is_noticed(tmp_path: Path, case_id: str) -> None:
    case = _case(case_id)
    world = build_world(case, tmp_path)
    if case_id == "file_edit-001":
        (Path(world.environment["HOME"]) / "left behind").touch()
    look = look_at(world, await play(case, world))
    assert check(world.fill(case["expect"]), look) == []
    unnoticed = [key for key, wrong in BROKEN[case_id] if not check({key: wrong}, look)]
    assert unnoticed == []


def _case(case_id: str) -> Case:
    area = case_id.rpartition("-")[0]
    cases = json.loads((OWN_CASES / f"{area}.json").read_text(encoding="utf-8"))["cases"]
    case = copy.deepcopy(next(found for found in cases if found["id"] == case_id))
    return {**case, "area": area}


async def test_a_wrong_expectation_within_a_right_one_is_noticed(tmp_path: Path) -> None:
    case = _case("trust-013")
    world = build_world(case, tmp_path)
    look = look_at(world, await play(case, world))
    assert check({"results": [{"id": "1", "is_error": False}]}, look) != []
    assert check({"outcome_any_of": [{"ending": "error"}, {"executed": ["1"]}]}, look) != []


async def test_a_wait_for_a_retry_can_be_cancelled(tmp_path: Path) -> None:
    case = _case("stream-017")
    case = {**case, "expect": {"can_be_cancelled": True, "requests": 1, "max_seconds": 1.5}}
    world = build_world(case, tmp_path)
    look = look_at(world, await play(case, world))
    assert check(case["expect"], look) == []
    assert check({"can_be_cancelled": False}, look) != []


@pytest.mark.parametrize("step", ["write", "flush", "rename"])
async def test_a_process_that_dies_while_it_writes_leaves_the_old_file(
    tmp_path: Path, step: str
) -> None:
    case = _case("file_edit-001")
    setup = {**case["setup"], "fault": {"on": step, "kill": True}}
    case = {**case, "setup": setup, "expect": {}}
    world = build_world(case, tmp_path)
    look = look_at(world, await play(case, world))
    assert check({"files": [{"path": "lib/sum.py", "unchanged": True}]}, look) == []


@pytest.mark.parametrize("moment", ["shown", "approval"])
async def test_another_program_may_write_while_the_user_is_asked(
    tmp_path: Path, moment: str
) -> None:
    case = _case("file_edit-001")
    before = case["setup"]["files"][0]
    theirs = {"path": before["path"], "text": "# theirs\n" + before["text"]}
    setup = {
        "files": [before],
        "policy": {"mode": "review"},
        "approve": True,
        "race": {"after": moment, "write": theirs},
    }
    case = {**case, "setup": setup, "expect": {}}
    world = build_world(case, tmp_path)
    look = look_at(world, await play(case, world))
    written = {"is_error": False, "files": [{"path": before["path"], "unchanged": True}]}
    assert len(check(written, look)) == 1, "it is changed"
    assert world.path(before["path"]).read_text().startswith("# theirs\n")
    # What was shown had become old, so it is shown again.
    assert check({"approvals_asked": 2}, look) == []


async def test_a_setup_that_nobody_knows_fails(tmp_path: Path) -> None:
    case = {**_case("glob-001"), "setup": {"weather": "rain"}}
    with pytest.raises(AssertionError, match="weather"):
        await play(case, build_world(case, tmp_path))


async def test_no_command_of_the_area_policy_is_run(tmp_path: Path) -> None:
    case = {**_case("policy-078"), "setup": {"files": [{"path": "a.txt", "text": "a"}]}}
    world = build_world(case, tmp_path)
    look = look_at(world, await play(case, world))
    assert check({"decision_in": ["allow"], "is_error": False, "executed": ["it"]}, look) == []
    assert not world.path("b.txt").exists()
    with pytest.raises(AssertionError, match="never run"):
        await play({**case, "tool": "agent_loop"}, world)


def test_processes_that_live_and_those_that_never_were_are_told(tmp_path: Path) -> None:
    world = build_world(_case("bash-009"), tmp_path)
    world.path("alive.pid").write_text(str(os.getpid()))
    world.path("gone.pid").write_text("4194304")
    assert survivors_of(world, ["alive.pid", "gone.pid", "none.pid"]) == ["alive.pid", "none.pid"]


def test_every_expectation_of_the_readme_is_known_here_or_on_the_screen() -> None:
    readme = (OWN_CASES / "README.md").read_text(encoding="utf-8")
    part = readme.partition("## expect")[2].partition("Trust cases show")[0]
    words = set(re.findall(r"`([a-z_]+)`", part))
    of_commits = part.partition("git `git` (")[2].partition(")")[0]
    assert set(re.findall(r"`([a-z_]+)`", of_commits)) == set(GIT_CHECKS)
    assert words - set(CHECKS) - set(GIT_CHECKS) - ON_SCREEN - NO_EXPECTATIONS == set()


ON_SCREEN = {
    *("executed_command", "reachable_text", "buttons_visible", "shows_line_count", "shows_any"),
    *("shows_host", "screen_codepoints_absent", "warning", "clickable_regions_from_content"),
    *("default_focus_not", "escape_means_in", "enter_is_not_yes", "still_pending"),
    *("executed_ids", "denied_ids"),
}
"""Looked at by tests/pilot/test_approval_whole_cases.py."""
NO_EXPECTATIONS = {
    *("true", "false", "null", "calls", "id", "path", "gh", "name", "arguments"),
    *("task_done",),
}
"""Other words between the same quotes."""


def test_the_profile_is_the_one_that_has_the_tools() -> None:
    assert profile_of(_case("file_read-001")) == "caramelo"
    assert profile_of(_case("second_profile-001")) == "core"
    assert profile_of(_case("git-001")) == "core"
    assert profile_of(_case("policy-088")) == "caramelo"


def test_cases_of_another_folder_are_played_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {"format": 1, "area": "approval", "cases": [{"id": "more-1"}]}
    (tmp_path / "more.json").write_text(json.dumps(more))
    monkeypatch.setenv("CARAMELO_CASES", str(tmp_path))
    *own, last = all_cases()
    assert last == {"area": "approval", "id": "more-1"}
    assert len(own) > 400
    assert "approval" not in {case["area"] for case in own}


def test_what_the_machine_lacks_is_the_reason_of_a_skip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = {"needs": ["posix", "git"]}
    assert reason_to_skip(case, tmp_path) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reason_to_skip(case, tmp_path) == "this machine lacks: git"
