"""Writes: the strictest rule that speaks decides, with its origin."""

from dataclasses import replace

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from tests.doubles.policy_calls import FILE, configured, engine, write_call

NOT_PLAN = (ApprovalMode.REVIEW, ApprovalMode.EACH, ApprovalMode.AUTO)


def test_the_origin_of_a_protected_path_is_told() -> None:
    policy = engine(configured(protected=["a", "secrets/**"]))

    configured_one = policy.decide(write_call("secrets/x"), mode=ApprovalMode.AUTO)
    assert (configured_one.rule, configured_one.origin) == (
        "protected path secrets/**",
        f"{FILE}:2",
    )
    built_in = policy.decide(write_call(".env"), mode=ApprovalMode.AUTO)
    assert (built_in.rule, built_in.origin) == ("protected path .env*", "built in")


def test_who_says_that_protected_paths_are_refused_is_told() -> None:
    policy = engine(configured(denies=True))

    decision = policy.decide(write_call(".env"), mode=ApprovalMode.AUTO)

    assert decision.is_deny
    assert f"protected_path_action = deny ({FILE}:9)" in decision.rule


@pytest.mark.parametrize("mode", NOT_PLAN)
@pytest.mark.parametrize(
    ("booked", "pending", "lines", "verdict"),
    [
        (0, 0, 200, None),
        (199, 0, 1, None),
        (0, 0, 201, "ask"),
        (200, 0, 1, "ask"),
        (100, 100, 1, "ask"),
        (0, 0, 500, "ask"),
        (300, 100, 100, "ask"),
        (0, 0, 501, "deny"),
        (500, 0, 1, "deny"),
        (300, 200, 1, "deny"),
    ],
)
def test_the_projected_total_counts(
    booked: int, pending: int, lines: int, verdict: str | None, mode: ApprovalMode
) -> None:
    policy = engine(profile="core")
    policy.ledger.book(booked)

    decision = policy.decide(write_call("a", lines=lines), mode=mode, pending_lines=pending)

    codes = {None: "mode", "ask": "approval_threshold", "deny": "diff_limit"}
    assert decision.code == codes[verdict]
    assert verdict is None or decision.verdict == verdict
    assert policy.ledger.changed_lines == booked


def test_the_denial_says_the_numbers_and_how_to_go_on() -> None:
    policy = engine(PolicySettings(max_diff_lines=LineLimit(lines=10, origin="c.toml:7")))
    policy.ledger.book(6)
    call = write_call("a", lines=5)

    decision = policy.decide(call, mode=ApprovalMode.AUTO)

    assert decision.is_deny
    assert (decision.rule, decision.origin) == ("max_diff_lines = 10", "c.toml:7")
    for told in ("5 lines", "changed 11", "limit is 10", "c.toml:7", "raise", "reset", "palette"):
        assert told in decision.reason
    policy.ledger.raise_limits()
    assert policy.decide(call, mode=ApprovalMode.AUTO).is_allow
    policy.ledger.book(10)
    assert policy.decide(call, mode=ApprovalMode.AUTO).is_deny
    policy.ledger.reset()
    assert policy.decide(call, mode=ApprovalMode.AUTO).is_allow


def test_a_denied_or_failed_write_is_not_counted() -> None:
    policy = engine(profile="core")

    policy.decide(write_call("a", lines=501), mode=ApprovalMode.AUTO)
    policy.decide(write_call(".git/a", lines=5), mode=ApprovalMode.AUTO)

    assert policy.ledger.changed_lines == 0


def test_a_limit_refuses_where_a_protected_path_only_asks() -> None:
    policy = engine(profile="core")

    assert policy.decide(write_call(".env", lines=501), mode=ApprovalMode.AUTO).is_deny
    decision = policy.decide(write_call(".env", lines=201), mode=ApprovalMode.AUTO)
    assert decision.code == "protected_path"


def test_a_write_that_changes_nothing_meets_no_limit() -> None:
    policy = engine(profile="core")
    policy.ledger.book(600)
    call = write_call("a")
    assert call.proposal is not None
    unchanged = replace(call.proposal, before=call.proposal.after, hunks=())

    decision = policy.decide(replace(call, proposal=unchanged), mode=ApprovalMode.AUTO)

    assert decision.is_allow


def test_the_mode_is_told_with_who_chose_it() -> None:
    for mode in NOT_PLAN:
        decision = engine().decide(write_call("a"), mode=mode, mode_origin="c.toml:1")
        assert (decision.rule, decision.origin) == (f"mode {mode.value}", "c.toml:1")
    planned = engine().decide(write_call("a"), mode=ApprovalMode.PLAN, mode_origin="--mode")
    assert planned.origin == "--mode"
