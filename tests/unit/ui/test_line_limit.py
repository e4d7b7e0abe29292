from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.ids import RunId
from caramelo_tui.ui.line_limit import LINE_LIMIT_CODE, LimitNotices, is_line_limit, limit_banner


def refusal(code: str = LINE_LIMIT_CODE, verdict: Verdict = Verdict.DENY) -> Decision:
    return Decision(verdict=verdict, reason="Too many lines.", rule="r", code=code)


def test_only_a_refusal_by_the_limit_has_a_banner() -> None:
    assert is_line_limit(refusal())
    assert not is_line_limit(refusal(code="protected_path"))
    assert not is_line_limit(refusal(verdict=Verdict.ASK))


def test_the_banner_names_both_keys() -> None:
    first, second = limit_banner(refusal()).splitlines()
    assert first == "Too many lines."
    assert "F7 raises the limit" in second
    assert "shift+F7 counts them from zero" in second


def test_the_keys_are_named_once_in_a_run() -> None:
    notices = LimitNotices()
    texts = [notices.text(refusal(), RunId(run)) for run in ("r1", "r1", "r2")]
    assert ["F7" in text for text in texts] == [True, False, True]
    assert texts[1] == "Too many lines."
    assert "F7" in notices.text(refusal(), None)
