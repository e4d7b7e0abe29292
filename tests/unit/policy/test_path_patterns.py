"""What a pattern of parts means."""

from operator import eq

import pytest

from caramelo_tui.policy.path_patterns import spans


def met(path: str, pattern: str, *, covers_below: bool = False) -> bool:
    return spans(path.split("/"), pattern.split("/"), eq, covers_below=covers_below)


@pytest.mark.parametrize(
    ("path", "pattern", "is_met"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("a/b", "a", False),
        ("a", "a/b", False),
        ("a/b/c", "**", True),
        ("a/b/c", "a/**", True),
        ("a", "a/**", True),
        ("a/b/c", "**/c", True),
        ("c", "**/c", True),
        ("a/b/c", "a/**/c", True),
        ("a/c", "a/**/**/c", True),
        ("a/b/d", "a/**/c", False),
        ("a/c/b/c", "**/c", True),
    ],
)
def test_two_stars_span_any_number_of_parts(path: str, pattern: str, *, is_met: bool) -> None:
    assert met(path, pattern) is is_met


def test_a_folder_means_what_is_in_it_only_where_that_is_asked() -> None:
    assert met("a/b/c", "a/b", covers_below=True)
    assert not met("a/b/c", "a/b")
    assert not met("a", "a/b", covers_below=True)


def test_how_a_part_fits_is_the_callers_rule() -> None:
    assert spans(["A"], ["a"], lambda part, wanted: part.lower() == wanted, covers_below=False)
