"""A source gets the view and the spellings that belong together."""

from caramelo_tui.tools.search.js_pattern import Spelling, flags_of, spell
from caramelo_tui.tools.search.js_text import AS_IT_IS, Folding, View


def test_most_patterns_have_both_spellings() -> None:
    assert spell("ab*", is_case_sensitive=True) == Spelling(
        view=View(has_halves=True, folding=Folding.NONE),
        source="ab*",
        flags="",
        asks_whole=True,
        pcre2="ab*",
    )


def test_case_is_folded_as_far_as_the_pattern_can_tell() -> None:
    assert spell("a", is_case_sensitive=False).view.folding is Folding.ASCII
    assert spell("é", is_case_sensitive=False).view.folding is Folding.ALL


def test_what_is_not_certain_in_pcre2_is_left_to_the_worker() -> None:
    spelling = spell("(a)?\\1", is_case_sensitive=True)

    assert spelling.pcre2 is None
    assert spelling.source == "(a)?(?:\\1)"


def test_what_is_not_understood_goes_to_the_worker_as_it_is() -> None:
    assert spell("(?i:a)", is_case_sensitive=False) == Spelling(
        view=AS_IT_IS, source="(?i:a)", flags="i", asks_whole=False, pcre2=None
    )
    assert flags_of(is_case_sensitive=True) == ""
