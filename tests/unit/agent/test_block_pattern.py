from caramelo_tui.agent.block_pattern import block_remark, suggested_pattern
from caramelo_tui.domain.decisions import CommandPart
from tests.pilot.driving import command_request


def test_program_and_first_argument_are_suggested() -> None:
    assert suggested_pattern(command_request("git push --force origin")) == "git push"
    assert suggested_pattern(command_request("make")) == "make"
    assert suggested_pattern(command_request("  ")) == ""


def test_the_riskiest_part_is_what_is_suggested() -> None:
    parts = (
        CommandPart(text="cd /tmp"),
        CommandPart(text="rm -rf build", risks=("removes files recursively",)),
    )
    assert suggested_pattern(command_request("cd /tmp && rm -rf build", parts=parts)) == "rm -rf"
    assert suggested_pattern(command_request("cd /tmp", parts=parts[:1])) == "cd /tmp"


def test_the_model_is_told_of_the_rule() -> None:
    assert "`git push`" in block_remark("git push")
