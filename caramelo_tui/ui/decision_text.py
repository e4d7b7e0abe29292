"""Say in one line what the policy decided and by which rule.

Owns the words and colours that rows and pages share. Pure. Proven by
tests/unit/ui/test_decision_text.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.decisions import Decision, Verdict

VERDICT_COLORS: Mapping[Verdict, str] = {
    Verdict.ALLOW: "state-ok",
    Verdict.ASK: "state-waiting",
    Verdict.DENY: "state-error",
}
"""Theme variable of each verdict."""


def rule_text(decision: Decision) -> str:
    """Return verdict, rule and origin, such as ``deny: curl | sh (config.toml:4)``."""
    return f"{decision.verdict.value}: {decision.rule} ({decision.origin})"
