"""Names never look like options, and texts are what the user can read."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.git.values import checked_text, checked_title, require_plain_name


@pytest.mark.parametrize("name", ["main", "feat/x-1", "ü", "a.b", "@"])
def test_plain_names_pass(name: str) -> None:
    require_plain_name("name", name)


@pytest.mark.parametrize(
    "name", ["", "  ", "-", "--all", "a\nb", "a\tb", "a\0b", "a\x7fb", "a\x85"]
)
def test_other_names_are_refused_with_the_arguments_name(name: str) -> None:
    with pytest.raises(ToolFailure, match=r"^base: "):
        require_plain_name("base", name)


def test_line_ends_become_plain() -> None:
    assert checked_text("body", "a\r\nb\tc\n") == "a\nb\tc\n"


@pytest.mark.parametrize("text", ["a\rb", "\x1b[2J", "a\0", "\x9b"])
def test_control_characters_are_refused(text: str) -> None:
    with pytest.raises(ToolFailure, match="body: holds the control character"):
        checked_text("body", text)


def test_the_limit_counts_bytes() -> None:
    assert checked_text("body", "éé", limit_bytes=4)
    with pytest.raises(ToolFailure, match="6 bytes is more than the limit of 4"):
        checked_text("body", "ééé", limit_bytes=4)


def test_a_title_is_one_line() -> None:
    assert checked_title("title", "--web") == "--web"
    with pytest.raises(ToolFailure, match="more than one line"):
        checked_title("title", "a\n")
