"""The person's editor is the one that their variables name, and its file is private."""

import stat
from pathlib import Path

import pytest

from caramelo_tui.agent.editor_command import (
    NO_EDITOR,
    editor_command,
    read_back,
    write_private,
)


def test_visual_wins_over_editor_and_is_split_like_a_command_line() -> None:
    assert editor_command({"VISUAL": "my 'big editor' -w", "EDITOR": "ed"}) == (
        "my",
        "big editor",
        "-w",
    )
    assert editor_command({"VISUAL": "  ", "EDITOR": "ed"}) == ("ed",)


def test_no_editor_and_a_broken_one_say_so() -> None:
    assert editor_command({}) == NO_EDITOR
    assert editor_command({"EDITOR": "ed 'open"}) == "EDITOR is no command: No closing quotation."


def test_a_text_on_its_way_is_private_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "text.md"
    write_private(path, "grün\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_back(path) == "grün\n"
    with pytest.raises(FileExistsError):
        write_private(path, "other")
