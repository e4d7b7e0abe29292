"""The two passes: every call of a turn decided, done in order, and answered once."""

import asyncio
import logging
from pathlib import Path

import pytest

from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    FilesChanged,
    NoticeRaised,
    ToolCallFinished,
    ToolCallStarted,
    ToolOutputStreamed,
)
from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolCall
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.pipeline_worlds import (
    World,
    accepts,
    accepts_only,
    bash,
    call,
    cancelled,
    edit,
    first,
    look,
    read,
    rejects,
    runs,
    write,
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def kinds(events: tuple[AgentEvent, ...], call_id: str) -> list[str]:
    return [type(event).__name__ for event in events if getattr(event, "call_id", None) == call_id]


# look up, validate, prepare


async def test_an_unknown_tool_is_an_error_that_lists_the_offered_ones(world: World) -> None:
    outcome = await world.run(call("1", "rm_everything"))
    result = outcome.results[0]
    assert result.is_error
    assert result.state is CallState.ERROR
    assert "rm_everything" in result.text
    assert "file_read, file_edit, file_write, bash" in result.text
    assert world.person.asked == []


async def test_invalid_arguments_are_an_error_and_nobody_is_asked(world: World) -> None:
    outcome = await world.run(call("1", "bash", command=7, what=1))
    assert outcome.results[0].is_error
    assert "command" in outcome.results[0].text
    assert "what" in outcome.results[0].text
    assert world.person.asked == []
    assert world.executed == []


async def test_the_loop_goes_on_while_long_arguments_are_checked(world: World) -> None:
    turns_of_loop = 0

    async def tick() -> None:
        nonlocal turns_of_loop
        while True:
            await asyncio.sleep(0)
            turns_of_loop += 1

    ticking = asyncio.create_task(tick())
    many = {f"a_field_that_nobody_knows_{number}": number for number in range(2_000)}
    outcome = await world.run(call("1", "bash", command="ls", **many))
    ticking.cancel()
    assert "_1999` is an unknown field" in outcome.results[0].text
    assert turns_of_loop > 0


async def test_unusable_argument_texts_are_counted_in_a_row_over_turns(world: World) -> None:
    broken = [ToolCall(id=CallId(str(n)), name="bash", arguments_json="{oops") for n in range(2)]
    assert (await world.run(*broken)).invalid_argument_calls == 2
    again = ToolCall(id=CallId("3"), name="look", arguments_json='["a"]')
    outcome = await world.run(again)
    assert outcome.invalid_argument_calls == 3
    assert outcome.has_invalid_arguments
    # Wrong by the schema only: the model can form JSON, so the row is broken.
    outcome = await world.run(call("4", "look", path=1))
    assert outcome.invalid_argument_calls == 0
    assert not outcome.has_invalid_arguments
    duplicate = ToolCall(id=CallId("5"), name="look", arguments_json='{"path":"a","path":"b"}')
    assert (await world.run(duplicate)).invalid_argument_calls == 1
    assert (await world.run(look("6", "a"))).invalid_argument_calls == 0


async def test_an_unknown_tool_breaks_the_row_of_unusable_arguments(world: World) -> None:
    broken = ToolCall(id=CallId("1"), name="bash", arguments_json="{oops")
    assert (await world.run(broken)).has_invalid_arguments
    assert not (await world.run(call("2", "no_such_tool", path="a"))).has_invalid_arguments
    nonsense = ToolCall(id=CallId("3"), name="no_such_tool", arguments_json="{oops")
    assert (await world.run(nonsense)).has_invalid_arguments


async def test_a_proposal_that_cannot_be_made_is_an_error_and_the_rest_goes_on(
    world: World,
) -> None:
    world.write("a.txt", "one\n")
    world.answer(accepts)
    outcome = await world.run(edit("1", "a.txt", "nope", "x"), edit("2", "a.txt", "one", "two"))
    assert [result.state for result in outcome.results] == [CallState.ERROR, CallState.OK]
    assert "did not match" in outcome.results[0].text
    assert world.text("a.txt") == "two\n"


async def test_a_path_outside_is_an_error_and_a_notice(world: World) -> None:
    outcome = await world.run(read("1", "../secret"))
    assert outcome.results[0].is_error
    assert "../secret" in outcome.results[0].text
    assert [notice.text for notice in world.of(NoticeRaised)] == [outcome.results[0].text]


# events and results


async def test_all_calls_start_at_once_and_end_once_in_order(world: World) -> None:
    world.answer(runs, runs)
    outcome = await world.run(bash("1", "a"), look("2", "x"), bash("3", "b"))
    names = [type(event).__name__ for event in world.events.events]
    assert names[:3] == ["ToolCallStarted"] * 3
    assert [event.call_id for event in world.of(ToolCallFinished)] == ["1", "2", "3"]
    assert [result.call_id for result in outcome.results] == ["1", "2", "3"]
    assert kinds(world.events.events, "1") == [
        "ToolCallStarted",
        "ToolCallDecided",
        "ToolExecutionStarted",
        "ToolOutputStreamed",
        "ToolCallFinished",
    ]


async def test_the_row_says_what_a_call_is_about_before_it_is_validated(world: World) -> None:
    await world.run(
        call("1", "nothing", command="\n make test\nrest"),
        call("2", "nothing", path=3),
        ToolCall(id=CallId("3"), name="nothing", arguments_json="{"),
        ToolCall(id=CallId("4"), name="nothing", arguments_json="[1]"),
        ToolCall(id=CallId("5"), name="nothing", arguments_json=""),
        call("6", "nothing", action="create", name="topic"),
        call("7", "nothing", message="Add a row\n\nBecause."),
    )
    said = [event.summary for event in world.of(ToolCallStarted)]
    assert said == ["make test", "", "", "", "", "topic", "Add a row"]


async def test_a_run_call_reports_its_duration_and_live_output(world: World) -> None:
    world.answer(runs)
    await world.run(bash("1", "make"))
    assert world.finished["1"].duration_ms == 1000
    assert [(event.call_id, event.text) for event in world.of(ToolOutputStreamed)] == [
        ("1", "make runs\n")
    ]


async def test_refused_calls_report_no_duration(world: World) -> None:
    await world.run(call("1", "unknown"))
    assert world.finished["1"].duration_ms == 0


async def test_a_result_is_cut_at_the_common_limit(world: World) -> None:
    world.look.outputs["big"] = ToolOutput(text="x" * 300_000)
    outcome = await world.run(look("1", "big"))
    assert len(outcome.results[0].text.encode()) <= 262_144
    assert outcome.results[0].is_truncated


async def test_a_result_can_always_be_sent_as_utf_8(world: World) -> None:
    world.look.outputs["odd"] = ToolOutput(text="a\udc80b")
    outcome = await world.run(look("1", "odd"))
    assert outcome.results[0].text == "a\\udc80b"


async def test_the_model_knows_what_it_read_and_wrote(world: World) -> None:
    world.write("a.txt", "one\n")
    world.answer(accepts)
    await world.run(read("1", "a.txt"), read("2", "missing.txt"), write("3", "new.txt", "x\n"))
    stamp = FileStore(Sandbox(world.root)).stamp
    assert world.known == {"a.txt": stamp("a.txt"), "new.txt": stamp("new.txt")}


async def test_a_change_between_a_read_and_the_end_of_its_turn_is_told(world: World) -> None:
    world.write("a.txt", "one\n")
    outside = OutsideChanges(FileStore(Sandbox(world.root)).stamp)

    def change() -> None:
        world.write("a.txt", "two\n")
        outside.add([FileChange(path="a.txt", kind=ChangeKind.MODIFIED)])

    world.answer(first(change, runs))
    await world.run(read("1", "a.txt"), bash("2", "ls"))
    outside.remember(world.known)
    note = outside.take_note()
    assert note is not None
    assert "a.txt: changed" in note.text


async def test_what_was_read_before_an_interrupt_is_known(world: World) -> None:
    world.write("a.txt", "one\n")
    task = asyncio.create_task(world.run(read("1", "a.txt"), bash("2", "ls")))
    await world.wait_for_question()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(world.known) == {"a.txt"}


async def test_what_a_command_changed_before_the_read_is_not_told_late(world: World) -> None:
    world.write("a.txt", "one\n")
    outside = OutsideChanges(FileStore(Sandbox(world.root)).stamp)
    world.bash.acts["fmt"] = lambda: world.write("a.txt", "two\n")
    world.answer(runs)
    await world.run(bash("1", "fmt"), read("2", "a.txt"))
    outside.add([FileChange(path="a.txt", kind=ChangeKind.MODIFIED)])
    outside.remember(world.known)
    assert outside.take_note() is None


async def test_our_own_write_is_known_as_it_was_left(world: World) -> None:
    world.write("a.txt", "one\n")
    outside = OutsideChanges(FileStore(Sandbox(world.root)).stamp)
    world.answer(accepts)
    await world.run(read("1", "a.txt"), edit("2", "a.txt", "one", "two"))
    outside.add([FileChange(path="a.txt", kind=ChangeKind.MODIFIED)])
    outside.remember(world.known)
    assert outside.take_note() is None


async def test_a_turn_without_calls_has_no_results(world: World) -> None:
    assert (await world.run()).results == ()


# tools that fail


async def test_a_tool_that_raises_is_an_error_result_and_the_run_goes_on(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.look.failures["x"] = ZeroDivisionError("by zero")
    world.look.failures["y"] = ToolFailure("y is gone")
    world.look.failures["z"] = ValueError()
    with caplog.at_level(logging.ERROR):
        outcome = await world.run(look("1", "x"), look("2", "y"), look("3", "z"), look("4", "ok"))
    texts = [result.text for result in outcome.results]
    assert texts[0] == "the tool failed: ZeroDivisionError: by zero"
    assert texts[1] == "y is gone"
    assert texts[2] == "the tool failed: ValueError"
    assert outcome.results[3].state is CallState.OK
    assert "Traceback" not in "".join(texts)
    assert "a stage of ['look'] failed" in caplog.text


async def test_a_tool_that_fails_in_prepare_is_an_error_result(world: World) -> None:
    world.bash.prepare_failures["x"] = RuntimeError("no")
    outcome = await world.run(bash("1", "x"))
    assert outcome.results[0].text == "the tool failed: RuntimeError: no"
    assert world.person.asked == []


async def test_a_tool_that_gives_up_by_itself_is_an_error_not_an_interrupt(world: World) -> None:
    world.look.failures["x"] = asyncio.CancelledError()
    outcome = await world.run(look("1", "x"), look("2", "y"))
    assert outcome.results[0].state is CallState.ERROR
    assert "gave up" in outcome.results[0].text
    assert outcome.results[1].state is CallState.OK


# policy


async def test_a_denied_call_says_which_rule_denied_it(world: World) -> None:
    world.policy.denied.add("rm -rf /")
    outcome = await world.run(bash("1", "rm -rf /"))
    result = outcome.results[0]
    assert result.state is CallState.DENIED
    assert result.is_error
    assert "denied by the policy: rm -rf / is forbidden (rule: test; built in)" in result.text
    assert world.person.asked == []
    assert world.bash.executed == []
    assert outcome.refused_calls == 0


async def test_a_denied_write_is_no_ground_for_later_ones(world: World) -> None:
    world.write("a.txt", "one\n")
    world.policy.denied.add("a.txt")
    outcome = await world.run(edit("1", "a.txt", "one", "two"), edit("2", "a.txt", "two", "x"))
    assert outcome.results[0].state is CallState.DENIED
    assert "did not match" in outcome.results[1].text
    assert world.text("a.txt") == "one\n"


async def test_an_effect_that_cannot_be_asked_about_is_refused(world: World) -> None:
    outcome = await world.run(call("1", "fetch", command="x"))
    assert outcome.results[0].state is CallState.DENIED
    assert outcome.refused_calls == 1
    assert world.fetch.executed == []


# reads


async def test_reads_in_front_run_before_the_first_question(world: World) -> None:
    world.answer(first(lambda: seen.append(list(world.look.executed)), runs))
    seen: list[list[str]] = []
    await world.run(look("1", "a"), look("2", "b"), bash("3", "make"), look("4", "c"))
    # Neighbouring reads run side by side: which of the two begins is nobody's promise.
    assert [sorted(subjects) for subjects in seen] == [["a", "b"]]
    assert world.look.executed[2:] == ["c"]


async def test_neighbouring_reads_in_front_run_side_by_side(world: World) -> None:
    world.look.waits["a"] = asyncio.Event()
    world.look.acts["b"] = world.look.waits["a"].set
    outcome = await world.run(look("1", "a"), look("2", "b"))
    assert [result.call_id for result in outcome.results] == ["1", "2"]
    assert [event.call_id for event in world.of(ToolCallFinished)] == ["2", "1"]


async def test_a_read_behind_a_write_sees_what_was_really_written(world: World) -> None:
    world.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n")
    world.answer(accepts_only("+-"))
    outcome = await world.run(
        write("1", "a.txt", "one\n2\n3\n4\n5\n6\n7\neight\n", overwrite=True), read("2", "a.txt")
    )
    assert outcome.results[1].text.endswith("one\n2\n3\n4\n5\n6\n7\n8\n")


async def test_a_read_of_what_a_command_makes_is_prepared_at_its_place(world: World) -> None:
    world.look.prepare_failures["made"] = ToolFailure("made does not exist")
    world.bash.acts["make"] = world.look.prepare_failures.clear
    world.answer(runs)
    outcome = await world.run(bash("1", "make"), look("2", "made"))
    assert outcome.results[1].state is CallState.OK
    assert world.look.executed == ["made"]


async def test_a_read_behind_a_command_that_cannot_be_made_still_fails(world: World) -> None:
    world.look.prepare_failures["made"] = ToolFailure("made does not exist")
    world.answer(runs)
    outcome = await world.run(bash("1", "make"), look("2", "made"))
    assert outcome.results[1].text == "made does not exist"


async def test_invalid_arguments_of_a_read_behind_a_command_fail_at_once(world: World) -> None:
    world.answer(first(lambda: seen.append(set(world.finished)), runs))
    seen: list[set[str]] = []
    outcome = await world.run(bash("1", "make"), bash("2", "x", what=1), call("3", "look"))
    assert outcome.results[2].is_error
    assert "path" in outcome.results[2].text
    assert seen == [set()]


async def test_a_read_denied_at_its_place_is_not_run(world: World) -> None:
    world.look.prepare_failures["made"] = ToolFailure("made does not exist")

    def make() -> None:
        world.look.prepare_failures.clear()
        world.policy.denied.add("made")

    world.bash.acts["make"] = make
    world.answer(runs)
    outcome = await world.run(bash("1", "make"), look("2", "made"))
    assert outcome.results[1].state is CallState.DENIED
    assert world.look.executed == []


# cache


async def test_a_repeated_read_comes_from_the_cache_with_its_age(world: World) -> None:
    world.write("a.txt", "one\n")
    first_time = await world.run(read("1", "a.txt"))
    second_time = await world.run(read("2", "./a.txt"))
    assert second_time.results[0].state is CallState.OK
    assert world.finished["2"].is_cached
    assert world.finished["2"].cache_age_s > 0
    assert world.finished["2"].duration_ms == 0
    assert world.executed == ["1"]
    assert "one\n" in first_time.results[0].text
    assert "one\n" in second_time.results[0].text


async def test_a_cached_read_still_passes_the_policy(world: World) -> None:
    world.write("a.txt", "one\n")
    await world.run(read("1", "a.txt"))
    world.policy.denied.add("a.txt")
    outcome = await world.run(read("2", "a.txt"))
    assert outcome.results[0].state is CallState.DENIED
    assert "one\n" not in outcome.results[0].text


async def test_a_write_is_seen_by_the_next_read(world: World) -> None:
    world.write("a.txt", "one\n")
    world.answer(accepts)
    await world.run(read("1", "a.txt"))
    outcome = await world.run(edit("2", "a.txt", "one", "two"), read("3", "a.txt"))
    assert "two" in outcome.results[1].text
    assert not world.finished["3"].is_cached


async def test_a_write_drops_what_was_cached_of_its_file(world: World) -> None:
    world.write("a.txt", "one\n")
    world.answer(accepts)
    await world.run(read("1", "a.txt"))
    assert world.cache.counts.kept_bytes > 0
    await world.run(edit("2", "a.txt", "one", "two"))
    assert world.cache.counts.kept_bytes == 0


async def test_a_command_drops_what_was_cached_however_it_ends(world: World) -> None:
    world.write("a.txt", "one\n")
    await world.run(read("1", "a.txt"))
    world.bash.failures["make"] = RuntimeError("no")
    world.answer(runs)
    await world.run(bash("2", "make"))
    await world.run(read("3", "a.txt"))
    assert not world.finished["3"].is_cached


async def test_errors_are_not_remembered(world: World) -> None:
    await world.run(read("1", "a.txt"))
    world.write("a.txt", "born\n")
    outcome = await world.run(read("2", "a.txt"))
    assert "born" in outcome.results[0].text


# stale reviews through the watcher


async def test_a_waiting_review_is_made_again_when_its_file_moves(world: World) -> None:
    world.write("a.txt", "one\ntwo\n")
    task = asyncio.create_task(world.run(edit("1", "a.txt", "two", "zwei")))
    await world.wait_for_question()
    world.write("a.txt", "null\none\ntwo\n")
    world.pipeline.mark_stale({"a.txt", "other.txt"})
    request = await world.wait_for_question(2)
    assert "a.txt changed on disk (line 1)" in world.person.reviews[1].note
    assert world.settle(request, accepts)
    outcome = await task
    assert outcome.results[0].state is CallState.OK
    assert world.text("a.txt") == "null\none\nzwei\n"
    assert world.outcomes == [ApprovalOutcome.REPLACED, ApprovalOutcome.APPROVED]


async def test_a_file_that_was_only_touched_leaves_the_review_alone(world: World) -> None:
    world.write("a.txt", "one\n")
    task = asyncio.create_task(world.run(edit("1", "a.txt", "one", "two"), bash("2", "ls")))
    await world.wait_for_question()
    world.settle(world.person.asked[0], runs)
    request = await world.wait_for_question(2)
    world.write("a.txt", "one\n")
    world.pipeline.mark_stale({"a.txt"})
    assert world.broker.pending == (request,)
    await cancelled(task)


async def test_a_review_behind_a_rejected_one_stands_on_the_disk_as_it_is(world: World) -> None:
    world.mode = ApprovalMode.EACH
    world.write("a.txt", "one\ntwo\n")
    world.answer(first(lambda: world.write("a.txt", "null\none\ntwo\n"), rejects))
    task = asyncio.create_task(
        world.run(edit("1", "a.txt", "one", "eins"), edit("2", "a.txt", "two", "zwei"))
    )
    request = await world.wait_for_question(2)
    world.pipeline.mark_stale({"a.txt"})
    assert world.broker.pending == (request,)
    await cancelled(task)


async def test_a_file_that_can_no_longer_be_read_makes_its_review_stale(world: World) -> None:
    world.write("a.txt", "one\n")
    task = asyncio.create_task(world.run(edit("1", "a.txt", "one", "two")))
    await world.wait_for_question()
    (world.root / "a.txt").unlink()
    (world.root / "a.txt").mkdir()
    world.pipeline.mark_stale({"a.txt"})
    outcome = await task
    assert outcome.results[0].is_error
    assert "a.txt" in outcome.results[0].text


async def test_our_own_write_is_reported_as_the_agents(world: World) -> None:
    world.write("a.txt", "one\n")
    world.answer(accepts)
    await world.run(edit("1", "a.txt", "one", "two"), write("2", "b.txt", "x\n"))
    assert [(event.origin, event.changes) for event in world.of(FilesChanged)] == [
        (ChangeOrigin.AGENT, (FileChange(path="a.txt", kind=ChangeKind.MODIFIED),)),
        (ChangeOrigin.AGENT, (FileChange(path="b.txt", kind=ChangeKind.CREATED),)),
    ]
