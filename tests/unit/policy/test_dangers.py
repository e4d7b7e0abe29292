"""Dangerous commands are refused before anybody is asked, however they are spelled."""

import pytest

from tests.doubles.policy_calls import decide
from tests.unit.policy import commands


@pytest.mark.parametrize(
    "command",
    [
        *commands.REMOVALS,
        *commands.WRAPPED_REMOVALS,
        *commands.FORK_BOMBS,
        *commands.DISK_WRITES,
        *commands.RUN_DOWNLOADS,
    ],
)
def test_the_dangerous_family_is_refused(command: str) -> None:
    decision = decide(command)

    assert decision.is_deny, decision
    assert decision.code == "dangerous_command"
    assert decision.reason


@pytest.mark.parametrize("command", commands.GIT_WRITES)
def test_writing_into_gits_folder_is_refused(command: str) -> None:
    decision = decide(command)

    assert decision.is_deny, decision
    assert decision.code == "git_dir"


@pytest.mark.parametrize("command", commands.HARMLESS)
def test_what_only_looks_dangerous_is_asked_and_not_refused(command: str) -> None:
    decision = decide(command)

    assert decision.is_ask, decision


def test_a_danger_behind_many_harmless_parts_is_found() -> None:
    assert decide("true; " * 500 + "rm -rf /").is_deny
    assert decide("true\n" * 500 + "rm -rf /").is_deny
    assert decide("true | " * 300 + "rm -rf /").is_deny


def test_the_start_folder_of_the_call_counts() -> None:
    assert decide("rm -rf ../..").is_deny
    assert decide("rm -rf ..").is_deny
