"""More than three hundred command lines, decided."""

import pytest

from tests.doubles.policy_calls import decide
from tests.unit.policy import commands, decided_commands

REFUSED = (
    *commands.REMOVALS,
    *commands.WRAPPED_REMOVALS,
    *commands.FORK_BOMBS,
    *commands.DISK_WRITES,
    *commands.RUN_DOWNLOADS,
    *commands.GIT_WRITES,
)


@pytest.mark.parametrize("command", REFUSED)
def test_a_dangerous_command_is_refused(command: str) -> None:
    decision = decide(command, tool="run_command")

    assert decision.is_deny
    assert decision.origin == "built in"


@pytest.mark.parametrize("command", decided_commands.ASKED)
def test_a_command_of_the_approval_family_asks(command: str) -> None:
    decision = decide(command, tool="run_command")

    assert decision.is_ask, decision
    assert decision.reason
    assert decision.rule


@pytest.mark.parametrize("command", decided_commands.ALLOWED)
def test_an_everyday_command_is_allowed(command: str) -> None:
    decision = decide(command, tool="run_command")

    assert decision.is_allow, decision


@pytest.mark.parametrize("command", [*decided_commands.ASKED, *decided_commands.ALLOWED])
def test_bash_asks_for_each_of_them(command: str) -> None:
    assert decide(command).is_ask


def test_there_are_enough_of_them() -> None:
    assert len({*REFUSED, *decided_commands.ASKED, *decided_commands.ALLOWED}) > 600
