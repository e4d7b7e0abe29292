"""What the person sees of the repository: signs, and the changes against the last commit."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.agent import git_view
from caramelo_tui.agent.git_view import GitView, NoGitView
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.git_state import GitState
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.workspace.file_io import FileStore
from tests.doubles.git_worlds import GitWorld, WorldPlan, open_git_world


def view_of(world: GitWorld) -> GitView:
    return GitView(
        world.program,
        files=FileStore(world.context.sandbox),
        context=lambda _emit: world.context,
        ids=CountingIds(),
    )


async def test_new_files_stand_behind_the_changed_ones_with_their_text(tmp_path: Path) -> None:
    world = open_git_world(tmp_path)
    world.commit("one", a__txt="a\n")
    world.write("a.txt", "b\n")
    world.write("fresh/deep/new.txt", "one\ntwo")
    world.write("fresh/bin.dat", b"\xff\0")
    changes = await view_of(world).head_changes()
    assert changes.is_whole
    assert [(file.path, file.note, len(file.hunks)) for file in changes.files] == [
        ("a.txt", "", 1),
        ("fresh/bin.dat", "new file · binary", 0),
        ("fresh/deep/new.txt", "new file", 1),
    ]
    assert changes.files[2].hunks[0].new_lines == ("one\n", "two")


async def test_before_the_first_commit_all_is_new(tmp_path: Path) -> None:
    world = open_git_world(tmp_path)
    world.write("a.txt", "a\n")
    world.git("add", "a.txt")
    changes = await view_of(world).head_changes()
    assert [(file.path, file.note) for file in changes.files] == [("a.txt", "new file")]


async def test_more_new_files_than_are_shown_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_view, "NEW_FILES", 2)
    world = open_git_world(tmp_path)
    for number in range(4):
        world.write(f"new/{number}.txt", "x\n")
    changes = await view_of(world).head_changes()
    assert (len(changes.files), changes.is_whole) == (2, False)


async def test_a_long_new_file_is_shown_by_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_view, "NEW_FILE_BYTES", 3)
    world = open_git_world(tmp_path)
    world.write("a.txt", "aaé")
    (file,) = (await view_of(world).head_changes()).files
    assert (file.note, file.hunks[0].new_lines) == ("new file · its start", ("aa",))


async def test_without_a_repository_there_are_no_signs(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_repository=False))
    view = view_of(world)
    assert await view.states() is None
    with pytest.raises(ToolFailure):
        await view.head_changes()


async def test_a_filter_of_a_restricted_folder_does_not_run(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=False))
    world.commit("one", a__txt="a\n")
    program = world.script("filter.sh", f"touch {world.outside}/ran; cat")
    world.git("config", "filter.evil.clean", str(program))
    world.write(".gitattributes", "*.txt filter=evil\n")
    world.write("a.txt", "b\n")
    view = view_of(world)
    states, changes = await asyncio.gather(view.states(), view.head_changes())
    assert states is not None
    assert states.of("a.txt") is GitState.MODIFIED
    assert changes.files[0].path == "a.txt"
    assert not (world.outside / "ran").exists()


async def test_a_session_without_git_shows_nothing() -> None:
    assert await NoGitView().states() is None
    with pytest.raises(ToolFailure):
        await NoGitView().head_changes()
