"""The user's block list is matched by meaning, not by text."""

import pytest

from tests.doubles.policy_calls import configured, decide


@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ("sudo", "sudo id"),
        ("sudo", "/usr/bin/SUDO id"),
        ("sudo", "echo hi && su''do id"),
        ("sudo", "find . -exec sudo rm {} +"),
        ("sudo", "sh <<E\nsudo id\nE"),
        ("git push --force", "git push --force origin main"),
        ("git push --force", "git push origin --force"),
        ("git push --force", "git -C x push --force=yes"),
        ("rm -rf", "rm -f -r x"),
        ("curl | sh", "curl x | tee f | sh"),
        ("'my tool' x", "'my tool' x"),
        ("it's", "it\\'s"),
    ],
)
def test_a_blocked_command_is_refused_before_anybody_is_asked(entry: str, command: str) -> None:
    decision = decide(command, settings=configured(blocked=[entry]))

    assert decision.is_deny
    assert entry in decision.rule or decision.code == "dangerous_command"


@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ("sudo", "echo 'sudo id'"),
        ("sudo", "sudoku --new"),
        ("sudo", "cat <<'E'\nsudo id\nE"),
        ("git push --force", "git push origin main"),
        ("git push --force", "git commit -m push"),
        ("rm -rf", "rm -r x"),
        ("curl | sh", "curl x; sh y"),
        ("curl | sh", "ls | sh"),
        ("a |", "a"),
        ("", "a"),
    ],
)
def test_what_only_resembles_it_is_not(entry: str, command: str) -> None:
    assert decide(command, settings=configured(blocked=[entry])).is_ask
