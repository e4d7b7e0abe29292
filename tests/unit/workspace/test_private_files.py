"""Our own files are private from the moment they exist."""

import os
import stat
from pathlib import Path

import pytest

from caramelo_tui.workspace.private_files import make_private_folder, write_private


def test_folders_and_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        write_private(tmp_path / "a" / "b" / "f", b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b" / "f").stat().st_mode) == 0o600


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "inside").write_text("kept")
    with pytest.raises(OSError, match=r"."):
        write_private(tmp_path / "f", b"x")
    assert [entry.name for entry in tmp_path.iterdir()] == ["f"]
