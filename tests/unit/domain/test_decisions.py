"""Both names of a mode are accepted."""

import pytest

from caramelo_tui.domain.decisions import ApprovalMode, Decision, Verdict


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("review", ApprovalMode.REVIEW),
        ("auto-reads-batched-writes", ApprovalMode.REVIEW),
        ("per-call", ApprovalMode.EACH),
        ("auto-all", ApprovalMode.AUTO),
        ("plan", ApprovalMode.PLAN),
    ],
)
def test_short_and_long_names_are_the_same_mode(name: str, mode: ApprovalMode) -> None:
    assert ApprovalMode.parse(name) is mode


def test_an_unknown_mode_lists_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match="auto-all"):
        ApprovalMode.parse("yolo")


def test_a_decision_is_exactly_one_verdict() -> None:
    for verdict in Verdict:
        decision = Decision(verdict=verdict, reason="r", rule="x")
        assert [decision.is_allow, decision.is_ask, decision.is_deny].count(True) == 1
