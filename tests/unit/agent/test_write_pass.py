"""Reviews of a turn's writes, and what is on disk afterwards: exactly the accepted hunks."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from caramelo_tui.agent.call_records import CallRecord
from caramelo_tui.agent.turn_record import Turn
from caramelo_tui.domain.agent_events import FilesChanged, ToolCallFinished
from caramelo_tui.domain.approvals import ApprovalOutcome, Remark, ReviewRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.workspace.file_io import WriteStep
from tests.doubles.pipeline_worlds import (
    World,
    accepts,
    accepts_only,
    bash,
    cancelled,
    denies,
    edit,
    first,
    look,
    nobody,
    read,
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


def changed(*numbers: int, word: str = "new") -> str:
    return "".join(
        f"{word} {number}\n" if number in numbers else f"line {number}\n" for number in range(1, 13)
    )


def states(world: World) -> list[CallState]:
    return [event.result.state for event in world.of(ToolCallFinished)]


# one review per turn


async def test_all_writes_of_a_turn_come_as_one_review_after_the_commands(world: World) -> None:
    world.answer(runs, accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"), bash("2", "make"), write("3", "b.txt", "x\n")
    )
    review = world.person.reviews[0]
    assert [write.call_id for write in review.writes] == ["1", "3"]
    assert len(world.person.asked) == 2
    assert isinstance(world.person.asked[1], ReviewRequest)
    assert [result.state for result in outcome.results] == [CallState.OK] * 3
    assert world.executed == ["1", "2", "3"]


async def test_nothing_is_written_before_the_review_is_settled(world: World) -> None:
    seen: list[str | None] = []
    world.answer(first(lambda: seen.append(world.text("b.txt")), accepts))
    await world.run(write("1", "b.txt", "x\n"))
    assert seen == [None]
    assert world.text("b.txt") == "x\n"


async def test_mode_each_reviews_every_write_by_itself(world: World) -> None:
    world.mode = ApprovalMode.EACH
    world.answer(accepts, rejects, accepts)
    await world.run(
        write("1", "b.txt", "b\n"), write("2", "c.txt", "c\n"), write("3", "d.txt", "d\n")
    )
    asked = [[write.call_id for write in review.writes] for review in world.person.reviews]
    assert asked == [["1"], ["2"], ["3"]]
    assert [world.text(name) for name in ("b.txt", "c.txt", "d.txt")] == ["b\n", None, "d\n"]


async def test_mode_auto_writes_unasked(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert world.person.asked == []
    assert outcome.results[0].state is CallState.OK
    changes = world.finished["1"].changes
    assert changes is not None
    assert changes.files[0].added_lines == 1


async def test_mode_auto_asks_only_what_the_policy_asks_for(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    world.policy.asked_paths.add("package.json")
    world.answer(rejects)
    outcome = await world.run(write("1", "b.txt", "x\n"), write("2", "package.json", "{}\n"))
    writes = world.person.reviews[0].writes
    assert [write.call_id for write in writes] == ["2"]
    assert writes[0].warning == "because of protected_path"
    assert [result.state for result in outcome.results] == [CallState.OK, CallState.REJECTED]


async def test_a_change_of_nothing_is_a_success_that_is_not_asked(world: World) -> None:
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "line 1\n"))
    assert world.person.asked == []
    assert outcome.results[0].state is CallState.OK
    assert "nothing changed" in outcome.results[0].text
    assert world.finished["1"].changes is None


async def test_a_new_empty_file_can_be_rejected(world: World) -> None:
    world.answer(rejects, accepts)
    await world.run(write("1", "b.txt", ""))
    assert world.text("b.txt") is None
    await world.run(write("2", "b.txt", ""))
    assert world.text("b.txt") == ""


# partial acceptance


async def test_exactly_the_accepted_hunks_are_written(world: World) -> None:
    world.answer(accepts_only("+-"))
    outcome = await world.run(write("1", "a.txt", changed(2, 10), overwrite=True))
    assert world.text("a.txt") == changed(2)
    result = outcome.results[0]
    assert not result.is_error
    assert result.text.startswith("partially applied: 1 of 2 hunks")
    changes = world.finished["1"].changes
    assert changes is not None
    assert [len(changes.files[0].applied), len(changes.files[0].rejected)] == [1, 1]
    assert changes.files[0].after == changed(2).encode()
    assert world.outcomes == [ApprovalOutcome.PARTLY]


async def test_a_rejection_says_so_with_the_remarks_and_the_run_goes_on(world: World) -> None:
    remark = Remark(path="a.txt", text="keep the old name", line=1)
    world.answer(accepts_only("-", remarks=[remark]))
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "one\n"), look("2", "x"))
    result = outcome.results[0]
    assert result.is_error
    assert result.state is CallState.REJECTED
    assert "rejected by the user" in result.text
    assert "keep the old name" in result.text
    assert outcome.results[1].state is CallState.OK
    assert not outcome.stops_run
    assert world.text("a.txt") == NUMBERS
    assert world.finished["1"].changes is None


async def test_hunks_that_the_answer_does_not_name_are_rejected(world: World) -> None:
    world.answer(rejects)
    outcome = await world.run(write("1", "b.txt", "x\n"))
    assert outcome.results[0].state is CallState.REJECTED
    assert world.text("b.txt") is None
    assert list(world.root.iterdir()) == [world.root / "a.txt"]


async def test_stop_in_a_review_writes_nothing_and_ends_the_run(world: World) -> None:
    world.answer(runs, stops)
    outcome = await world.run(
        bash("1", "make"), write("2", "b.txt", "x\n"), look("3", "a"), write("4", "c.txt", "y\n")
    )
    assert outcome.stops_run
    assert [result.state for result in outcome.results] == [
        CallState.OK,
        CallState.DENIED,
        CallState.NOT_RUN,
        CallState.DENIED,
    ]
    assert world.text("b.txt") is None


async def test_stop_in_mode_each_asks_no_further_review(world: World) -> None:
    world.mode = ApprovalMode.EACH
    world.answer(accepts, stops)
    outcome = await world.run(
        write("1", "b.txt", "b\n"), write("2", "c.txt", "c\n"), write("3", "d.txt", "d\n")
    )
    assert [result.state for result in outcome.results] == [
        CallState.OK,
        CallState.DENIED,
        CallState.NOT_RUN,
    ]
    assert world.text("b.txt") == "b\n"
    assert len(world.person.asked) == 2


async def test_without_anybody_to_ask_all_writes_are_refused_and_counted(world: World) -> None:
    world.answer(nobody)
    outcome = await world.run(write("1", "b.txt", "x\n"), write("2", "c.txt", "y\n"))
    assert outcome.refused_calls == 2
    assert [result.state for result in outcome.results] == [CallState.DENIED] * 2
    assert "nobody is here" in outcome.results[0].text


async def test_a_withdrawn_review_applies_nothing(world: World) -> None:
    task = asyncio.create_task(world.run(write("1", "b.txt", "x\n")))
    await world.wait_for_question()
    world.broker.withdraw_all()
    outcome = await task
    assert outcome.results[0].text == "interrupted, not applied"
    assert outcome.results[0].state is CallState.CANCELLED
    assert world.text("b.txt") is None


# several writes to one file


async def test_a_second_edit_stands_on_the_first_and_the_file_is_written_once(
    world: World,
) -> None:
    world.answer(accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "two\n"), edit("2", "a.txt", "two\n", "three\n")
    )
    assert [result.state for result in outcome.results] == [CallState.OK, CallState.OK]
    assert world.text("a.txt") == NUMBERS.replace("line 1\n", "three\n")
    assert len(world.of(FilesChanged)) == 1
    assert [entry.call_id for entry in world.journal.entries()] == ["1", "2"]
    second = world.finished["2"].changes
    assert second is not None
    assert second.files[0].before == NUMBERS.replace("line 1\n", "two\n").encode()


async def test_two_new_files_of_one_name_the_first_wins_the_second_is_told(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    outcome = await world.run(write("1", "dup.txt", "one"), write("2", "dup.txt", "two"))
    assert [result.is_error for result in outcome.results] == [False, True]
    assert "file_edit" in outcome.results[1].text
    assert world.text("dup.txt") == "one"


async def test_an_edit_whose_text_came_from_a_rejected_hunk_depends_on_it(world: World) -> None:
    remark = Remark(path="a.txt", text="why three?", line=3)
    world.answer(accepts_only("-+", remarks=[remark]))
    outcome = await world.run(
        edit("1", "a.txt", "line 3\n", "two\n"), edit("2", "a.txt", "two\n", "three\n")
    )
    assert [result.state for result in outcome.results] == [CallState.REJECTED] * 2
    assert "depends on a rejected hunk" in outcome.results[1].text
    assert "why three?" in outcome.results[0].text
    assert world.text("a.txt") == NUMBERS


async def test_a_dependent_write_still_carries_its_remark(world: World) -> None:
    remark = Remark(path="a.txt", text="general", line=99)
    world.answer(accepts_only("-+", remarks=[remark, Remark(path="a.txt", text="on 3", line=3)]))
    world.policy.asked_paths.add("a.txt")
    outcome = await world.run(
        edit("1", "a.txt", "line 2\n", "two\n"), edit("2", "a.txt", "two\nline 3\n", "two\n3\n")
    )
    assert "general" in outcome.results[0].text
    assert "on 3" in outcome.results[1].text
    assert "depends on a rejected hunk" in outcome.results[1].text


async def test_an_independent_later_edit_is_applied_without_the_rejected_one(
    world: World,
) -> None:
    world.answer(accepts_only("-+"))
    outcome = await world.run(
        edit("1", "a.txt", "line 2\n", "line 2\nline 2b\nline 2c\n"),
        edit("2", "a.txt", "line 9\n", "nine\n"),
    )
    assert world.text("a.txt") == NUMBERS.replace("line 9\n", "nine\n")
    assert "line 9" in outcome.results[1].text
    assert len(world.person.reviews) == 1


async def test_a_later_edit_that_would_look_different_is_shown_again(world: World) -> None:
    world.answer(accepts_only("-+"), accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 2\n", "LINE 2\n"), edit("2", "a.txt", " 2\n", " two\n")
    )
    again = world.person.reviews[1]
    assert [write.call_id for write in again.writes] == ["2"]
    assert again.note == "made again on what was accepted of the changes before it"
    assert again.writes[0].proposal.hunks[0].new_lines == ("line two\n",)
    assert outcome.results[1].state is CallState.OK
    assert world.text("a.txt") == NUMBERS.replace("line 2\n", "line two\n")


async def test_an_overwrite_never_brings_back_a_rejected_hunk(world: World) -> None:
    world.answer(accepts_only("-+"), accepts_only("-+"))
    await world.run(
        edit("1", "a.txt", "line 2\n", "new 2\n"),
        write("2", "a.txt", changed(2, 10), overwrite=True),
    )
    # The overwrite holds the rejected line too: it is shown again, with both hunks.
    assert len(world.person.reviews[1].writes[0].proposal.hunks) == 2
    assert world.text("a.txt") == changed(10)


async def test_an_edit_of_a_rejected_new_file_depends_on_it(world: World) -> None:
    world.answer(accepts_only("-+"))
    outcome = await world.run(write("1", "b.txt", "x\n"), edit("2", "b.txt", "x", "y"))
    assert "depends on a rejected hunk" in outcome.results[1].text
    assert world.text("b.txt") is None


async def test_in_mode_each_a_later_edit_is_made_on_what_was_accepted(world: World) -> None:
    world.mode = ApprovalMode.EACH
    world.answer(rejects, accepts)
    await world.run(
        edit("1", "a.txt", "line 2\n", "LINE 2\n"), edit("2", "a.txt", " 2\n", " two\n")
    )
    second = world.person.reviews[1].writes[0].proposal
    assert second.hunks[0].old_lines == ("line 2\n",)
    assert world.text("a.txt") == NUMBERS.replace("line 2\n", "line two\n")


async def test_in_mode_each_an_edit_without_its_ground_is_not_even_asked(world: World) -> None:
    world.mode = ApprovalMode.EACH
    world.answer(rejects)
    outcome = await world.run(
        edit("1", "a.txt", "line 2\n", "two\n"), edit("2", "a.txt", "two\n", "three\n")
    )
    assert len(world.person.asked) == 1
    assert outcome.results[1].state is CallState.REJECTED
    assert "depends on a rejected hunk" in outcome.results[1].text


async def test_writes_with_a_read_between_them_are_written_apart(world: World) -> None:
    world.answer(accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"),
        read("2", "a.txt"),
        edit("3", "a.txt", "one\n", "ein\n"),
    )
    assert "one\n" in outcome.results[1].text
    assert len(world.of(FilesChanged)) == 2
    assert world.text("a.txt") == NUMBERS.replace("line 1\n", "ein\n")


async def test_a_refused_command_between_does_not_part_the_writes(world: World) -> None:
    world.answer(denies(), accepts)
    await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"),
        bash("2", "make"),
        edit("3", "a.txt", "one\n", "ein\n"),
    )
    assert len(world.of(FilesChanged)) == 1


async def test_results_keep_their_order_though_a_file_is_written_once(world: World) -> None:
    world.answer(accepts)
    await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"),
        write("2", "b.txt", "x\n"),
        edit("3", "a.txt", "line 2\n", "two\n"),
    )
    assert [event.call_id for event in world.of(ToolCallFinished)] == ["1", "2", "3"]
    assert world.executed == ["1", "3", "2"]
    assert [event.changes[0].path for event in world.of(FilesChanged)] == ["a.txt", "b.txt"]
    assert world.finished["3"].duration_ms < 4000


async def test_changes_that_cancel_out_write_nothing(world: World) -> None:
    before = os.stat(world.root / "a.txt").st_ino  # noqa: PTH116 - the inode tells a rewrite
    world.answer(accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"), edit("2", "a.txt", "one\n", "line 1\n")
    )
    assert [result.state for result in outcome.results] == [CallState.OK] * 2
    assert (world.root / "a.txt").stat().st_ino == before
    assert world.executed == []


# hard links, failures, interrupts


async def test_a_file_with_several_names_says_so_in_the_review(world: World) -> None:
    os.link(world.root / "a.txt", world.root / "b.txt")
    world.answer(accepts)
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    warning = world.person.reviews[0].writes[0].warning
    assert warning == "the file has 2 names; the others keep the old content"
    assert world.text("b.txt") == NUMBERS


async def test_a_failing_disk_leaves_the_file_and_tells_both_calls(world: World) -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    world.faults.acts.append((WriteStep.WRITE, fail))
    world.answer(accepts)
    outcome = await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"), edit("2", "a.txt", "line 2\n", "two\n")
    )
    assert [result.state for result in outcome.results] == [CallState.ERROR] * 2
    assert "No space left" in outcome.results[0].text
    assert world.text("a.txt") == NUMBERS
    assert world.of(FilesChanged) == []
    # What did not happen cannot be undone.
    assert world.journal.entries() == ()


async def test_without_a_kept_before_image_nothing_is_written(world: World) -> None:
    folder = world.root.parent / "journal"
    folder.write_text("a file where the journal wants a folder")
    world.answer(accepts)
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert outcome.results[0].is_error
    assert outcome.results[0].text.startswith("a.txt: nothing was written, since the copy")
    assert str(folder) not in outcome.results[0].text
    assert world.text("a.txt") == NUMBERS


async def test_the_before_image_is_kept_before_the_write(world: World) -> None:
    kept: list[int] = []
    world.faults.acts.append((WriteStep.WRITE, lambda: kept.append(len(world.journal.entries()))))
    world.answer(accepts)
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert kept == [1]
    entry = world.journal.entries()[0]
    assert (entry.run_id, entry.turn_id, entry.call_id) == ("run-1", "turn-1", "1")
    assert world.journal.blob(str(entry.before_hash)) == NUMBERS.encode()


async def test_calls_typed_by_hand_are_journaled_too(world: World) -> None:
    world.events.end_run()
    world.mode = ApprovalMode.AUTO
    await world.run(write("1", "b.txt", "x\n"))
    assert world.journal.entries()[0].run_id == "by-hand"


async def test_an_interrupt_during_a_write_finishes_it_and_says_so(world: World) -> None:
    tasks: list[asyncio.Task[object]] = []
    loop = asyncio.get_running_loop()
    interrupted = asyncio.Event()

    def interrupt() -> None:
        tasks[0].cancel()
        interrupted.set()

    def wait_for_interrupt() -> None:
        loop.call_soon_threadsafe(interrupt)
        asyncio.run_coroutine_threadsafe(interrupted.wait(), loop).result()

    world.faults.acts.append((WriteStep.RENAME, wait_for_interrupt))
    world.answer(accepts)
    task = asyncio.create_task(
        world.run(
            edit("1", "a.txt", "line 1\n", "one\n"),
            write("2", "b.txt", "x\n"),
            edit("3", "a.txt", "line 2\n", "two\n"),
        )
    )
    tasks.append(task)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.text("a.txt") == NUMBERS.replace("line 1\n", "one\n").replace("line 2\n", "two\n")
    assert world.text("b.txt") is None
    finished = world.finished
    assert finished["1"].result.state is CallState.OK
    assert finished["2"].result.text == "interrupted, not applied"
    assert finished["3"].result.state is CallState.OK


async def test_an_interrupt_between_writes_says_what_was_applied(world: World) -> None:
    world.look.waits["x"] = asyncio.Event()
    world.answer(accepts)
    task = asyncio.create_task(
        world.run(write("1", "b.txt", "x\n"), look("2", "x"), write("3", "c.txt", "y\n"))
    )
    await world.look.begun.wait()
    assert await cancelled(task)
    assert states(world) == [CallState.OK, CallState.CANCELLED, CallState.CANCELLED]
    assert [world.text("b.txt"), world.text("c.txt")] == ["x\n", None]


async def test_a_write_without_its_permission_is_not_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A fault of ours that loses or swaps the permission after the answer must not write.
    real = world.pipeline._writes._write

    async def lose_permission(turn: Turn, left: Sequence[CallRecord]) -> None:
        left[0].permission = "of something else"
        await real(turn, left)

    monkeypatch.setattr(world.pipeline._writes, "_write", lose_permission)
    world.answer(accepts)
    outcome = await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert "not what was allowed" in outcome.results[0].text
    assert world.text("a.txt") == NUMBERS


async def test_cancelling_an_unknown_call_is_said(world: World) -> None:
    assert not world.pipeline.cancel_call(CallId("nothing"))
