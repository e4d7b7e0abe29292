"""Where a command writes decides what becomes of it, with the rule's origin."""

from pathlib import Path

import pytest

from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.findings import Finding
from tests.doubles.policy_calls import FILE, configured, decide, engine


def findings_of(command: str, *, denies: bool = False) -> list[Finding]:
    policy = engine(configured(protected=["secrets/**"], denies=denies))
    return [finding for part in policy.judge(command) for finding in part.findings]


@pytest.mark.parametrize("command", ["echo a > secrets/x", "tee secrets/x", "touch secrets/x"])
def test_a_protected_path_names_its_rule_and_follows_the_action(command: str) -> None:
    asking = next(f for f in findings_of(command) if f.code == "protected_path")
    refusing = next(f for f in findings_of(command, denies=True) if f.code == "protected_path")

    assert (asking.shown_rule, asking.origin) == ("protected path secrets/**", f"{FILE}:1")
    assert asking.is_ask
    assert refusing.is_deny
    assert f"{FILE}:9" in refusing.shown_rule


@pytest.mark.parametrize(
    "command",
    [
        "echo a > .git/config",
        "cp a .git/hooks/pre-commit",
        "cp hooks/pre-commit .git/hooks",
        "touch .git/x",
        "mkdir -p sub/.git/hooks",
        "chmod +x .git/hooks/pre-commit",
        "rm -rf .git",
        "rm -r .git/x.lock",
        "rm .git/config",
        "sed -i s/a/b/ .GIT/config",
        "tar xf a -C .git/hooks",
    ],
)
def test_gits_folder_is_refused(command: str) -> None:
    decision = decide(command, tool="run_command")

    assert decision.is_deny
    assert decision.rule == "protected path .git/**"


@pytest.mark.parametrize("command", ["rm .git/index.lock", "unlink .git/refs/heads/x.lock"])
def test_a_stale_lock_may_be_removed_by_who_is_asked(command: str) -> None:
    decision = decide(command, tool="run_command")

    assert decision.is_ask
    assert decision.code == "git_dir"


@pytest.mark.parametrize(
    ("redirect", "is_free"),
    [
        ("2>&1", True),
        (">&2", True),
        ("2>&-", True),
        ("3>&1-", True),
        ("> /dev/null", True),
        ("&> /dev/null", True),
        ("> /dev/stdout", True),
        ("2>> /dev/stderr", True),
        ("> /tmp/a", True),
        ("> /var/tmp/a/b", True),
        ("< a", True),
        ("<& 3", True),
        ("> a", False),
        ("> ./a", False),
        (">& a", False),
        (">& $X", False),
        ("<> a", False),
        ("> /tmp", False),
        ("> /tmp/../a", False),
        ("> /tmpx/a", False),
        ("> /dev/tty", False),
        ("> /dev/pts/0", False),
        ("> /dev/fd/3", False),
        ("> /dev/shm/a", False),
        ("> ''", False),
        ("> $X", False),
    ],
)
def test_only_harmless_redirects_are_free(redirect: str, *, is_free: bool) -> None:
    assert decide(f"ls {redirect}", tool="run_command").is_allow is is_free


@pytest.mark.parametrize(
    ("command", "is_free"),
    [
        ("cp a ../b", False),
        ("mv a sub/../../b", False),
        ("echo a > ../b", False),
        ("cp a /tmp/b", True),
    ],
)
def test_a_neighbour_of_a_workspace_in_the_temporary_folder_is_no_scratch_file(
    command: str, *, is_free: bool
) -> None:
    policy = PolicyEngine(root=Path("/tmp/x/ws"), home=Path("/home/user"))
    findings = [finding for part in policy.judge(command) for finding in part.findings]
    assert (findings == []) is is_free
