"""I1, I2, I4, I6 and I7 hold under any interleaving of prompts, answers, interrupts, failures.

The real controller, run loop, broker and pipeline work on real files; the provider is
scripted.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.run_loop import RunLoop, RunParts, RunRules
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    RunEnded,
    RunStarted,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.approvals import (
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
from caramelo_tui.domain.errors import AuthenticationFailed, Overloaded, StreamBroken
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import StopReason, UserMessage
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.agent_worlds import (
    QuickWaiting,
    ScriptedAnswers,
    Step,
    Surroundings,
    agent_info,
    asks,
    assert_valid_for_provider,
    main_frame,
    says,
)
from tests.doubles.pipeline_worlds import World

CALLS = [
    ("c1", "file_read", '{"path": "a.txt"}'),
    ("c1", "look", '{"path": "x"}'),
    ("c2", "bash", '{"command": "one"}'),
    ("c2", "bash", '{"command": "two"}'),
    ("c3", "file_edit", '{"path": "a.txt", "search": "one", "replace": "two"}'),
    ("", "file_write", '{"path": "new.txt", "content": "n"}'),
    ("c4", "file_read", '{"path": "../outside"}'),
    ("c5", "no_such_tool", "{}"),
    ("c6", "bash", '{"command": 5}'),
    ("c7", "bash", "{not json"),
]
YES = {ApprovalOutcome.APPROVED, ApprovalOutcome.EDITED}
STOPS = [
    *[StopReason.TOOL_USE] * 6,
    StopReason.END_TURN,
    StopReason.MAX_TOKENS,
    StopReason.PAUSE_TURN,
]


@st.composite
def answers(draw: st.DrawFn) -> list[Step]:
    kind = draw(st.sampled_from([*["calls"] * 6, "text", "breaks", "fails", "refuses"]))
    if kind == "text":
        stop = draw(st.sampled_from([StopReason.END_TURN, StopReason.PAUSE_TURN]))
        return says(draw(st.sampled_from(["", "some words here"])), stop=stop)
    if kind == "refuses":
        return says("no", stop=StopReason.REFUSAL)
    if kind == "fails":
        return [draw(st.sampled_from([Overloaded("busy"), AuthenticationFailed("key")]))]
    calls = draw(st.lists(st.sampled_from(CALLS), min_size=1, max_size=4))
    steps = asks(*calls, text="so", stop=draw(st.sampled_from(STOPS)))
    if kind == "breaks":
        cut = draw(st.integers(0, len(steps) - 1))
        return [*steps[:cut], StreamBroken("lost")]
    return steps


def answer_to(request: ApprovalRequest, verdict: str) -> ApprovalAnswer:
    if not isinstance(request, ReviewRequest):
        actions = {
            "yes": CommandAction.RUN,
            "no": CommandAction.DENY,
            "edit": CommandAction.EDIT,
            "stop": CommandAction.STOP,
        }
        can_edit = isinstance(request, CommandRequest)
        action = actions["yes" if verdict == "edit" and not can_edit else verdict]
        return CommandAnswer(action=action, command="edited")
    hunks = [hunk.id for write in request.writes for hunk in write.proposal.hunks]
    return ReviewAnswer(
        accepted={hunk: verdict in {"yes", "edit"} for hunk in hunks}, stops_run=verdict == "stop"
    )


class Bench:
    """The agent under test and the person who does things to it."""

    def __init__(self, folder: Path, script: Sequence[Sequence[Step]]) -> None:
        self.world = World(folder)
        self.world.write("a.txt", "one\n")
        self.events = self.world.events
        self.events.end_run()
        ids = CountingIds()
        self.provider = ScriptedAnswers(script)
        self.conversation = Conversation(
            outside=OutsideChanges(FileStore(Sandbox(self.world.root)).stamp),
            mode=CurrentMode(ApprovalMode.REVIEW),
            context=ContextBuilder(model="m", system="s", tools=tuple, answer_tokens=10),
        )
        loop = RunLoop(
            RunParts(
                rules=RunRules(limits=RunLimits(turns=4)),
                frame=main_frame(self.events),
                conversation=self.conversation,
                replies=ReplyStream(
                    provider=self.provider,
                    events=self.events,
                    call_ids=CallIds(ids),
                    waiting=QuickWaiting(),
                ),
                calls=self.world.pipeline,
                events=self.events,
                ids=ids,
                tokens=TokenCount(),
            )
        )
        self.surroundings = Surroundings(
            self.events, self.world.pipeline, self.conversation.outside
        )
        self.agent = AgentController(
            info=agent_info(self.world.root),
            runs=loop,
            events=self.events,
            approvals=self.world.broker,
            mode=CurrentMode(ApprovalMode.REVIEW),
            parts=self.surroundings.parts(self.provider, self.world.pipeline, self.world.root),
        )

    async def wait(self, steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """Wait until nothing goes on by itself: no run, or a question to the user."""
        while self.agent.is_running and not self.world.broker.pending:
            await anext(self.reader)

    async def answer(self, verdict: str) -> None:
        await self.settle()
        for request in self.world.broker.pending[:1]:
            self.agent.answer(request.id, answer_to(request, verdict))

    async def answer_wrongly(self) -> None:
        run = CommandAnswer(action=CommandAction.RUN)
        for request in self.world.broker.pending[:1]:
            wrong = ReviewAnswer() if isinstance(request, CommandRequest) else run
            assert not self.agent.answer(request.id, wrong)

    async def interrupt(self) -> None:
        self.agent.interrupt()

    async def submit(self) -> None:
        self.agent.submit("go")

    async def retry(self) -> None:
        self.agent.retries.send_again()

    async def steer(self) -> None:
        self.agent.steer("this too")

    async def change_file(self) -> None:
        self.world.write("a.txt", "zero\none\n")
        self.surroundings.watcher.see(FileChange(path="a.txt", kind=ChangeKind.MODIFIED))

    async def live(self, actions: Sequence["Action"]) -> None:
        self.reader = self.agent.read_events()
        self.agent.start()
        self.agent.submit("go")
        for action in actions:
            await action(self)
            await asyncio.sleep(0)
        await self.agent.close()


Action = Callable[[Bench], Awaitable[None]]


def waits(steps: int) -> Action:
    return lambda bench: bench.wait(steps)


def answers_with(verdict: str) -> Action:
    return lambda bench: bench.answer(verdict)


def changes_mode(mode: ApprovalMode) -> Action:
    async def change(bench: Bench) -> None:
        bench.agent.set_mode(mode)

    return change


ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(waits, st.integers(1, 60)),
    st.builds(answers_with, st.sampled_from(["yes", "yes", "no", "edit", "stop"])),
    st.builds(answers_with, st.sampled_from(["yes", "no"])),
    st.builds(changes_mode, st.sampled_from([ApprovalMode.EACH, ApprovalMode.AUTO])),
    st.sampled_from(
        [
            Bench.answer_wrongly,
            Bench.interrupt,
            Bench.submit,
            Bench.retry,
            Bench.steer,
            Bench.change_file,
        ]
    ),
    st.just(Bench.settle),
)


def ids_of(
    events: Sequence[AgentEvent], kind: type[ToolCallStarted | ToolCallFinished]
) -> list[str]:
    return [str(event.call_id) for event in events if isinstance(event, kind)]


def assert_invariants(bench: Bench) -> None:
    events = bench.events.events
    assert [event.head.seq for event in events] == list(range(1, len(events) + 1))
    assert_pairs(events, RunStarted, RunEnded)
    assert_pairs(events, TurnStarted, TurnEnded)
    started, finished = ids_of(events, ToolCallStarted), ids_of(events, ToolCallFinished)
    assert len(set(started)) == len(started)
    assert sorted(started) == sorted(finished)
    for event in events:
        if isinstance(event, ToolCallFinished):
            assert event.call_id in ids_of(events[: event.head.seq], ToolCallStarted)
        if isinstance(event, RunEnded):
            assert not event.error.startswith("Internal error"), event.error
    assert_only_approved_commands_ran(events)
    # As things stand, one more prompt could be sent.
    messages = [*bench.conversation.transcript.snapshot(), UserMessage(text="next")]
    assert_valid_for_provider(bench.conversation.context.build(messages))


def assert_pairs(
    events: Sequence[AgentEvent],
    opening: type[RunStarted | TurnStarted],
    closing: type[RunEnded | TurnEnded],
) -> None:
    depth = 0
    for event in events:
        if isinstance(event, opening):
            depth += 1
        elif isinstance(event, closing):
            depth -= 1
        assert depth in {0, 1}
    assert depth == 0


def assert_only_approved_commands_ran(events: Sequence[AgentEvent]) -> None:
    asked = {
        event.request.id: (event.request.call_id,)
        for event in events
        if isinstance(event, ApprovalRequested) and isinstance(event.request, CommandRequest)
    }
    approved: set[str] = set()
    commands = {
        event.call_id
        for event in events
        if isinstance(event, ToolCallStarted) and event.tool == "bash"
    }
    for event in events:
        if isinstance(event, ApprovalSettled) and event.outcome in YES:
            approved.update(asked.get(event.approval_id, ()))
        if isinstance(event, ToolExecutionStarted) and event.call_id in commands:
            assert event.call_id in approved
    settled = [event.approval_id for event in events if isinstance(event, ApprovalSettled)]
    requested = [event.request.id for event in events if isinstance(event, ApprovalRequested)]
    assert sorted(settled) == sorted(requested)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    script=st.lists(answers(), min_size=2, max_size=5),
    actions=st.lists(ACTIONS, min_size=2, max_size=14),
)
def test_the_record_is_whole_whatever_happens_when(
    script: list[list[Step]], actions: list[Action]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), script)
        asyncio.run(bench.live(actions))
        assert_invariants(bench)
