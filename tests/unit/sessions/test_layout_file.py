import stat
from pathlib import Path

import pytest

from caramelo_tui.sessions.layout_file import MOST_BYTES, LayoutFile


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "layouts" / "a.json"
    LayoutFile(path).save({"wide": {"files": 200}, "medium": {}})
    assert LayoutFile(path).load() == {"wide": {"files": 200}, "medium": {}}


def test_only_the_user_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "layouts" / "a.json"
    LayoutFile(path).save({})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[1]",
        b"\xff",
        b'{"wide": 3}',
        b'{"wide": {"files": true, "tools": 1.5, "changes": "x"}}',
        b"[" * 4000,
        b'{"wide": {"files": 1}}' + b" " * MOST_BYTES,
    ],
)
def test_what_is_none_of_ours_counts_as_empty(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    assert LayoutFile(path).load() in ({}, {"wide": {}})


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert LayoutFile(tmp_path / "none.json").load() == {}


def test_a_file_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    assert LayoutFile(tmp_path).load() == {}


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        LayoutFile(tmp_path / "file" / "a.json").save({})
