"""The view of the workspace: sorted, bounded, inside the sandbox."""

from pathlib import Path

import pytest

from caramelo_tui.agent.workspace_view import PREVIEW_BYTES, WorkspaceView
from caramelo_tui.domain.errors import PathRefused, ToolFailure
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox


@pytest.fixture
def view(tmp_path: Path) -> WorkspaceView:
    (tmp_path / "work").mkdir()
    (tmp_path / "artifacts").mkdir()
    return WorkspaceView(FileStore(Sandbox(tmp_path / "work")), tmp_path / "artifacts")


async def test_folders_come_first_then_files_each_by_code_point(
    view: WorkspaceView, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    for name in ("b", "B", ".git"):
        (work / name).mkdir()
    for name in ("a.txt", "Z.txt"):
        (work / name).touch()
    (work / "link").symlink_to("b")
    entries = await view.list_folder(".")
    names = [entry.name for entry in entries]
    assert names == [".git", "B", "b", "link", "Z.txt", "a.txt"]
    assert [entry.name for entry in entries if entry.is_skipped] == [".git"]


async def test_a_listing_outside_is_refused(view: WorkspaceView) -> None:
    with pytest.raises(PathRefused):
        await view.list_folder("..")
    with pytest.raises(ToolFailure):
        await view.list_folder("missing")


@pytest.mark.parametrize(
    ("data", "text", "problem"),
    [
        (b"plain\r\n", "plain\r\n", ""),
        (b"\xef\xbb\xbfbom", "bom", ""),
        (b"", "", ""),
        (b"a\0b", "", "a binary file"),
        (b"\xff\xfe", "", "not UTF-8 text"),
        (b"cut \xe6\xbc", "", "not UTF-8 text"),
    ],
)
async def test_a_preview_says_what_it_cannot_show(
    view: WorkspaceView, tmp_path: Path, data: bytes, text: str, problem: str
) -> None:
    (tmp_path / "work" / "f").write_bytes(data)
    preview = await view.preview("f")
    assert (preview.text, preview.size, preview.problem) == (text, len(data), problem)


async def test_a_preview_is_bounded_at_a_character(view: WorkspaceView, tmp_path: Path) -> None:
    (tmp_path / "work" / "f").write_text("a" + "漢" * PREVIEW_BYTES, "utf-8")
    preview = await view.preview("f")
    assert preview.problem == ""
    assert len(preview.text.encode()) <= PREVIEW_BYTES
    assert set(preview.text[1:]) == {"漢"}
    assert preview.size == 1 + 3 * PREVIEW_BYTES


async def test_a_preview_of_what_is_no_file_says_so(view: WorkspaceView) -> None:
    assert (await view.preview("missing")).problem
    assert (await view.preview("../x")).problem
    assert (await view.preview(".")).problem


def test_artifacts_are_read_by_name_only(view: WorkspaceView, tmp_path: Path) -> None:
    (tmp_path / "artifacts" / "x.out").write_bytes(b"whole")
    (tmp_path / "secret").write_bytes(b"s")
    (tmp_path / "artifacts" / "link").symlink_to(tmp_path / "secret")
    assert view.read_artifact("x.out") == b"whole"
    for name in ("gone", "../secret", "/etc/passwd", "", ".", "..", "link", "a\0b"):
        assert view.read_artifact(name) is None


async def test_files_and_their_folders_are_listed_without_what_searches_skip(
    view: WorkspaceView, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    for path in ("src/api/deep/a.py", "src/b.py", "node_modules/x/y.js", "README.md"):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).touch()
    (work / "link.py").symlink_to("README.md")
    listed = await view.list_files()
    assert listed.is_whole
    assert sorted(listed.paths) == [
        "README.md",
        "src/",
        "src/api/",
        "src/api/deep/",
        "src/api/deep/a.py",
        "src/b.py",
    ]


async def test_the_list_of_files_is_bounded_and_says_so(
    view: WorkspaceView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caramelo_tui.agent.workspace_view.LISTED_PATHS", 2)
    for name in "abc":
        (tmp_path / "work" / name).touch()
    listed = await view.list_files()
    assert (listed.paths, listed.is_whole) == (("a", "b"), False)


async def test_a_workspace_that_is_gone_has_no_files(view: WorkspaceView, tmp_path: Path) -> None:
    (tmp_path / "work").rmdir()
    listed = await view.list_files()
    assert (listed.paths, listed.is_whole) == ((), False)
