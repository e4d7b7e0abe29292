"""Each kind of action has its rule."""

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from caramelo_tui.domain.tool_calls import ActionKind, Effect
from tests.doubles.policy_calls import action_call, engine, prepared

NOT_PLAN = (ApprovalMode.REVIEW, ApprovalMode.EACH, ApprovalMode.AUTO)


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_a_commit_always_asks_in_the_profile_caramelo(mode: ApprovalMode) -> None:
    decision = engine().decide(action_call(ActionKind.COMMIT), mode=mode)

    assert decision.is_ask
    assert (decision.rule, decision.code) == ("git_commit always asks", "git_write")


@pytest.mark.parametrize(
    ("booked", "pending", "verdict"),
    [(0, 0, "allow"), (200, 0, "allow"), (201, 0, "ask"), (150, 50, "allow"), (150, 51, "ask")],
)
def test_a_commit_asks_in_core_above_the_limit(booked: int, pending: int, verdict: str) -> None:
    policy = engine(profile="core")
    policy.ledger.book(booked)

    decision = policy.decide(
        action_call(ActionKind.COMMIT), mode=ApprovalMode.REVIEW, pending_lines=pending
    )

    assert decision.verdict == verdict
    assert str(booked + pending) in decision.reason
    assert decision.origin == "built in"


def test_a_configured_limit_of_commits_is_named_with_its_origin() -> None:
    limit = LineLimit(lines=10, origin="c.toml:4")
    policy = engine(PolicySettings(require_approval_above=limit), profile="core")
    policy.ledger.book(11)

    decision = policy.decide(action_call(ActionKind.COMMIT), mode=ApprovalMode.AUTO)

    assert (decision.rule, decision.origin) == ("require_approval_above = 10", "c.toml:4")
    assert decision.code == "approval_threshold"


def test_a_branch_asks_but_in_mode_auto() -> None:
    call = action_call(ActionKind.BRANCH)

    for mode in (ApprovalMode.REVIEW, ApprovalMode.EACH):
        assert engine().decide(call, mode=mode).is_ask
    decision = engine().decide(call, mode=ApprovalMode.AUTO, mode_origin="c.toml:1")
    assert decision.is_allow
    assert decision.origin == "c.toml:1"


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_a_pull_request_always_asks(mode: ApprovalMode) -> None:
    assert engine().decide(action_call(ActionKind.PULL_REQUEST), mode=mode).is_ask


@pytest.mark.parametrize("mode", NOT_PLAN)
@pytest.mark.parametrize("kind", [ActionKind.FETCH, ActionKind.SKILL])
def test_requests_and_skills_ask_when_their_tool_says_why(
    kind: ActionKind, mode: ApprovalMode
) -> None:
    asking = engine().decide(action_call(kind, asks_because="It sends a body."), mode=mode)

    assert asking.is_ask
    assert asking.reason == "It sends a body."
    assert engine().decide(action_call(kind), mode=mode).is_allow


@pytest.mark.parametrize("mode", NOT_PLAN)
def test_sub_agents_and_the_end_of_a_run_are_allowed(mode: ApprovalMode) -> None:
    for kind in (ActionKind.DELEGATE, ActionKind.FINISH):
        assert engine().decide(action_call(kind), mode=mode).is_allow


@pytest.mark.parametrize("kind", ActionKind)
def test_in_mode_plan_nothing_but_the_end_of_the_run_is_allowed(kind: ActionKind) -> None:
    decision = engine().decide(action_call(kind), mode=ApprovalMode.PLAN)

    assert decision.is_allow is (kind is ActionKind.FINISH)
    assert decision.is_ask is False
    assert kind is ActionKind.FINISH or "not offered" in decision.reason


def test_another_effect_without_an_action_asks() -> None:
    decision = engine().decide(prepared("thing", Effect.OTHER), mode=ApprovalMode.AUTO)

    assert decision.is_ask
    assert decision.rule == "other effects ask"
