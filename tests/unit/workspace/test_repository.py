"""The repository around a folder is found without running anything."""

from pathlib import Path

from caramelo_tui.workspace.repository import repository_around


def test_a_part_of_a_repository_finds_its_root(tmp_path: Path) -> None:
    (tmp_path / "repo" / "a" / "b").mkdir(parents=True)
    (tmp_path / "repo" / ".git").mkdir()
    assert repository_around(tmp_path / "repo" / "a" / "b") == tmp_path / "repo"


def test_the_root_of_a_repository_lies_in_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner").mkdir()
    # A worktree and a submodule have a file of that name.
    (tmp_path / "inner" / ".git").write_text("gitdir: elsewhere\n")
    assert repository_around(tmp_path) is None
    assert repository_around(tmp_path / "inner") is None


def test_a_folder_without_a_repository_lies_in_none(tmp_path: Path) -> None:
    assert repository_around(tmp_path) is None


def test_a_folder_that_cannot_be_looked_into_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    too_long = tmp_path / ("x" * 300)
    assert repository_around(too_long) == tmp_path
