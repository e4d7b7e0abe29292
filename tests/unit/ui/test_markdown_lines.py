"""Markdown becomes lines that say what it said, and nothing more."""

import pytest

from caramelo_tui.ui.widgets.cells import width_of
from caramelo_tui.ui.widgets.code_colors import CodeColors, lexer_for_language
from caramelo_tui.ui.widgets.markdown_lines import MarkdownLines
from caramelo_tui.ui.widgets.markdown_table import fitted_widths
from tests.unit.ui.drawing import PALETTE, text_of, texts_of
from tests.unit.ui.test_markdown_splitter import split


def rendered(text: str, width: int = 40) -> MarkdownLines:
    lines = MarkdownLines(PALETTE, width, environment={})
    for piece in split(text):
        lines.add_piece(piece)
    return lines


def shown(text: str, width: int = 40) -> list[str]:
    return texts_of(rendered(text, width).lines)


def attributes_of(text: str, word: str) -> set[str]:
    for line in rendered(text).lines:
        for part, style in line:
            if part.strip() == word:
                flags = {"bold", "italic", "underline", "strike"}
                return {name for name in flags if getattr(style, name)}
    return {"not found"}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("a **b** c", {"bold"}),
        ("a *b* c", {"italic"}),
        ("a ***b*** c", {"bold", "italic"}),
        ("a ~~b~~ c", {"strike"}),
        ("# b", {"bold", "underline"}),
        ("## b", {"bold"}),
        ("> b", {"italic"}),
    ],
)
def test_emphasis_is_shown_as_emphasis(text: str, flags: set[str]) -> None:
    assert attributes_of(text, "b") == flags


def test_paragraphs_are_wrapped_by_words() -> None:
    assert shown("one two three four\nfive", 10) == ["one two", "three four", "five"]


def test_hard_breaks_stay() -> None:
    assert shown("a  \nb\\\nc") == ["a", "b", "c"]


def test_nested_lists_are_indented_with_other_bullets() -> None:
    assert shown("- a\n  - b\n    - c\n- d\n") == ["• a", "  ◦ b", "    ▪ c", "• d"]


def test_ordered_lists_count() -> None:
    assert shown("7. a\n7. b\n") == ["7. a", "8. b"]


def test_wrapped_items_hang_below_their_text() -> None:
    assert shown("- one two three", 9) == ["• one two", "  three"]


def test_loose_lists_have_gaps_and_tight_ones_none() -> None:
    assert shown("- a\n\n- b\n") == ["• a", "", "• b"]
    assert shown("- a\n- b\n") == ["• a", "• b"]


def test_an_empty_item_is_still_an_item() -> None:
    assert shown("-\n- b\n") == ["•", "• b"]


def test_quotes_have_a_bar_on_every_line() -> None:
    assert shown("> a\n>\n> b\n") == ["▎ a", "▎", "▎ b"]


def test_code_in_a_list_stands_in_the_list() -> None:
    assert shown("- a\n\n  ```\n  x = 1\n  ```\n")[-1] == "   x = 1"


def test_tables_stand_in_columns() -> None:
    lines = shown("| name | n |\n|---|--:|\n| ab | 1 |\n| c | 234 |\n")
    assert lines == ["name │   n", "─────┼────", "ab   │   1", "c    │ 234"]


def test_a_wide_table_is_squeezed_into_the_width() -> None:
    text = "| a | b |\n|---|---|\n| " + "word " * 12 + "| " + "long " * 12 + "|\n"
    lines = rendered(text, 30).lines
    assert all(width_of(line) <= 30 for line in lines)
    assert sum("word" in text_of(line) for line in lines) > 2


def test_fitted_widths_take_from_the_widest() -> None:
    assert fitted_widths([4, 40], 27) == [4, 20]
    assert fitted_widths([20, 20], 23) == [10, 10]
    assert fitted_widths([3, 3, 3], 5) == [3, 3, 3]
    assert fitted_widths([50], 10) == [10]


def test_a_table_with_missing_cells_is_filled_up() -> None:
    assert shown("| a | b |\n|---|---|\n| 1 |\n")[-1] == "1 │"


def test_links_say_where_they_lead() -> None:
    assert shown("[docs](https://x.y/z)") == ["docs (https://x.y/z)"]
    assert shown("<https://x.y/z>") == ["https://x.y/z"]
    assert shown("![a chart](c.png)") == ["[image: a chart] (c.png)"]


def test_nothing_is_a_link_or_an_action_of_the_terminal() -> None:
    for line in rendered("[a](https://x.y) [@click=app.quit]b[/] <https://x.y>").lines:
        assert all(style.link is None and not style.meta for _text, style in line)


def test_markup_and_html_are_shown_literally() -> None:
    assert shown("[/] [bold]x[/bold] <b>y</b> [@click=app.quit]z[/]", 80) == [
        "[/] [bold]x[/bold] <b>y</b> [@click=app.quit]z[/]"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "plain \x1b[31mred\x1b[0m",
        "`code \x1b[2J`",
        "- item \x9b31m",
        "# head \x07",
        "| a\x1b | b |\n|---|---|\n| \x1bc | d |\n",
        "[a\x1b](http://x/\x1b)",
        "&#27; &#x1b; &#155;",
        "- a\n\n  ```\n  \x1b]0;title\x07\n  ```\n",
        "text \u202e reversed \u200b",
    ],
)
def test_no_control_character_reaches_a_line(text: str) -> None:
    for line in rendered(text, 60).lines:
        assert all(part.isprintable() for part, _style in line)


def test_a_rule_goes_across() -> None:
    assert shown("---", 12) == ["─" * 12]


def test_deep_nesting_loses_no_text() -> None:
    text = "".join(f"{'  ' * depth}- deep{depth}\n" for depth in range(40))
    lines = rendered(text, 20).lines
    assert all(width_of(line) <= 20 for line in lines)
    assert [f"deep{depth}" in text_of(lines[depth]) for depth in range(40)] == [True] * 40


@pytest.mark.parametrize(
    "text",
    [
        ">" * 5_000 + " end",
        "- " * 3_000 + "end",
        "[" * 4_000 + "end",
        "![" * 3_000 + "end",
        "*a " * 3_000 + "end",
        "a " + "`" * 5_000 + "end",
        "<" * 5_000 + "end",
        "| a " * 300 + "|\n" + "|---" * 300 + "|\n| end |\n",
    ],
)
def test_text_made_to_exhaust_the_parser_is_shown_all_the_same(text: str) -> None:
    assert "end" in "".join(text_of(line) for line in rendered(text, 60).lines)


def test_code_has_its_language_at_the_end_of_the_first_line() -> None:
    lines = MarkdownLines(PALETTE, 30, environment={})
    colors = CodeColors(["x = 1", "y"], lexer_for_language("python"))
    lines.add_code(["x = 1", "y"], colors, first=0, language="python")
    assert texts_of(lines.lines) == [f"{' x = 1':<23}python", " y"]
    assert all(width_of(line) == 30 for line in lines.lines)
    assert lines.is_final


def test_a_label_that_does_not_fit_is_left_out() -> None:
    lines = MarkdownLines(PALETTE, 12, environment={})
    lines.add_code(["abcdefgh"], None, first=0, language="python")
    assert texts_of(lines.lines) == [" abcdefgh"]


def test_code_after_the_deadline_is_plain_and_not_final() -> None:
    lines = MarkdownLines(PALETTE, 30, environment={}, deadline=float("-inf"))
    colors = CodeColors(["x = 1"], lexer_for_language("python"))
    lines.add_code(["x = 1"], colors, first=0, language="")
    assert texts_of(lines.lines) == [" x = 1"]
    assert not lines.is_final


def test_empty_code_is_an_empty_band() -> None:
    lines = MarkdownLines(PALETTE, 10, environment={})
    lines.add_code([], None, first=0, language="")
    assert len(lines.lines) == 1


def test_a_continued_table_has_no_head_and_the_same_columns() -> None:
    rows = "".join(f"| {number} | {'cell ' * 20} |\n" for number in range(60))
    pieces = split("| a | b |\n|---|---|\n" + rows)
    first = MarkdownLines(PALETTE, 60, environment={}).add_piece(pieces[0])
    second = MarkdownLines(PALETTE, 60, environment={}).add_piece(pieces[1])
    assert text_of(first.lines[0]).startswith("a ")
    assert "─┼─" in text_of(first.lines[1])
    assert not any("─┼─" in text_of(line) for line in second.lines)
    assert text_of(first.lines[2]).index("│") == text_of(second.lines[0]).index("│")


def test_a_continued_list_goes_on_counting() -> None:
    pieces = split("".join(f"1. {'word ' * 60}\n" for _ in range(20)))
    second = MarkdownLines(PALETTE, 60, environment={}).add_piece(pieces[1])
    assert text_of(second.lines[0]).startswith(f"{pieces[1].start_number}. word")
