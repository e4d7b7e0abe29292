"""Every tool has a description, and what it says of limits is true."""

import pytest

from caramelo_tui.tools.descriptions import description_of
from caramelo_tui.tools.profiles import CARAMELO_TOOLS
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS


@pytest.mark.parametrize("tool", CARAMELO_TOOLS)
def test_each_tool_has_a_description(tool: str) -> None:
    text = description_of(tool)

    assert text
    assert text == text.strip()


def test_grep_names_every_skipped_folder() -> None:
    text = description_of("grep")

    assert [name for name in SKIPPED_FOLDERS if name not in text] == []


def test_missing_description_is_a_mistake_of_ours() -> None:
    with pytest.raises(FileNotFoundError):
        description_of("no_such_tool")
