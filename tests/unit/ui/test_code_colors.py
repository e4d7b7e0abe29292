"""Code is coloured on demand, in its time."""

import sys
import threading
from subprocess import run

import pytest

from caramelo_tui.ui.themes import FALLBACK_VARIABLES
from caramelo_tui.ui.widgets.code_colors import (
    MAX_LEXED_CHARACTERS,
    PLAIN,
    CodeColors,
    lexer_for_language,
    lexer_for_path,
    warm_up,
)
from tests.unit.ui.drawing import NEVER


def test_spans_are_the_whole_line_in_known_colours() -> None:
    lines = ["def f(x):", "    return 'a' + 1  # why", "", "@wrap"]
    colors = CodeColors(lines, lexer_for_language("python"))
    for index, line in enumerate(lines):
        spans = colors.spans(index, deadline=NEVER)
        assert spans is not None
        assert "".join(text for text, _variable in spans) == line
        assert {variable for _text, variable in spans} <= set(FALLBACK_VARIABLES)
    assert ("def", "syntax-keyword") in (colors.spans(0, deadline=NEVER) or [])


def test_a_string_over_several_lines_keeps_its_colour() -> None:
    colors = CodeColors(["x = '''", "inside", "'''"], lexer_for_language("python"))
    assert colors.spans(1, deadline=NEVER) == [("inside", "syntax-string")]


def test_a_deadline_that_passed_gives_nothing_yet() -> None:
    colors = CodeColors(["x = 1"], lexer_for_language("python"))
    assert colors.spans(0, deadline=float("-inf")) is None
    assert colors.spans(0, deadline=NEVER) is not None
    assert colors.spans(0, deadline=float("-inf")) is not None


def test_a_far_line_costs_only_its_chunk() -> None:
    lines = [f"x{number} = {number}" for number in range(20_000)]
    colors = CodeColors(lines, lexer_for_language("python"), chunk_lines=100)
    assert colors.spans(15_050, deadline=NEVER)
    assert set(colors._done) == {150}


def test_without_a_lexer_everything_is_plain() -> None:
    assert CodeColors(["a b"], None).spans(0, deadline=0) == [("a b", PLAIN)]


def test_a_very_long_line_is_plain() -> None:
    line = "x" * (MAX_LEXED_CHARACTERS + 1)
    colors = CodeColors([line, "y = 1"], lexer_for_language("python"))
    assert colors.spans(0, deadline=NEVER) == [(line, PLAIN)]
    assert colors.spans(1, deadline=NEVER) != [("y = 1", PLAIN)]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/a.py", "Python"),
        ("Makefile", "Makefile"),
        ("a.tsx", "TSX"),
        ("pyproject.toml", "TOML"),
        ("page.html", "HTML"),
    ],
)
def test_the_lexer_goes_by_the_file_name(path: str, name: str) -> None:
    lexer = lexer_for_path(path)
    assert lexer is not None
    assert lexer.name == name


def test_unknown_names_have_no_lexer() -> None:
    assert lexer_for_path("a.unknown-suffix") is None
    assert lexer_for_language("no such language") is None
    assert lexer_for_language("") is None
    assert lexer_for_language("PYTHON") is not None


def test_warming_up_works_in_a_thread() -> None:
    thread = threading.Thread(target=warm_up)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


def test_importing_the_panes_imports_neither_pygments_nor_markdown() -> None:
    code = (
        "import sys, caramelo_tui.ui.panes.conversation, caramelo_tui.ui.panes.changes;"
        "print([m for m in ('pygments.lexers', 'markdown_it') if m in sys.modules])"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
