"""git is run with what each call needs, and its failures are told."""

from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.git import program
from caramelo_tui.tools.git.environment import Reach
from caramelo_tui.tools.git.program import OpenRepository
from tests.doubles.git_worlds import GitWorld, WorldPlan, open_git_world

CALL = ToolCall(id=CallId("c"), name="git_status", arguments_json="")


async def opened(world: GitWorld) -> OpenRepository:
    return await world.program.open(CALL, world.context)


async def test_a_failure_names_the_command_and_gives_gits_words(world: GitWorld) -> None:
    repository = await opened(world)

    with pytest.raises(ToolFailure, match=r"git rev-parse failed \(exit code 128\):\nfatal: "):
        await repository.read("rev-parse", "--verify", "nothing")


async def test_an_exit_code_may_be_an_answer(world: GitWorld) -> None:
    output = await (await opened(world)).read("config", "--get", "no.thing", ends_with=(0, 1))

    assert (output.exit_code, output.stdout) == (1, b"")


async def test_what_git_says_cannot_act(world: GitWorld) -> None:
    repository = await opened(world)

    with pytest.raises(ToolFailure) as caught:
        await repository.read("cat-file", "-t", "x\x1b[2Jy")
    assert "\x1b" not in str(caught.value)


async def test_only_the_start_is_kept_and_all_is_counted(world: GitWorld) -> None:
    world.commit("first", a__txt="x" * 10_000)

    output = await (await opened(world)).read("show", "HEAD:a.txt", keep_bytes=100)

    assert (len(output.stdout), output.total_bytes) == (100, 10_000)


async def test_a_git_that_does_not_end_is_ended(
    world: GitWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.commit("first", a__txt="x")
    world.script(".git/hooks/pre-commit", "exec sleep 60")
    monkeypatch.setitem(program._TIMEOUTS, Reach.LOCAL, 300)
    repository = await opened(world)

    with pytest.raises(ToolFailure, match="git commit did not end within"):
        await repository.write("commit", "--allow-empty", "--message=m")


async def test_without_git_it_says_so(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(path=str(tmp_path)))

    assert await world.error("git_status") == "git is not installed (no such program on PATH)."


async def test_no_output_is_kept_in_files(world: GitWorld, tmp_path: Path) -> None:
    world.commit("first", a__txt="x")

    await world.text("git_log")

    assert not (tmp_path / "artifacts").exists()


async def test_more_filters_than_can_be_taken_out_are_refused(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=False))
    with (world.root / ".git" / "config").open("a") as file:
        file.writelines(f'[filter "f{number}"]\n\tclean = cat\n' for number in range(201))

    assert "cannot be taken out one by one" in await world.error("git_status")


async def test_settings_that_cannot_be_read_are_told(world: GitWorld) -> None:
    (world.root / ".git" / "config").write_text("[broken\n")

    assert "bad config line 1" in await world.error("git_status")


async def test_writes_leave_nothing_running(world: GitWorld) -> None:
    world.git("config", "gc.auto", "1")
    for number in range(5):
        world.commit(f"c{number}", a__txt=str(number))
    world.write("a.txt", "x")

    await world.text("git_commit", message="m")

    assert world.context.commands.background() == ()
