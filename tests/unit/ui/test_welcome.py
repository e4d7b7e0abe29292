"""The empty conversation promises what the mode and the profile keep."""

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.ui.welcome import welcome_lines


def test_every_command_asks_only_where_it_does() -> None:
    assert welcome_lines(ApprovalMode.REVIEW, CARAMELO)[-1] == "Commands ask first."
    assert welcome_lines(ApprovalMode.REVIEW, CORE)[-1] == "Risky commands ask first."


def test_edits_wait_only_where_they_do() -> None:
    assert "Edits wait in Changes." in welcome_lines(ApprovalMode.EACH)[2]
    assert "Edits are made at once." in welcome_lines(ApprovalMode.AUTO)[2]


@pytest.mark.parametrize("profile", [CARAMELO, CORE])
def test_a_plan_promises_neither_edits_nor_commands(profile: str) -> None:
    said = " ".join(welcome_lines(ApprovalMode.PLAN, profile))
    assert "Edits" not in said
    assert "ommands" not in said
    assert "the plan" in said


@pytest.mark.parametrize("mode", list(ApprovalMode))
def test_every_line_fits_the_smallest_screen(mode: ApprovalMode) -> None:
    assert max(map(len, welcome_lines(mode, CORE))) <= 60 - 6
