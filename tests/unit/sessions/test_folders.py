"""Folders of a workspace's sessions."""

from pathlib import Path

from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.folders import (
    history_path,
    outputs_folder,
    remove_outputs,
    session_path,
    workspace_folder,
)


def test_a_workspace_has_one_folder_and_its_session_files_lie_there(tmp_path: Path) -> None:
    folder = workspace_folder(tmp_path, Path("/w"))
    assert session_path(tmp_path, Path("/w"), SessionId("s")).parent == folder
    assert outputs_folder(tmp_path, Path("/w"), SessionId("s")).parent == folder
    assert history_path(tmp_path, Path("/w")) == folder.with_suffix(".jsonl")
    assert workspace_folder(tmp_path, Path("/w2")) != folder


def test_outputs_go_and_what_lies_beside_them_stays(tmp_path: Path) -> None:
    outputs = tmp_path / "hash" / "s.output"
    outputs.mkdir(parents=True)
    (outputs / "a.out").write_text("x")
    (tmp_path / "hash" / "other.jsonl").write_text("x")
    remove_outputs(outputs)
    assert [path.name for path in (tmp_path / "hash").iterdir()] == ["other.jsonl"]
    (tmp_path / "hash" / "other.jsonl").unlink()
    outputs.mkdir()
    remove_outputs(outputs)
    assert not list(tmp_path.iterdir())
    remove_outputs(outputs)
