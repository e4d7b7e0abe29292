from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.ui.decision_text import VERDICT_COLORS, rule_text


def test_verdict_rule_and_origin_stand_in_one_line() -> None:
    decision = Decision(
        verdict=Verdict.DENY, reason="r", rule="protected path .env*", origin="config.toml:4"
    )
    assert rule_text(decision) == "deny: protected path .env* (config.toml:4)"


def test_every_verdict_has_a_colour() -> None:
    assert set(VERDICT_COLORS) == set(Verdict)
