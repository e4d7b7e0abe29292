"""A workspace brings no programs along."""

import os
from pathlib import Path

import pytest

from caramelo_tui.tools.search_path import located, safe_search_path


def joined(*folders: object) -> str:
    return os.pathsep.join(map(str, folders))


def test_relative_and_empty_folders_do_not_count() -> None:
    assert safe_search_path(joined("bin", "/usr/bin", "", ".", "/bin")) == "/usr/bin:/bin"
    assert safe_search_path("") == ""


def test_folders_of_the_workspace_do_not_count_by_whatever_name(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    (root / ".venv" / "bin").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "way").symlink_to(root / ".venv")
    path = joined(root, root / ".venv" / "bin", elsewhere / "way" / "bin", elsewhere)

    assert safe_search_path(path, outside=root) == str(elsewhere)
    assert safe_search_path(path) == path


def program(folder: Path, name: str = "tool") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_bare_name_is_never_that_of_the_folder_where_the_child_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "workspace")
    own = program(tmp_path / "bin")
    monkeypatch.chdir(tmp_path / "workspace")

    assert located("tool", joined(".", "", "bin", own.parent)) == str(own)
    assert located("./tool", "") == "./tool"
    with pytest.raises(FileNotFoundError, match="'tool'"):
        located("tool", joined(".", ""))
