"""Questions about commands: asked per call, bound to what was shown, asked again when needed."""

import asyncio
from pathlib import Path
from types import MappingProxyType
from typing import cast

import pytest

from caramelo_tui.agent.call_texts import NOT_WHAT_WAS_ALLOWED
from caramelo_tui.domain.agent_events import (
    ToolCallDecided,
)
from caramelo_tui.domain.approvals import ApprovalAnswer, ApprovalOutcome, ApprovalRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.tool_calls import CallState, CommandLine
from caramelo_tui.tools.base import ToolOutput
from tests.doubles.pipeline_worlds import (
    World,
    accepts,
    accepts_only,
    bash,
    denies,
    edit,
    edits_to,
    first,
    nobody,
    rejects,
    runs,
    stops,
    write,
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_a_command_that_the_user_allows_runs_literally(world: World) -> None:
    world.answer(runs)
    outcome = await world.run(bash("1", "echo  'a b' # x"))
    request = world.person.commands[0]
    assert request.command.command == "echo  'a b' # x"
    assert request.cwd_shown == str(world.root.resolve())
    assert request.parts[0].text == "echo  'a b' # x"
    assert request.reason == "because of bash"
    assert request.note == ""
    assert outcome.results[0].text == "ran echo  'a b' # x"
    assert world.outcomes == [ApprovalOutcome.APPROVED]


async def test_the_parts_are_explained_for_the_folder_in_which_the_command_starts(
    world: World,
) -> None:
    (world.root / "sub").mkdir()
    world.answer(runs)
    await world.run(bash("1", "rm -r ..", cwd="sub"))
    assert world.person.commands[0].parts[0].risks == ("starts in sub",)


async def test_what_the_user_writes_in_its_place_is_explained_like_any_other(
    world: World,
) -> None:
    edited = CommandLine(command="rm -r ..", cwd="sub", timeout_ms=1_000)
    (part,) = await world.pipeline.explain_command(edited)
    assert (part.text, part.risks) == ("rm -r ..", ("starts in sub",))


async def test_a_denied_command_carries_the_remark_and_the_run_goes_on(world: World) -> None:
    world.answer(denies("use the test script instead"), runs)
    outcome = await world.run(bash("1", "make test"), bash("2", "ls"))
    assert outcome.results[0].state is CallState.DENIED
    assert outcome.results[0].is_error
    assert "denied by the user" in outcome.results[0].text
    assert "use the test script instead" in outcome.results[0].text
    assert outcome.results[1].state is CallState.OK
    assert not outcome.stops_run
    assert world.bash.executed == ["ls"]


async def test_a_denial_without_a_remark_says_so_plainly(world: World) -> None:
    world.answer(denies())
    outcome = await world.run(bash("1", "ls"))
    assert outcome.results[0].text == "denied by the user; nothing was run."


async def test_commands_are_asked_one_by_one_in_order_before_any_runs(world: World) -> None:
    world.answer(first(lambda: seen.append(list(world.bash.executed)), runs), runs)
    seen: list[list[str]] = []
    await world.run(bash("1", "a"), bash("2", "b"))
    assert [request.command.command for request in world.person.commands] == ["a", "b"]
    assert seen == [[]]
    assert world.bash.executed == ["a", "b"]


async def test_stop_at_the_second_of_three_answers_all_and_runs_the_first(world: World) -> None:
    world.answer(runs, stops)
    outcome = await world.run(bash("1", "alpha"), bash("2", "bravo"), bash("3", "charlie"))
    assert outcome.stops_run
    states = [result.state for result in outcome.results]
    assert states == [CallState.OK, CallState.DENIED, CallState.NOT_RUN]
    assert [result.is_error for result in outcome.results] == [False, True, True]
    assert world.bash.executed == ["alpha"]
    assert len(world.person.asked) == 2
    assert world.outcomes == [ApprovalOutcome.APPROVED, ApprovalOutcome.STOPPED]


async def test_writes_before_a_stop_are_not_reviewed_and_commands_on_them_not_run(
    world: World,
) -> None:
    world.answer(runs, stops)
    outcome = await world.run(write("1", "a.txt", "x\n"), bash("2", "cat a.txt"), bash("3", "b"))
    states = [result.state for result in outcome.results]
    assert states == [CallState.NOT_RUN, CallState.NOT_RUN, CallState.DENIED]
    assert "stopped the run before this change was reviewed" in outcome.results[0].text
    assert world.bash.executed == []
    assert world.text("a.txt") is None


async def test_a_withdrawn_question_is_no_approval(world: World) -> None:
    task = asyncio.create_task(world.run(bash("1", "ls"), bash("2", "pwd")))
    request = await world.wait_for_question()
    assert world.broker.withdraw(request.id)
    second = await world.wait_for_question(2)
    world.broker.withdraw(second.id)
    outcome = await task
    assert [result.state for result in outcome.results] == [CallState.CANCELLED] * 2
    assert world.bash.executed == []


async def test_an_answer_after_the_first_changes_nothing(world: World) -> None:
    world.answer(runs)
    await world.run(bash("1", "ls"))
    assert not world.settle(world.person.asked[0], denies())


async def test_an_edited_command_runs_instead_and_the_model_is_told(world: World) -> None:
    world.answer(edits_to("echo changed-by-user"))
    outcome = await world.run(bash("1", "echo original"))
    assert world.bash.executed == ["echo changed-by-user"]
    assert outcome.results[0].text.startswith(
        "The user edited the command before it ran. What ran:\necho changed-by-user\n\n"
    )
    assert not outcome.results[0].is_error
    assert [event.summary for event in world.of(ToolCallDecided)] == [
        "echo original",
        "echo changed-by-user",
    ]
    assert world.outcomes == [ApprovalOutcome.EDITED]


async def test_an_edited_command_is_decided_again(world: World) -> None:
    world.policy.denied.add("sudo touch ran.txt")
    world.answer(edits_to("sudo touch ran.txt"))
    outcome = await world.run(bash("1", "echo ok"))
    assert outcome.results[0].state is CallState.DENIED
    assert "sudo touch ran.txt is forbidden" in outcome.results[0].text
    assert "The user had edited the command to:\nsudo touch ran.txt" in outcome.results[0].text
    assert world.bash.executed == []


async def test_an_edited_command_is_validated_again(world: World) -> None:
    world.answer(edits_to(""))
    outcome = await world.run(bash("1", "echo ok"))
    assert outcome.results[0].is_error
    assert "edited one cannot be run" in outcome.results[0].text
    assert world.bash.executed == []


async def test_an_edit_that_changes_nothing_is_a_plain_yes(world: World) -> None:
    world.answer(edits_to("echo ok"))
    outcome = await world.run(bash("1", "echo ok"))
    assert outcome.results[0].text == "ran echo ok"


async def test_a_command_that_fails_is_an_error_with_its_exit_code(world: World) -> None:
    world.bash.outputs["false"] = ToolOutput(text="exit_code: 1", is_error=True, exit_code=1)
    world.answer(runs)
    outcome = await world.run(bash("1", "false"))
    assert outcome.results[0].state is CallState.ERROR
    assert outcome.results[0].exit_code == 1


async def test_without_anybody_to_ask_a_command_is_refused_and_counted(world: World) -> None:
    world.answer(nobody)
    outcome = await world.run(bash("1", "ls"))
    assert outcome.results[0].state is CallState.DENIED
    assert "nobody is here" in outcome.results[0].text
    assert outcome.refused_calls == 1
    assert world.outcomes == [ApprovalOutcome.DENIED]


async def test_a_command_whose_folder_moved_since_the_yes_is_asked_again(world: World) -> None:
    for name in ("one", "two"):
        (world.root / name).mkdir()
    link = world.root / "here"
    link.symlink_to("one")

    def turn_link() -> None:
        link.unlink()
        link.symlink_to("two")

    world.answer(first(turn_link, runs), denies())
    outcome = await world.run(bash("1", "make", cwd="here"))
    assert [request.command.cwd for request in world.person.commands] == ["one", "two"]
    assert "has changed since it was allowed" in world.person.commands[1].note
    assert outcome.results[0].state is CallState.DENIED
    assert world.bash.executed == []


async def test_a_command_that_moves_again_is_refused(world: World) -> None:
    for name in ("one", "two", "three"):
        (world.root / name).mkdir()
    link = world.root / "here"
    link.symlink_to("one")

    def turn_link_to(name: str) -> None:
        link.unlink()
        link.symlink_to(name)

    world.answer(
        first(lambda: turn_link_to("two"), runs), first(lambda: turn_link_to("three"), runs)
    )
    outcome = await world.run(bash("1", "make", cwd="here"))
    assert "not what was allowed" in outcome.results[0].text
    assert world.bash.executed == []


async def test_arguments_cannot_be_changed_after_they_were_shown(world: World) -> None:
    def change() -> None:
        cast("dict[str, str]", world.policy.decided[0].arguments)["command"] = "echo evil"

    def change_and_allow(request: ApprovalRequest) -> ApprovalAnswer:
        with pytest.raises(TypeError):
            change()
        return runs(request)

    world.answer(change_and_allow)
    await world.run(bash("1", "echo safe"))
    assert world.bash.executed == ["echo safe"]


async def test_what_was_changed_behind_its_question_does_not_run(world: World) -> None:
    def change_and_allow(request: ApprovalRequest) -> ApprovalAnswer:
        evil = MappingProxyType({"command": "echo evil"})
        # What is frozen can only be changed past Python's own rules.
        object.__setattr__(world.policy.decided[0], "arguments", evil)
        return runs(request)

    world.answer(change_and_allow)
    outcome = await world.run(bash("1", "echo safe"))
    assert world.bash.executed == []
    assert outcome.results[0].text == NOT_WHAT_WAS_ALLOWED


# commands behind writes


async def test_a_command_behind_a_rejected_write_is_asked_again(world: World) -> None:
    world.answer(runs, rejects, denies())
    outcome = await world.run(write("1", "w.txt", "x\n"), bash("2", "echo after-write"))
    assert [type(request).__name__ for request in world.person.asked] == [
        "CommandRequest",
        "ReviewRequest",
        "CommandRequest",
    ]
    assert "w.txt" in world.person.commands[1].note
    assert [result.state for result in outcome.results] == [CallState.REJECTED, CallState.DENIED]
    assert world.executed == []
    assert world.text("w.txt") is None


async def test_a_command_is_asked_again_before_anything_is_written(world: World) -> None:
    seen: list[str | None] = []
    world.answer(
        runs, accepts_only("+-"), first(lambda: seen.append(world.text("v.txt")), denies())
    )
    await world.run(write("1", "v.txt", "v\n"), write("2", "w.txt", "w\n"), bash("3", "make"))
    assert seen == [None]
    assert world.text("v.txt") == "v\n"


async def test_a_command_behind_a_partly_rejected_write_is_asked_again(world: World) -> None:
    world.write("a.txt", "1\n2\n3\n4\n5\n6\n")
    world.answer(runs, accepts_only("+-"), runs)
    outcome = await world.run(
        write("1", "a.txt", "one\n2\n3\n4\n5\nsix\n", overwrite=True), bash("2", "make")
    )
    assert len(world.person.commands) == 2
    assert world.bash.executed == ["make"]
    assert outcome.results[0].text.startswith("partially applied: 1 of 2 hunks")


async def test_a_command_behind_an_accepted_write_is_asked_once(world: World) -> None:
    world.answer(runs, accepts)
    await world.run(write("1", "w.txt", "x\n"), bash("2", "make"))
    assert len(world.person.asked) == 2
    assert world.executed == ["1", "2"]


async def test_a_command_before_a_rejected_write_is_not_asked_again(world: World) -> None:
    world.answer(runs, rejects)
    await world.run(bash("1", "make"), write("2", "w.txt", "x\n"))
    assert len(world.person.asked) == 2
    assert world.bash.executed == ["make"]


async def test_a_command_behind_a_write_that_failed_on_disk_is_asked_again(world: World) -> None:
    def take_place() -> None:
        (world.root / "w.txt").mkdir()

    world.mode = ApprovalMode.AUTO
    world.bash.acts["first"] = take_place
    world.answer(runs, runs, denies())
    outcome = await world.run(bash("1", "first"), write("2", "w.txt", "x\n"), bash("3", "second"))
    assert [result.state for result in outcome.results] == [
        CallState.OK,
        CallState.ERROR,
        CallState.DENIED,
    ]
    assert "w.txt" in world.person.commands[2].note
    assert world.bash.executed == ["first"]


async def test_the_first_question_tells_of_a_write_that_could_not_be_made(world: World) -> None:
    world.answer(denies())
    await world.run(edit("1", "missing.txt", "a", "b"), bash("2", "git commit -am x"))
    assert "file_edit" in world.person.commands[0].note
    assert len(world.person.commands) == 1


async def test_stop_at_the_second_asking_runs_nothing_behind_it(world: World) -> None:
    world.answer(runs, runs, rejects, stops)
    outcome = await world.run(write("1", "w.txt", "x\n"), bash("2", "a"), bash("3", "b"))
    assert [result.state for result in outcome.results] == [
        CallState.REJECTED,
        CallState.DENIED,
        CallState.NOT_RUN,
    ]
    assert outcome.stops_run
    assert world.executed == []
