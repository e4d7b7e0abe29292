"""What was allowed in pass 1 is not done in pass 2 when a stricter rule holds by then."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.policy.engine import PolicyEngine
from tests.doubles.pipeline_worlds import World, accepts, act, bash, by_id, first, runs, write


class RealRules:
    """A world whose policy is the real one, with its count of lines."""

    def __init__(self, folder: Path, mode: ApprovalMode, *, profile: str = "core") -> None:
        self.world = World(folder, mode)
        settings = PolicySettings(
            max_diff_lines=LineLimit(lines=10), require_approval_above=LineLimit(lines=5)
        )
        root = self.world.root
        self.policy = PolicyEngine(root=root, home=folder, profile=profile, settings=settings)
        self.ledger = self.policy.ledger
        self.world.pipeline = CallPipeline(
            replace(self.world.parts, policy=self.policy, lines=self.ledger)
        )

    def when(self, tool_acts: dict[str, Callable[[], None]], subject: str, lines: int) -> None:
        """Let a sub-agent change lines while it works."""
        tool_acts[subject] = lambda: self.ledger.book(lines)


@pytest.fixture
def automatic(tmp_path: Path) -> RealRules:
    return RealRules(tmp_path, ApprovalMode.AUTO)


@pytest.fixture
def reviewed(tmp_path: Path) -> RealRules:
    return RealRules(tmp_path, ApprovalMode.REVIEW)


async def test_lines_of_a_sub_agent_count_for_the_writes_behind_it(automatic: RealRules) -> None:
    world = automatic.world
    automatic.when(world.delegate.acts, "child", 9)
    outcome = await world.run(act("1", "delegate", "child"), write("2", "a", "1\n2\n"))
    result = by_id(outcome)["2"]
    assert result.state is CallState.DENIED
    assert "the limit is 10" in result.text
    assert world.text("a") is None
    assert automatic.ledger.changed_lines == 9


async def test_an_accepted_write_is_denied_when_the_limit_is_used_up(reviewed: RealRules) -> None:
    world = reviewed.world
    world.answer(accepts)
    reviewed.when(world.delegate.acts, "child", 9)
    outcome = await world.run(act("1", "delegate", "child"), write("2", "a", "1\n2\n"))
    assert by_id(outcome)["2"].state is CallState.DENIED
    assert world.text("a") is None


async def test_a_write_asks_once_the_threshold_is_passed(automatic: RealRules) -> None:
    world = automatic.world
    world.answer(accepts)
    automatic.when(world.delegate.acts, "child", 5)
    outcome = await world.run(act("1", "delegate", "child"), write("2", "a", "1\n"))
    assert by_id(outcome)["2"].state is CallState.OK
    assert len(world.person.reviews) == 1
    assert automatic.ledger.changed_lines == 6


async def test_a_commit_asks_once_the_threshold_is_passed(automatic: RealRules) -> None:
    world = automatic.world
    world.answer(runs)
    automatic.when(world.delegate.acts, "child", 6)
    outcome = await world.run(act("1", "delegate", "child"), act("2", "commit"))
    assert by_id(outcome)["2"].state is CallState.OK
    assert [request.tool for request in world.person.actions] == ["commit"]
    assert "6 lines" in world.person.actions[0].reason


async def test_writes_of_the_turn_itself_are_not_counted_twice(automatic: RealRules) -> None:
    world = automatic.world
    outcome = await world.run(
        write("1", "a", "1\n2\n"), write("2", "b", "1\n2\n"), write("3", "c", "1\n")
    )
    assert [result.state for result in outcome.results] == [CallState.OK] * 3
    assert world.person.asked == []
    assert automatic.ledger.changed_lines == 5


@pytest.mark.parametrize("mode", [ApprovalMode.AUTO, ApprovalMode.REVIEW])
async def test_nothing_is_changed_after_the_switch_to_plan(
    tmp_path: Path, mode: ApprovalMode
) -> None:
    rules = RealRules(tmp_path, mode, profile="caramelo")
    world = rules.world

    def to_plan() -> None:
        world.mode = ApprovalMode.PLAN

    # The command is approved first, then the write; the user switches while the command runs.
    world.answer(runs, *([accepts] if mode is ApprovalMode.REVIEW else []))
    world.bash.acts["sleep 1"] = to_plan
    outcome = await world.run(
        bash("1", "sleep 1"),
        write("2", "a", "1\n"),
        act("3", "delegate", "child"),
        act("4", "finish"),
    )
    states = [result.state for result in outcome.results]
    assert states == [CallState.OK, CallState.DENIED, CallState.DENIED, CallState.OK]
    assert world.text("a") is None
    assert world.delegate.executed == []


async def test_an_approved_command_is_not_run_after_the_switch_to_plan(tmp_path: Path) -> None:
    rules = RealRules(tmp_path, ApprovalMode.REVIEW, profile="caramelo")
    world = rules.world

    def to_plan() -> None:
        world.mode = ApprovalMode.PLAN

    world.answer(runs, first(to_plan, runs))
    outcome = await world.run(bash("1", "make"), bash("2", "make install"))
    assert [result.state for result in outcome.results] == [CallState.DENIED] * 2
    assert world.bash.executed == []


async def test_a_command_blocked_meanwhile_is_not_run(tmp_path: Path) -> None:
    rules = RealRules(tmp_path, ApprovalMode.REVIEW, profile="caramelo")
    world = rules.world

    def block() -> None:
        rules.policy.grants.block("make install", command="make install now")

    world.answer(runs, first(block, runs))
    outcome = await world.run(bash("1", "make install"), bash("2", "make"))
    states = [result.state for result in outcome.results]
    assert states == [CallState.DENIED, CallState.OK]
    assert world.bash.executed == ["make"]


async def test_a_write_asked_again_is_not_made_after_the_switch_to_plan(tmp_path: Path) -> None:
    rules = RealRules(tmp_path, ApprovalMode.REVIEW, profile="caramelo")
    world = rules.world
    world.write("a", "old\n")

    def to_plan() -> None:
        world.mode = ApprovalMode.PLAN

    # Another program writes the file while the command runs, so the write is asked again.
    world.answer(runs, accepts, first(to_plan, accepts))
    world.bash.acts["make"] = lambda: world.write("a", "other\n")
    outcome = await world.run(bash("1", "make"), write("2", "a", "new\n", overwrite=True))
    assert len(world.person.reviews) == 2
    assert [result.state for result in outcome.results] == [CallState.OK, CallState.DENIED]
    assert world.text("a") == "other\n"
