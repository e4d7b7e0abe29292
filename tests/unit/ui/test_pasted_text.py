from caramelo_tui.ui.pasted_text import PastedTexts, safe_paste

LONG = "\n".join(f"line {number}" for number in range(1204))


def test_a_large_paste_folds_and_unfolds() -> None:
    pastes = PastedTexts()
    chip = pastes.take(LONG)
    assert chip == "[paste 1,204 lines]"
    assert pastes.expand(f"look: {chip}!") == f"look: {LONG}!"


def test_a_small_paste_stays_as_it_is() -> None:
    assert PastedTexts().take("two\nlines") == "two\nlines"


def test_a_long_line_folds_too() -> None:
    assert PastedTexts().take("x" * 2000) == "[paste 2,000 characters]"


def test_chips_of_equal_size_stay_apart() -> None:
    pastes = PastedTexts()
    first, second = pastes.take(LONG), pastes.take(LONG.upper())
    assert first != second
    assert pastes.expand(first + second) == LONG + LONG.upper()


def test_line_ends_become_line_feeds_and_control_characters_marks() -> None:
    assert safe_paste("a\r\nb\rc\x1b]0;t\x07") == "a\nb\nc<U+001B>]0;t<U+0007>"


def test_a_paste_that_names_another_chip_is_not_unfolded_twice() -> None:
    pastes = PastedTexts()
    first = pastes.take("[paste 1,204 lines]\n" * 12)
    second = pastes.take(LONG)
    assert pastes.expand(first + second).count("[paste 1,204 lines]") == 12
