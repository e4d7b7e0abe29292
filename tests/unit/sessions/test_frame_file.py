import os
from pathlib import Path

import pytest

from caramelo_tui.sessions.frame_file import MOST_FILES, FrameFile


def test_a_picture_is_private_to_the_user(tmp_path: Path) -> None:
    path = tmp_path / "frames" / "a"
    FrameFile(path, depends_on=()).save("é")
    assert path.read_bytes() == "é".encode()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_the_oldest_go(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 3):
        path = tmp_path / f"{number}"
        FrameFile(path, depends_on=()).save("x")
        os.utime(path, (number, number))
    FrameFile(tmp_path / "new", depends_on=()).save("x")
    left = {path.name for path in tmp_path.iterdir()}
    assert len(left) == MOST_FILES
    assert "new" in left
    assert not left & {"0", "1", "2", "3"}


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "frames").write_text("a file")
    with pytest.raises(OSError, match="frames"):
        FrameFile(tmp_path / "frames" / "a", depends_on=()).save("x")
