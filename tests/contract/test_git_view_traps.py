"""What shows the repository to the user runs no program that the repository names.

It is looked at by itself, before anybody asks: the traps of the tools hold for it too.
"""

from contextlib import suppress
from pathlib import Path

import pytest

from caramelo_tui.agent.git_view import GitView
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.git_state import GitState
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.workspace.file_io import FileStore
from tests.doubles.git_worlds import GitWorld, WorldPlan, open_git_world
from tests.doubles.hostile_git import TRAPS, Trap, mark_script, marks, wipe

every_trap = pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)


def view_of(world: GitWorld) -> GitView:
    return GitView(
        world.program,
        files=FileStore(world.context.sandbox),
        context=lambda _emit: world.context,
        ids=CountingIds(),
    )


@every_trap
@pytest.mark.parametrize("is_trusted", [False, True])
async def test_looking_runs_nothing_and_sees_the_change(
    tmp_path: Path, trap: Trap, *, is_trusted: bool
) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=is_trusted))
    world.commit("first", a__txt="one\n", b__txt="two\n")
    trap.lay(world, str(mark_script(world)))
    world.write("a.txt", "uno\n")
    wipe(world)
    view = view_of(world)

    states = await view.states()
    with suppress(ToolFailure):
        # Refused whole where a filter cannot be taken out, or an object is missing.
        changes = await view.head_changes()
        assert "a.txt" in {file.path for file in changes.files}

    # A filter of a trusted workspace is part of reading a file.
    if not (trap.is_filter and is_trusted):
        assert marks(world) == ""
    if states is not None:
        assert states.states["a.txt"] is GitState.MODIFIED
    else:
        # Or a filter that must run, and is none.
        assert trap.is_refused or trap.is_filter
