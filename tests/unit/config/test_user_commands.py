"""The user's own commands: what is read, from where, and what is only said."""

from pathlib import Path

import pytest

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.config.user_commands import (
    LARGEST_FILE_BYTES,
    MOST_COMMANDS,
    WORKSPACE_FOLDER,
    load_user_commands,
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "config" / "commands"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / WORKSPACE_FOLDER).mkdir(parents=True)
    return folder


def test_a_file_is_a_command_with_name_description_and_text(own: Path) -> None:
    (own / "fix-it.md").write_text("---\ndescription: Fixes one thing\n---\n\nFix $1.\nNow.\n")
    (own / "plain.md").write_text("Say what you see.\n\nMore.")
    assert load_user_commands(own, None).commands == (
        UserCommand(
            name="fix-it",
            description="Fixes one thing",
            text="Fix $1.\nNow.",
            origin=CommandOrigin.USER,
        ),
        UserCommand(
            name="plain",
            description="Say what you see.",
            text="Say what you see.\n\nMore.",
            origin=CommandOrigin.USER,
        ),
    )


def test_a_workspaces_commands_are_read_only_when_it_is_given(own: Path, workspace: Path) -> None:
    (workspace / WORKSPACE_FOLDER / "ship.md").write_text("Ship it.")
    assert load_user_commands(own, None).commands == ()
    (ship,) = load_user_commands(own, workspace).commands
    assert (ship.name, ship.origin) == ("ship", CommandOrigin.WORKSPACE)


def test_the_users_own_command_wins_over_the_workspaces(own: Path, workspace: Path) -> None:
    (own / "ship.md").write_text("Mine.")
    (workspace / WORKSPACE_FOLDER / "ship.md").write_text("Theirs.")
    loaded = load_user_commands(own, workspace)
    assert [command.text for command in loaded.commands] == ["Mine."]
    assert loaded.problems == (
        "The command .caramelo/commands/ship.md is not used: you have one of that name.",
    )


def test_folders_that_are_not_there_hold_no_commands(tmp_path: Path) -> None:
    loaded = load_user_commands(tmp_path / "none", tmp_path)
    assert (loaded.commands, loaded.problems) == ((), ())


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("Big.md", b"x", "its name is not lower-case letters, digits and hyphens"),
        ("empty.md", b" \n", "it has no text"),
        ("open.md", b"---\ndescription: x\nbody", "the head has no closing ---"),
        ("large.md", b"x" * (LARGEST_FILE_BYTES + 1), "it has more than 64 KB"),
        ("latin.md", b"\xff", "codec can't decode"),
    ],
)
def test_what_is_no_command_is_said(own: Path, name: str, data: bytes, why: str) -> None:
    (own / name).write_bytes(data)
    loaded = load_user_commands(own, None)
    assert loaded.commands == ()
    (problem,) = loaded.problems
    assert problem.startswith(f"The command {own}/{name} is not used: ")
    assert why in problem


def test_a_link_is_not_followed(own: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    (own / "peek.md").symlink_to(tmp_path / "secret")
    loaded = load_user_commands(own, None)
    assert loaded.commands == ()
    assert "it is no regular file" in loaded.problems[0]


def test_a_folder_of_commands_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.md").write_text("x")
    (tmp_path / ".caramelo").mkdir()
    (tmp_path / WORKSPACE_FOLDER).symlink_to("../elsewhere")
    assert load_user_commands(tmp_path / "none", tmp_path).commands == ()


def test_other_files_are_passed_over_and_the_number_is_bounded(own: Path) -> None:
    (own / "notes.txt").write_text("x")
    (own / ".hidden.md").write_text("x")
    for number in range(MOST_COMMANDS + 1):
        (own / f"c{number:03}.md").write_text("x")
    loaded = load_user_commands(own, None)
    assert len(loaded.commands) == MOST_COMMANDS
    assert loaded.problems == (f"Only the first 200 of 201 commands in {own} are used.",)


def test_what_the_screen_must_not_get_is_made_visible_in_problems(own: Path) -> None:
    (own / "a\x1b[2J.md").write_text("x")
    (problem,) = load_user_commands(own, None).problems
    assert "\x1b" not in problem
