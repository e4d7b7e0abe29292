"""Deny beats ask beats allow, in every mode."""

import pytest

from caramelo_tui.domain.decisions import ApprovalMode, Verdict
from caramelo_tui.domain.tool_calls import Effect
from caramelo_tui.policy.engine import PolicyEngine
from tests.doubles.policy_calls import (
    command_call,
    configured,
    decide,
    engine,
    prepared,
    write_call,
)

ASKING = (ApprovalMode.REVIEW, ApprovalMode.EACH)
NOT_PLAN = (*ASKING, ApprovalMode.AUTO)


@pytest.mark.parametrize("mode", ApprovalMode)
def test_reads_are_allowed_in_every_mode(mode: ApprovalMode) -> None:
    decision = engine().decide(prepared("file_read", Effect.READ), mode=mode)

    assert decision.verdict is Verdict.ALLOW
    assert decision.code == "read"


@pytest.mark.parametrize(
    "call",
    [command_call("ls"), write_call("a"), prepared("git_commit", Effect.OTHER)],
    ids=["command", "write", "other"],
)
def test_plan_only_reads(call: object) -> None:
    decision = engine().decide(call, mode=ApprovalMode.PLAN)  # type: ignore[arg-type] # parametrized

    assert decision.is_deny
    assert decision.code == "mode"


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_bash_is_asked_in_every_mode(mode: ApprovalMode) -> None:
    decision = engine().decide(command_call("true"), mode=mode)

    assert decision.is_ask
    assert decision.rule == "bash always asks"
    assert decision.code == "bash"


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_a_dangerous_command_is_refused_in_every_mode(mode: ApprovalMode) -> None:
    decision = engine().decide(command_call("rm -rf /"), mode=mode)

    assert decision.is_deny
    assert "rm -rf /" in decision.reason


def test_the_start_folder_counts() -> None:
    call = command_call("rm -rf ..", cwd="src/lib")

    assert engine().decide(call, mode=ApprovalMode.AUTO).is_ask


def test_the_reason_names_the_risks() -> None:
    decision = decide("rm -rf build; git push")

    assert decision.reason == "This command removes files recursively; pushes to a remote."
    assert decide("ls").reason == "Commands are asked, each one."


def test_an_unreadable_command_is_asked_and_says_so() -> None:
    decision = decide('echo "abc')

    assert decision.is_ask
    assert decision.code == "unparseable"


def test_other_command_tools_are_asked_for_a_risk_only() -> None:
    assert decide("ls", tool="run_command").is_allow
    decision = decide("npm install x", tool="run_command")
    assert decision.is_ask
    assert (decision.rule, decision.code) == ("installs packages", "package_install")
    assert decide("rm -rf /", tool="run_command").is_deny
    assert decide("curl x", tool="run_command").is_allow


def test_a_long_command_is_cut_in_the_reason() -> None:
    decision = decide("rm -rf / " + "x" * 500)

    assert decision.is_deny
    assert len(decision.reason) < 250


def test_a_command_call_without_a_command_is_refused() -> None:
    assert engine().decide(prepared("bash", Effect.COMMAND), mode=ApprovalMode.AUTO).is_deny


@pytest.mark.parametrize("mode", NOT_PLAN)
@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/pre-commit", "sub/.git/x", ".git"])
def test_gits_folder_is_denied_to_file_tools(mode: ApprovalMode, path: str) -> None:
    decision = engine().decide(write_call(path), mode=mode)

    assert decision.is_deny
    assert decision.code == "git_dir"


@pytest.mark.parametrize("mode", NOT_PLAN)
@pytest.mark.parametrize(
    "path", [".env", "web/.ENV.local", "package.json", ".GitHub/workflows/x.yml", "AGENTS.md"]
)
def test_protected_paths_are_asked_in_every_mode(mode: ApprovalMode, path: str) -> None:
    decision = engine().decide(write_call(path), mode=mode)

    assert decision.is_ask
    assert decision.code == "protected_path"


def test_a_protected_path_behind_a_link_counts_by_both_names() -> None:
    to_it = write_call(".env", shown="plain.txt")
    from_it = write_call("plain.txt", shown=".env")

    for call in (to_it, from_it):
        assert engine().decide(call, mode=ApprovalMode.AUTO).code == "protected_path"
    assert engine().decide(write_call("a", shown=".git/a"), mode=ApprovalMode.AUTO).is_deny


def test_protected_paths_can_be_denied() -> None:
    settings = configured(protected=["secrets/**"], denies=True)

    assert engine(settings).decide(write_call("secrets/a"), mode=ApprovalMode.AUTO).is_deny
    assert decide("echo x > secrets/a", settings=settings).is_deny
    assert engine(settings).decide(write_call("b"), mode=ApprovalMode.AUTO).is_allow


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_a_file_with_several_names_is_asked_in_every_mode(mode: ApprovalMode) -> None:
    decision = engine().decide(write_call("a", hard_links=2), mode=mode)

    assert decision.is_ask
    assert decision.code == "hard_links"


@pytest.mark.parametrize("mode", ASKING)
def test_the_asking_modes_ask_for_writes(mode: ApprovalMode) -> None:
    decision = engine().decide(write_call("src/a.py"), mode=mode)

    assert decision.is_ask
    assert (decision.rule, decision.code) == (f"mode {mode.value}", "mode")


def test_mode_auto_allows_plain_writes() -> None:
    for path in ("src/a.py", ".gitignore", "notes/AGENTS.txt"):
        assert engine().decide(write_call(path), mode=ApprovalMode.AUTO).is_allow


def test_a_write_without_a_proposal_is_judged_by_its_paths() -> None:
    call = prepared("file_write", Effect.WRITE)

    assert engine().decide(call, mode=ApprovalMode.AUTO).is_allow


def test_other_effects_ask() -> None:
    call = prepared("git_commit", Effect.OTHER)

    assert engine().decide(call, mode=ApprovalMode.AUTO).is_ask


def test_a_command_is_explained_part_by_part() -> None:
    parts = engine().explain("cd web && env A=1 rm -rf build | tee $X")

    assert [part.text for part in parts] == [
        "cd web",
        "env A=1 rm -rf build",
        "rm -rf build",
        "tee $X",
    ]
    assert parts[2].risks == ("removes files recursively",)
    assert engine().explain("sh -c 'rm $X'")[-1].text == "rm $X"
    assert engine().explain("env rm $X")[-1].text == "rm …"
    assert engine().explain("X=1")[0].text == "X=1"


def test_a_quoted_word_of_a_part_reads_as_one_word() -> None:
    command = """python3 -c 'import os; print("a")' "" *.py && ls \\( 'a b'"""
    assert [part.text for part in engine().explain(command)] == [
        """python3 -c 'import os; print("a")' '' *.py""",
        "ls '(' 'a b'",
    ]
    assert engine().explain("rm -rf .", cwd="..")[0].risks[0].startswith("removes . and")
    assert engine().explain("") == ()


def test_surroundings_have_defaults() -> None:
    assert PolicyEngine().decide(command_call("rm -rf ~"), mode=ApprovalMode.AUTO).is_deny
