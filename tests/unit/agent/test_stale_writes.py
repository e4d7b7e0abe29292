"""Files that move under a proposal: made again, asked again, never overwritten unseen."""

from functools import partial
from pathlib import Path

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.workspace.file_io import WriteStep
from tests.doubles.pipeline_worlds import (
    Answering,
    World,
    accepts,
    accepts_only,
    bash,
    denies,
    edit,
    first,
    look,
    rejects,
    runs,
    stops,
    write,
)

NUMBERS = "".join(f"line {number}\n" for number in range(1, 13))


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("a.txt", NUMBERS)
    return world


async def test_a_file_that_moves_while_commands_are_asked_is_shown_as_it_is(
    world: World,
) -> None:
    world.answer(first(lambda: world.write("a.txt", "top\n" + NUMBERS), runs), accepts)
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"), bash("2", "make"))
    assert len(world.person.reviews) == 1
    assert world.person.reviews[0].writes[0].proposal.hunks[0].old_start == 2
    assert world.text("a.txt") == "top\n" + NUMBERS.replace("line 1\n", "one\n")


async def test_a_file_that_moves_away_before_it_is_shown_is_not_shown(world: World) -> None:
    world.answer(first(lambda: world.write("a.txt", "other\n"), runs))
    world.answer(denies())
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "one\n"), bash("2", "make"))
    assert len(world.person.reviews) == 0
    assert "did not match" in outcome.results[0].text
    assert "a.txt" in world.person.commands[1].note


async def test_an_empty_file_that_appears_is_a_change_too(world: World) -> None:
    world.answer(first(lambda: world.write("b.txt", ""), accepts), accepts)
    await world.run(write("1", "b.txt", "x\n", overwrite=True))
    assert world.person.reviews[1].note == (
        "b.txt changed on disk; the change was made again on it as it is now"
    )
    assert world.text("b.txt") == "x\n"


async def test_accepting_a_stale_proposal_makes_it_again_and_asks_again(world: World) -> None:
    world.answer(first(lambda: world.write("a.txt", "top\n" + NUMBERS), accepts), accepts)
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert len(world.person.reviews) == 2
    assert "a.txt changed on disk (line 1)" in world.person.reviews[1].note
    assert world.person.reviews[1].writes[0].proposal.hunks[0].old_start == 6
    assert outcome.results[0].state is CallState.OK
    assert world.text("a.txt") == "top\n" + NUMBERS.replace("line 5\n", "five\n")


async def test_a_proposal_that_is_stale_twice_is_refused(world: World) -> None:
    def goes_on(count: int) -> Answering:
        return first(lambda: world.write("a.txt", f"top {count}\n" + NUMBERS), accepts)

    world.answer(goes_on(1), goes_on(2), accepts)
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert len(world.person.reviews) == 2
    assert outcome.results[0].is_error
    assert "changed on disk again" in outcome.results[0].text
    assert world.text("a.txt") == "top 2\n" + NUMBERS


async def test_a_stale_proposal_that_cannot_be_made_again_says_why(world: World) -> None:
    world.answer(first(lambda: world.write("a.txt", "other\n"), accepts))
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert "changed on disk while the change waited" in outcome.results[0].text
    assert "did not match" in outcome.results[0].text
    assert world.text("a.txt") == "other\n"


async def test_a_rejected_write_is_not_asked_again_when_its_file_moves(world: World) -> None:
    world.answer(first(lambda: world.write("a.txt", "other\n"), rejects))
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert len(world.person.reviews) == 1
    assert outcome.results[0].state is CallState.REJECTED
    assert world.text("a.txt") == "other\n"


async def test_a_file_that_a_command_of_the_turn_changed_is_asked_again(world: World) -> None:
    world.bash.acts["format"] = lambda: world.write("a.txt", NUMBERS.replace("line 9", "nine"))
    world.answer(runs, accepts, accepts)
    await world.run(bash("1", "format"), edit("2", "a.txt", "line 1\n", "one\n"))
    assert len(world.person.reviews) == 2
    assert world.text("a.txt") == NUMBERS.replace("line 9", "nine").replace("line 1\n", "one\n")


async def test_in_mode_auto_a_moved_file_is_made_again_unasked(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    moves = iter(["nine", "neun"])
    world.bash.acts["format"] = lambda: world.write(
        "a.txt", str(world.text("a.txt")).replace("line 9", next(moves)).replace("nine", "neun")
    )
    world.answer(runs, runs)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"),
        bash("2", "format"),
        edit("3", "a.txt", "line 2\n", "two\n"),
        bash("4", "format"),
        edit("5", "a.txt", "line 3\n", "three\n"),
    )
    assert [result.state for result in outcome.results] == [CallState.OK] * 5
    assert len(world.person.asked) == 2
    assert str(world.text("a.txt")).startswith("one\ntwo\nthree\nline 4\n")


async def test_a_later_write_is_asked_again_when_its_file_moved_before_it(world: World) -> None:
    world.bash.acts["format"] = lambda: world.write("a.txt", "top\n" + str(world.text("a.txt")))
    world.answer(runs, accepts, accepts_only("+"), accepts)
    outcome = await world.run(
        bash("1", "format"),
        edit("2", "a.txt", "line 2\n", "two\n"),
        look("3", "x"),
        edit("4", "a.txt", "line 4\n", "four\n"),
    )
    asked = [[write.call_id for write in review.writes] for review in world.person.reviews]
    assert asked == [["2", "4"], ["2"], ["4"]]
    assert [result.state for result in outcome.results] == [CallState.OK] * 4
    assert str(world.text("a.txt")).startswith("top\nline 1\ntwo\nline 3\nfour\n")


async def test_a_write_between_the_last_look_and_the_rename_is_not_lost(world: World) -> None:
    world.faults.acts.append((WriteStep.PATH_CHECK, lambda: world.write("a.txt", "top\n")))
    world.answer(accepts)
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert outcome.results[0].is_error
    assert "did not match" in outcome.results[0].text
    assert world.text("a.txt") == "top\n"


async def test_a_file_that_is_written_at_every_try_is_given_up(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    for count in (1, 2):
        act = partial(world.write, "a.txt", f"top {count}\n{NUMBERS}")
        world.faults.acts.append((WriteStep.PATH_CHECK, act))
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert outcome.results[0].is_error
    assert "changed on disk again" in outcome.results[0].text
    assert world.text("a.txt") == f"top 2\n{NUMBERS}"


async def test_a_file_that_appears_at_the_place_of_a_new_one_is_kept(world: World) -> None:
    world.faults.acts.append((WriteStep.PATH_CHECK, lambda: world.write("b.txt", "theirs\n")))
    world.answer(accepts)
    outcome = await world.run(write("1", "b.txt", "ours\n"))
    assert outcome.results[0].is_error
    assert "file_edit" in outcome.results[0].text
    assert world.text("b.txt") == "theirs\n"


async def test_a_path_that_leads_elsewhere_by_now_is_not_written(world: World) -> None:
    world.write("one.txt", "x\n")
    world.write("two.txt", "x\n")
    link = world.root / "link.txt"
    link.symlink_to("one.txt")

    def turn() -> None:
        world.write("one.txt", "y x\n")
        link.unlink()
        link.symlink_to("two.txt")

    world.answer(first(turn, accepts))
    outcome = await world.run(edit("1", "link.txt", "x\n", "z\n"))
    assert world.person.reviews[0].writes[0].warning == "written through a link to one.txt"
    assert outcome.results[0].is_error
    assert "leads to" in outcome.results[0].text
    assert [world.text("one.txt"), world.text("two.txt")] == ["y x\n", "x\n"]


async def test_a_moved_file_that_the_policy_now_denies_is_not_written(world: World) -> None:
    def move() -> None:
        world.write("a.txt", "top\n" + NUMBERS)
        world.policy.denied.add("a.txt")

    world.answer(first(move, accepts))
    outcome = await world.run(edit("1", "a.txt", "line 5\n", "five\n"))
    assert outcome.results[0].state is CallState.DENIED


async def test_after_a_stop_a_moved_write_is_not_asked_again(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    world.bash.acts["format"] = lambda: world.write("a.txt", "top\n" + NUMBERS)

    def becomes_careful() -> None:
        world.mode = ApprovalMode.REVIEW

    world.answer(runs, first(becomes_careful, stops))
    outcome = await world.run(
        bash("1", "format"), edit("2", "a.txt", "line 1\n", "one\n"), bash("3", "make")
    )
    assert [result.state for result in outcome.results] == [
        CallState.OK,
        CallState.NOT_RUN,
        CallState.DENIED,
    ]
    assert len(world.person.asked) == 2
