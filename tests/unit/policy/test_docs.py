"""What docs/policy.md says is what the policy decides."""

import re
import tomllib
from pathlib import Path

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction
from caramelo_tui.domain.tool_calls import ActionKind, Effect, PreparedCall
from caramelo_tui.headless.policy_report import policy_report
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.rules import PolicyRules
from tests.doubles.policy_calls import (
    action_call,
    command_call,
    configured,
    decide,
    engine,
    prepared,
    write_call,
)

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


EXAMPLES = [
    tuple(line.split(maxsplit=1)) for block in blocks("decisions") for line in block.splitlines()
]


@pytest.mark.parametrize(("verdict", "command"), EXAMPLES)
def test_an_example_is_decided_as_the_page_says(verdict: str, command: str) -> None:
    assert decide(command, tool="run_command").verdict == verdict
    assert decide(command).verdict == ("deny" if verdict == "deny" else "ask")


def test_the_page_has_examples_of_all_three_answers() -> None:
    assert len(EXAMPLES) >= 100
    assert {example[0] for example in EXAMPLES} == {"allow", "ask", "deny"}


def test_the_report_is_the_one_that_is_printed() -> None:
    (block,) = blocks("report")
    prompt, _, report = block.partition("\n")
    command = prompt.removeprefix("$ caramelo policy test ").strip("'")

    assert policy_report(engine(), command) == report


def rows() -> dict[str, list[str]]:
    table = PAGE.partition("## Reads, writes and other effects\n\n")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {row[0]: row[1:] for row in cells[2:]}


def granted() -> PolicyEngine:
    grants = SessionGrants()
    grants.grant("a", path="a")
    return engine(grants=grants)


def booked(profile: str) -> PolicyEngine:
    policy = engine(profile=profile)
    policy.ledger.book(201)
    return policy


LIMITED = PolicySettings(
    max_diff_lines=LineLimit(lines=2), require_approval_above=LineLimit(lines=1)
)
CALLS: dict[str, tuple[PolicyEngine, PreparedCall]] = {
    "reads": (engine(), prepared("file_read", Effect.READ)),
    "writes": (engine(), write_call("a")),
    "writes that you granted for the session": (granted(), write_call("a")),
    "writes to a protected path, or to a file with several names (hard links)": (
        engine(),
        write_call("a", hard_links=2),
    ),
    'the same with `protected_path_action = "deny"`, protected path': (
        engine(configured(denies=True)),
        write_call(".env"),
    ),
    "writes into `.git`": (engine(), write_call(".git/a")),
    "writes above `require_approval_above`": (engine(LIMITED), write_call("a", lines=2)),
    "writes above `max_diff_lines`": (engine(LIMITED), write_call("a", lines=3)),
    "`bash`": (engine(), command_call("ls")),
    "`bash` with a dangerous or blocked command": (engine(), command_call("mkfs x")),
    "`git_commit`, profile `caramelo`": (engine(), action_call(ActionKind.COMMIT)),
    "`git_commit`, profile `core`": (booked("core"), action_call(ActionKind.COMMIT)),
    "`git_branch` create or switch": (engine(), action_call(ActionKind.BRANCH)),
    "`create_pull_request`": (engine(), action_call(ActionKind.PULL_REQUEST)),
    "`web_fetch`, plain GET or HEAD": (engine(), action_call(ActionKind.FETCH)),
    "`web_fetch` with a body, own headers, another method, or a host in doubt": (
        engine(),
        action_call(ActionKind.FETCH, asks_because="It has a body."),
    ),
    "tools of skills": (engine(), action_call(ActionKind.SKILL, asks_because="Skills ask.")),
    "tools of skills that your own configuration trusts": (
        engine(),
        action_call(ActionKind.SKILL),
    ),
    "`spawn_subagent`": (engine(), action_call(ActionKind.DELEGATE)),
    "`task_done`": (engine(), action_call(ActionKind.FINISH)),
}
BY_COMMAND = "`run_command`"
MODES = {
    0: (ApprovalMode.PLAN,),
    1: (ApprovalMode.REVIEW, ApprovalMode.EACH),
    2: (ApprovalMode.AUTO,),
}


def test_the_table_of_calls_is_whole() -> None:
    assert set(rows()) == {*CALLS, BY_COMMAND}
    assert rows()[BY_COMMAND] == ["deny", "by the command", "by the command"]


@pytest.mark.parametrize("call", CALLS)
def test_a_row_of_the_table_is_what_is_decided(call: str) -> None:
    policy, prepared_call = CALLS[call]
    cells = rows()[call]

    for column, modes in MODES.items():
        for mode in modes:
            verdict = policy.decide(prepared_call, mode=mode).verdict
            assert re.split(r"[ ,]", cells[column])[0] == verdict, (call, mode)


def test_the_named_files_and_folders_are_protected() -> None:
    section = PAGE.partition("### Protected paths\n")[2].partition("`.git` is never")[0]
    names = re.findall(r"`([^`]+)`", section)
    rules = PolicyRules()

    assert len(names) > 15
    for name in names:
        path = name.replace("*", ".local")
        assert rules.protecting(path) is not None
        assert rules.protecting(f"a/{path}") is not None


def test_the_configuration_names_every_setting() -> None:
    (block,) = blocks("toml")
    table = tomllib.loads(block)["policy"]

    assert set(table) == {
        "protected_paths",
        "blocked_commands",
        "max_diff_lines",
        "require_approval_above",
        "protected_path_action",
    }
    assert ProtectedAction(table["protected_path_action"]) is ProtectedAction.ASK
    assert all(f"| `{key}` |" in PAGE for key in table)
