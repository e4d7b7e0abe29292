"""I1, I2 and I7, and a disk that holds what was accepted, under any course of events."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    ApprovalSettled,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
)
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.diffs import FileDiff, Hunk
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolCall
from caramelo_tui.workspace.diffing import apply_hunks, decode, encode
from caramelo_tui.workspace.file_io import WriteStep
from tests.doubles.pipeline_worlds import (
    ScriptedPerson,
    World,
    bash,
    call,
    edit,
    look,
    read,
    write,
)

FILES = ("a.txt", "b.txt")
LINES = tuple(f"line {number}\n" for number in range(1, 9))
START = "".join(LINES)

COMMANDS = ("quiet", "writes", "fails", "interrupts")
QUESTION_ENDS = ("answer", "answer", "answer", "withdraw", "interrupt", "moves", "refuse")


@st.composite
def calls(draw: st.DrawFn, number: int) -> ToolCall:
    """Return some call of a model, sensible or not."""
    call_id = str(number)
    path = draw(st.sampled_from([*FILES, "new.txt"]))
    match draw(
        st.sampled_from(["edit", "edit", "overwrite", "create", "bash", "bash", "read", "odd"])
    ):
        case "edit":
            line = draw(st.sampled_from([*LINES, "changed\n", "twice\n"]))
            return edit(call_id, path, line, draw(st.sampled_from(["changed\n", "twice\n", ""])))
        case "overwrite":
            kept = draw(st.lists(st.sampled_from([*LINES, "changed\n"]), max_size=6))
            return write(call_id, path, "".join(kept), overwrite=True)
        case "create":
            return write(call_id, path, draw(st.sampled_from(["", "made\n"])))
        case "bash":
            return bash(call_id, draw(st.sampled_from(COMMANDS)))
        case "read":
            return draw(st.sampled_from([read(call_id, path), look(call_id, "fails")]))
        case _:
            broken = ToolCall(id=CallId(call_id), name="bash", arguments_json="{")
            odd = [broken, call(call_id, "unknown"), call(call_id, "fetch", command="x")]
            return draw(st.sampled_from(odd))


TURNS = st.integers(1, 6).flatmap(lambda count: st.tuples(*(calls(n) for n in range(count))))


@dataclass
class Answered:
    """What the person said last about each call."""

    literals: dict[str, str] = field(default_factory=dict[str, str])
    hunks: dict[str, list[Hunk]] = field(default_factory=dict[str, list[Hunk]])


class MoodyPerson(ScriptedPerson):
    """Answers, withdraws, interrupts, or changes files, as the data says."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__()
        self._data = data
        self.said = Answered()
        self.world: World | None = None
        self.task: asyncio.Task[TurnOutcome] | None = None
        self.moved: set[str] = set()

    def draw_end(self) -> str:
        # Nobody is this moody for long: after a while every question gets an answer.
        ends = QUESTION_ENDS if len(self.asked) < 12 else ("answer",)
        return self._data.draw(st.sampled_from(ends), label="question")

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        assert self.world is not None
        self.asked.append(request)
        self._forget(request)
        broker, loop = self.world.broker, asyncio.get_running_loop()
        match self.draw_end():
            case "withdraw":
                loop.call_soon(broker.withdraw, request.id)
            case "interrupt":
                self.interrupt()
            case "moves":
                path = self._data.draw(st.sampled_from(FILES), label="moves")
                self.move(path)
                loop.call_soon(self.world.pipeline.mark_stale, {path})
                # Where the moved file is not the asked one, the question is taken back.
                loop.call_soon(broker.withdraw, request.id)
                return self._answer(request) if isinstance(request, CommandRequest) else None
            case "refuse":
                return Refused(reason="nobody is here")
            case _:
                return self._answer(request)
        return None

    def interrupt(self) -> None:
        assert self.task is not None
        self.task.cancel()

    def move(self, path: str) -> None:
        assert self.world is not None
        self.moved.add(path)
        self.world.write(path, f"outside {len(self.asked)}\n{self.world.text(path) or ''}")

    def _forget(self, request: ApprovalRequest) -> None:
        if not isinstance(request, ReviewRequest):
            self.said.literals.pop(request.call_id, None)
            return
        for item in request.writes:
            self.said.hunks.pop(item.call_id, None)

    def _answer(self, request: ApprovalRequest) -> ApprovalAnswer:
        assert not isinstance(request, ActionRequest)
        if isinstance(request, CommandRequest):
            return self._answer_command(request)
        return self._answer_review(request)

    def _answer_command(self, request: CommandRequest) -> CommandAnswer:
        action = self._data.draw(st.sampled_from(CommandAction), label="command")
        if action is CommandAction.RUN:
            self.said.literals[request.call_id] = request.command.command
        if action is not CommandAction.EDIT:
            return CommandAnswer(action=action)
        self.said.literals[request.call_id] = "edited"
        return CommandAnswer(action=action, command="edited")

    def _answer_review(self, request: ReviewRequest) -> ReviewAnswer:
        if self._data.draw(st.integers(0, 9), label="stops the run") == 9:
            return ReviewAnswer(stops_run=True)
        accepted: dict[str, bool] = {}
        for item in request.writes:
            hunks = item.proposal.hunks
            chosen = [hunk for hunk in hunks if self._data.draw(st.booleans(), label=hunk.id)]
            self.said.hunks[item.call_id] = chosen
            accepted |= {hunk.id: hunk in chosen for hunk in hunks}
        return ReviewAnswer(
            accepted={
                hunk.id: accepted[hunk.id] for w in request.writes for hunk in w.proposal.hunks
            }
        )


def set_up(folder: Path, mode: ApprovalMode, person: MoodyPerson, data: st.DataObject) -> World:
    world = World(folder, mode, person=person)
    person.world = world
    for path in FILES:
        world.write(path, START)
    world.look.failures["fails"] = RuntimeError("broken")
    world.bash.failures["fails"] = ToolFailure("exit 1")
    world.bash.acts["interrupts"] = person.interrupt
    world.bash.acts["writes"] = lambda: person.move("a.txt")
    fault = data.draw(st.sampled_from(["none", "none", "full disk", "interrupt"]), label="fault")
    if fault == "full disk":
        world.faults.acts.append((WriteStep.WRITE, _fail))
    if fault == "interrupt":
        loop = asyncio.get_running_loop()

        def interrupt() -> None:
            loop.call_soon_threadsafe(person.interrupt)

        world.faults.acts.append((WriteStep.RENAME, interrupt))
    return world


def _fail() -> None:
    raise OSError(28, "No space left on device")


async def take_turn(
    folder: Path, turn: Sequence[ToolCall], mode: ApprovalMode, data: st.DataObject
) -> tuple[World, MoodyPerson, TurnOutcome | None]:
    person = MoodyPerson(data)
    world = set_up(folder, mode, person, data)
    person.task = asyncio.create_task(world.run(*turn))
    try:
        outcome = await person.task
    except asyncio.CancelledError:
        return world, person, None
    return world, person, outcome


@given(turn=TURNS, mode=st.sampled_from([*ApprovalMode][1:]), data=st.data())
def test_the_invariants_hold_whatever_happens(
    turn: tuple[ToolCall, ...], mode: ApprovalMode, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world, person, outcome = asyncio.run(take_turn(Path(folder), turn, mode, data))
        check_one_end_for_each_call(world, turn, outcome)
        check_questions_are_settled_once(world)
        check_only_what_was_allowed_ran(world, person)
        check_only_what_was_accepted_was_written(world, person, mode)
        check_the_disk(world, person)


def check_one_end_for_each_call(
    world: World, turn: Sequence[ToolCall], outcome: TurnOutcome | None
) -> None:
    """I1: one start and one end for each call, and a result in the model's order."""
    wanted = [item.id for item in turn]
    assert [event.call_id for event in world.of(ToolCallStarted)] == wanted
    finished = world.of(ToolCallFinished)
    assert sorted(event.call_id for event in finished) == sorted(wanted)
    seqs = [event.head.seq for event in world.events.events]
    assert seqs == list(range(1, len(seqs) + 1))
    if outcome is not None:
        assert [result.call_id for result in outcome.results] == wanted
        assert {id(result) for result in outcome.results} == {
            id(event.result) for event in finished
        }
        refused = [result for result in outcome.results if "nobody is here" in result.text]
        assert outcome.refused_calls >= len(refused)


def check_questions_are_settled_once(world: World) -> None:
    asked = [event.request.id for event in world.of(ApprovalRequested)]
    settled = [event.approval_id for event in world.of(ApprovalSettled)]
    assert sorted(asked) == sorted(settled)
    assert len(set(asked)) == len(asked)
    assert len(world.broker.pending) == 0


def check_only_what_was_allowed_ran(world: World, person: MoodyPerson) -> None:
    """I2 and I7 for commands: the last word on a call was a yes to that very literal."""
    last_outcome: dict[str, ApprovalOutcome] = {}
    requests = {event.request.id: event.request for event in world.of(ApprovalRequested)}
    literals: list[str] = []
    for event in world.events.events:
        if isinstance(event, ApprovalSettled):
            request = requests[event.approval_id]
            if isinstance(request, CommandRequest):
                last_outcome[request.call_id] = event.outcome
        if isinstance(event, ToolExecutionStarted) and event.call_id in last_outcome:
            assert last_outcome[event.call_id] in {
                ApprovalOutcome.APPROVED,
                ApprovalOutcome.EDITED,
            }
            literals.append(person.said.literals[event.call_id])
    assert world.bash.executed == literals
    assert world.fetch.executed == []


def check_only_what_was_accepted_was_written(
    world: World, person: MoodyPerson, mode: ApprovalMode
) -> None:
    """I2 and I7 for writes: the applied hunks are those that the person accepted last."""
    for event in world.of(ToolCallFinished):
        if event.changes is None:
            continue
        assert event.result.state is CallState.OK
        diff = event.changes.files[0]
        before = decode(diff.before or b"")
        ids = {hunk.id for hunk in diff.applied}
        assert diff.after == encode(apply_hunks(before, _in_order(diff), ids))
        if mode is not ApprovalMode.AUTO:
            accepted = person.said.hunks[event.call_id]
            assert [_lines(hunk) for hunk in diff.applied] == [_lines(hunk) for hunk in accepted]


def _in_order(diff: FileDiff) -> list[Hunk]:
    return sorted([*diff.applied, *diff.rejected], key=lambda hunk: hunk.old_start)


def _lines(hunk: Hunk) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return hunk.old_lines, hunk.new_lines


def check_the_disk(world: World, person: MoodyPerson) -> None:
    """A file that only the agent touched holds the sum of what is reported as written."""
    content: dict[str, bytes | None] = {path: START.encode() for path in FILES}
    by_index = sorted(world.of(ToolCallFinished), key=lambda event: int(event.call_id))
    for event in by_index:
        for diff in event.changes.files if event.changes is not None else ():
            if diff.path not in person.moved:
                assert diff.before == content.get(diff.path)
            content[diff.path] = diff.after
    for path in {*content, "new.txt"} - person.moved:
        expected = content.get(path)
        assert world.text(path) == (None if expected is None else expected.decode())
    leftovers = {item.name for item in world.root.iterdir()} - {*FILES, "new.txt"}
    assert leftovers == set()
