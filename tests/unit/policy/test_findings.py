"""The heaviest finding decides, and says by which rule."""

import pytest

from caramelo_tui.domain.decisions import Verdict
from caramelo_tui.policy.findings import Finding, JudgedPart, Level


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [
        ((), Verdict.ALLOW),
        ((Level.NOTE,), Verdict.ALLOW),
        ((Level.NOTE, Level.ASK), Verdict.ASK),
        ((Level.ASK, Level.DENY, Level.NOTE), Verdict.DENY),
    ],
)
def test_a_part_is_decided_by_its_heaviest_finding(
    levels: tuple[Level, ...], verdict: Verdict
) -> None:
    findings = tuple(Finding(code="x", note=level.name, level=level) for level in levels)

    assert JudgedPart(text="a", findings=findings).verdict is verdict


def test_a_finding_names_its_rule() -> None:
    assert Finding(code="a_b", note="does x").shown_rule == "does x"
    assert Finding(code="a_b", note="does x", level=Level.DENY).shown_rule == "a b: does x"
    assert Finding(code="a_b", note="does x", rule="rule x").shown_rule == "rule x"
    assert not Finding(code="a", note="b", level=Level.NOTE).is_ask
