"""Sub-agents: what they share with their parent, their order, their reports and their end."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from caramelo_tui.agent.approval_broker import PersonAtPrompt
from caramelo_tui.agent.approvers import HeadlessApprover
from caramelo_tui.agent.subagents import MOST_IN_A_RUN
from caramelo_tui.composition.agents import SUBAGENT_TURNS
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    Ending,
    RunEnded,
    RunStarted,
    SubagentEnded,
    SubagentStarted,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, CommandRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings, ProtectedAction, Rule
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.domain.usage import Usage
from tests.doubles.agent_worlds import Hang, Step, asks, says
from tests.doubles.session_worlds import ScriptedModels, Session, started_session

AUTO = Settings(profile=CORE, mode=ApprovalMode.AUTO)


def spawn(call_id: str, title: str, **more: str) -> tuple[str, str, str]:
    arguments = {"title": title, "description": "do it", **more}
    return call_id, "spawn_subagent", json.dumps(arguments)


def write(call_id: str, path: str, lines: int = 1) -> tuple[str, str, str]:
    content = "".join(f"row {number}\n" for number in range(lines))
    return call_id, "write_file", json.dumps({"path": path, "content": content})


def done(call_id: str, summary: str = "finished") -> tuple[str, str, str]:
    return call_id, "task_done", json.dumps({"summary": summary})


PARENT_ENDS = asks(done("end"))


def parent_of(*titles: str) -> list[list[Step]]:
    calls = [spawn(str(number + 1), title) for number, title in enumerate(titles)]
    return [asks(*calls), PARENT_ENDS]


async def test_the_report_names_what_was_really_done(tmp_path: Path) -> None:
    usage = Usage(input_tokens=100, output_tokens=7)
    child = [[*says(usage=usage)[:-1], *asks(write("s1", "real.txt"))], asks(done("s2"))]
    models = ScriptedModels(parent_of("Part"), {"Part": child})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        ended = await session.run()
    text = session.result("1").text
    assert "finished" in text
    assert "real.txt (+1 -0)" in text
    assert "ending: completed" in text
    assert "tokens: 100 in, 7 out, over 2 turns" in text
    assert "model-2 (for coder)" in text
    assert (session.root / "real.txt").read_text() == "row 0\n"
    assert ended.usage == usage


async def test_its_events_are_its_own_part_of_the_parents_run(tmp_path: Path) -> None:
    models = ScriptedModels(parent_of("Part"), {"Part": [asks(write("s1", "a")), asks(done("s2"))]})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    assert len(session.of(RunStarted)) == len(session.of(RunEnded)) == 1
    begun, ended = session.of(SubagentStarted)[0], session.of(SubagentEnded)[0]
    assert (begun.title, begun.role, begun.model) == ("Part", "coder", "model-2")
    assert (ended.title, ended.ending, ended.turns) == ("Part", Ending.COMPLETED, 2)
    inner = [event for event in session.events if event.head.agent == "Part"]
    assert inner[0] is begun
    assert inner[-1] is ended
    assert {event.head.run_id for event in inner} == {session.of(RunStarted)[0].head.run_id}
    turns = [event.head.turn_id for event in inner if isinstance(event, TurnStarted)]
    assert len(set(turns)) == 2
    assert session.of(TurnStarted)[0].head.turn_id not in turns
    assert [event.head.seq for event in session.events] == list(range(1, len(session.events) + 1))


async def test_it_has_the_same_tools_but_cannot_start_another_one(tmp_path: Path) -> None:
    child = [asks(spawn("n", "Nested")), asks(done("s2"))]
    models = ScriptedModels(parent_of("Part"), {"Part": child})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    offered = [spec.name for spec in models.children.of("Part").requests[0].tools]
    everything = [spec.name for spec in models.provider.requests[0].tools]
    assert set(everything) - set(offered) == {"spawn_subagent"}
    assert "no tool 'spawn_subagent'" in session.result("n").text
    assert len(session.of(SubagentStarted)) == 1


async def test_lines_that_it_writes_count_for_its_parent(tmp_path: Path) -> None:
    policy = PolicySettings(max_diff_lines=LineLimit(lines=10))
    settings = Settings(profile=CORE, mode=ApprovalMode.AUTO, policy=policy)
    answers = [asks(spawn("1", "Part")), asks(write("2", "top.txt", 6)), PARENT_ENDS]
    models = ScriptedModels(answers, {"Part": [asks(write("s1", "sub.txt", 6)), asks(done("s2"))]})
    async with started_session(tmp_path, models, settings=settings) as session:
        await session.run()
    assert not session.result("1").is_error
    assert session.result("2").is_error
    assert (session.root / "sub.txt").exists()
    assert not (session.root / "top.txt").exists()


async def test_its_parents_lines_count_for_it(tmp_path: Path) -> None:
    policy = PolicySettings(max_diff_lines=LineLimit(lines=10))
    settings = Settings(profile=CORE, mode=ApprovalMode.AUTO, policy=policy)
    answers = [asks(write("1", "top.txt", 6)), asks(spawn("2", "Part")), PARENT_ENDS]
    models = ScriptedModels(answers, {"Part": [asks(write("s1", "sub.txt", 6)), asks(done("s2"))]})
    async with started_session(tmp_path, models, settings=settings) as session:
        await session.run()
    assert (session.root / "top.txt").exists()
    assert not (session.root / "sub.txt").exists()
    assert "max_diff_lines" in session.result("s1").text


async def test_what_is_denied_to_its_parent_is_denied_to_it(tmp_path: Path) -> None:
    policy = PolicySettings(
        blocked_commands=(Rule(text="touch ran"),),
        protected_paths=(Rule(text="own/**"),),
        protected_action=ProtectedAction.DENY,
    )
    settings = Settings(profile=CORE, mode=ApprovalMode.AUTO, policy=policy)
    calls = (
        ("s1", "run_command", json.dumps({"command": "true && touch ran"})),
        write("s2", "own/a.txt"),
        ("s3", "run_command", json.dumps({"command": "touch blocked-later"})),
    )
    models = ScriptedModels(parent_of("Part"), {"Part": [asks(*calls), asks(done("s4"))]})
    async with started_session(tmp_path, models, settings=settings) as session:
        blocked = session.agent.rules.block_commands(
            "touch blocked-later", command="touch blocked-later"
        )
        assert blocked == ""
        await session.run()
    assert [session.result(call).is_error for call in ("s1", "s2", "s3")] == [True] * 3
    assert {path.name for path in session.root.iterdir()}.isdisjoint(
        {"ran", "own", "blocked-later"}
    )


def hanging(*steps: Step) -> tuple[Hang, list[Step]]:
    hang = Hang()
    return hang, [hang, *steps]


async def test_readers_run_side_by_side(tmp_path: Path) -> None:
    look = ("list_files", json.dumps({"path": "."}))
    first, slow = hanging(*asks(("a1", *look)))
    second, slower = hanging(*asks(("b1", *look)))
    children = {"A": [slow, asks(done("a2"))], "B": [slower, asks(done("b2"))]}
    models = ScriptedModels(parent_of("A", "B"), children)
    async with started_session(tmp_path, models, settings=AUTO) as session:
        run = asyncio.create_task(session.run())
        await first.reached.wait()
        await second.reached.wait()
        second.goes_on.set()
        first.goes_on.set()
        await run
    assert not session.result("1").is_error
    finished = [e.call_id for e in session.of(ToolCallFinished) if not e.head.agent]
    assert finished[:2] == ["1", "2"]


async def test_writers_change_things_one_after_the_other(tmp_path: Path) -> None:
    waits, slow = hanging(*asks(write("a1", "shared.txt", 1)))
    children = {
        "A": [slow, asks(done("a2"))],
        "B": [asks(write("b1", "shared.txt", 2)), asks(done("b2"))],
    }
    models = ScriptedModels(parent_of("A", "B"), children)
    async with started_session(tmp_path, models, settings=AUTO) as session:
        run = asyncio.create_task(session.run())
        await waits.reached.wait()
        await session_knows(session, "b1")
        assert not (session.root / "shared.txt").exists()
        waits.goes_on.set()
        await run
    order = [e.call_id for e in session.of(ToolExecutionStarted) if e.call_id in {"a1", "b1"}]
    assert order == ["a1", "b1"]
    assert (session.root / "shared.txt").read_text() == "row 0\nrow 1\n"


async def session_knows(session: Session, call_id: str) -> None:
    """Wait until a call was begun."""
    async for event in session.agent.read_events():
        if isinstance(event, ToolCallStarted) and event.call_id == call_id:
            return


async def test_a_report_counts_no_tokens_of_those_who_work_beside_it(tmp_path: Path) -> None:
    usage = Usage(input_tokens=100, output_tokens=7)
    titles = ("A", "B", "C")
    children = {title: [[*says(usage=usage)[:-1], *asks(done(title))]] for title in titles}
    models = ScriptedModels(parent_of(*titles), children)
    async with started_session(tmp_path, models, settings=AUTO) as session:
        ended = await session.run()
    for number in ("1", "2", "3"):
        assert "tokens: 100 in, 7 out, over 1 turn\n" in session.result(number).text
    assert [event.usage for event in session.of(SubagentEnded)] == [usage] * 3
    assert ended.usage == usage + usage + usage


async def test_equal_titles_are_told_apart(tmp_path: Path) -> None:
    models = ScriptedModels(parent_of("Part", "Part"), {"Part": [asks(done("s"))]})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    assert [event.title for event in session.of(SubagentStarted)] == ["Part", "Part (2)"]


async def test_titles_that_look_equal_are_told_apart(tmp_path: Path) -> None:
    titles = ("Part", "PART", "\uff30art")
    models = ScriptedModels(
        parent_of(*titles), {title: [asks(done(f"s{title}"))] for title in titles}
    )
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    shown = [event.title for event in session.of(SubagentStarted)]
    assert shown == ["Part", "PART (2)", "\uff30art (3)"]


async def test_the_number_of_sub_agents_is_limited(tmp_path: Path) -> None:
    titles = [f"T{number}" for number in range(MOST_IN_A_RUN + 1)]
    children = {title: [asks(done("s"))] for title in titles}
    models = ScriptedModels(parent_of(*titles), children)
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    assert len(session.of(SubagentStarted)) == MOST_IN_A_RUN
    assert "the limit" in session.result(str(MOST_IN_A_RUN + 1)).text


async def test_it_is_reminded_and_ends_incomplete_in_profile_core(tmp_path: Path) -> None:
    models = ScriptedModels(parent_of("Part"), {"Part": [says("hm")]})
    async with started_session(tmp_path, models, settings=AUTO, is_watched=True) as session:
        await session.run()
    assert "ending: incomplete" in session.result("1").text
    assert len(models.children.of("Part").requests) == 3


async def test_it_ends_by_its_answer_in_profile_caramelo(tmp_path: Path) -> None:
    settings = Settings(profile=CARAMELO, mode=ApprovalMode.AUTO)
    answers = [asks(spawn("1", "Part")), says("over")]
    models = ScriptedModels(answers, {"Part": [says("found")]})
    async with started_session(tmp_path, models, settings=settings) as session:
        ended = await session.run()
    assert session.result("1").text.endswith("found")
    assert (ended.ending, ended.text) == (Ending.COMPLETED, "over")


async def test_its_turns_are_limited(tmp_path: Path) -> None:
    # Each turn looks elsewhere: the same look again and again would end it sooner.
    looks = [
        asks(("s", "list_files", json.dumps({"path": f"part{number}"})))
        for number in range(SUBAGENT_TURNS + 5)
    ]
    models = ScriptedModels(parent_of("Part"), {"Part": looks})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        await session.run()
    assert session.of(SubagentEnded)[0].turns == SUBAGENT_TURNS
    assert "ending: max_turns" in session.result("1").text


COMMAND = asks(("s1", "run_command", json.dumps({"command": "sudo true"})))


@pytest.mark.parametrize("action", [CommandAction.DENY, CommandAction.STOP])
async def test_its_questions_name_it_and_stop_ends_everything(
    tmp_path: Path, action: CommandAction
) -> None:
    models = ScriptedModels(parent_of("Part"), {"Part": [COMMAND, asks(done("s2"))]})
    async with started_session(
        tmp_path, models, settings=AUTO, approver=PersonAtPrompt(), is_watched=True
    ) as session:
        session.agent.submit("go")
        asked = (await session.until(ApprovalRequested)).request
        assert isinstance(asked, CommandRequest)
        assert asked.agent_title == "Part"
        session.agent.answer(asked.id, CommandAnswer(action=action))
        ended = await session.until(RunEnded)
    is_stop = action is CommandAction.STOP
    assert ended.ending is (Ending.ABORTED if is_stop else Ending.COMPLETED)
    assert session.result("1").is_error is is_stop


async def test_an_interrupt_ends_it_and_answers_every_call(tmp_path: Path) -> None:
    command = ("s1", "run_command", json.dumps({"command": "echo $$ > pid; sleep 60"}))
    models = ScriptedModels(parent_of("Part"), {"Part": [asks(command)]})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        session.agent.submit("go")
        await until_running(session, "s1")
        session.agent.interrupt()
        ended = await session.until(RunEnded)
    assert ended.ending is Ending.CANCELLED
    assert session.of(SubagentEnded)[0].ending is Ending.CANCELLED
    assert {e.call_id for e in session.of(ToolCallFinished)} == {"1", "s1"}
    assert "interrupted" in session.result("1").text


async def until_running(session: Session, call_id: str) -> None:
    while (await session.until(ToolExecutionStarted)).call_id != call_id:
        pass


async def test_one_of_its_calls_can_be_cancelled_alone(tmp_path: Path) -> None:
    command = ("s1", "run_command", json.dumps({"command": "sleep 60"}))
    models = ScriptedModels(parent_of("Part"), {"Part": [asks(command), asks(done("s2"))]})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        session.agent.submit("go")
        await until_running(session, "s1")
        assert session.agent.cancel_call(session.of(ToolExecutionStarted)[-1].call_id)
        ended = await session.until(RunEnded)
    assert "cancelled by the user" in session.result("s1").text
    assert ended.ending is Ending.COMPLETED


async def test_the_parent_is_told_of_files_that_it_knew(tmp_path: Path) -> None:
    read = asks(("r", "read_file", json.dumps({"path": "a.txt"})))
    models = ScriptedModels(
        [read, asks(spawn("1", "Part")), PARENT_ENDS],
        {"Part": [asks(write("s1", "a.txt", 3)), asks(done("s2"))]},
    )
    async with started_session(tmp_path, models, settings=AUTO) as session:
        (session.root / "a.txt").write_text("old\n")
        await session.run()
    told = models.provider.requests[-1].messages[-1]
    assert "a.txt: changed" in str(told)


async def test_tokens_of_all_agents_are_one_sum(tmp_path: Path) -> None:
    usage = Usage(input_tokens=10, output_tokens=1)

    def counted(steps: Sequence[Step]) -> list[Step]:
        return [*says(usage=usage)[:-1], *steps]

    answers = [counted(asks(spawn("1", "Part"))), counted(PARENT_ENDS)]
    models = ScriptedModels(answers, {"Part": [counted(asks(done("s")))]})
    async with started_session(tmp_path, models, settings=AUTO) as session:
        ended = await session.run()
    sums = [event.session_usage.input_tokens for event in session.of(UsageReported)]
    assert sums == [10, 20, 30]
    assert ended.usage.input_tokens == 30


async def test_refusals_inside_count_for_the_run(tmp_path: Path) -> None:
    settings = Settings(profile=CORE)
    models = ScriptedModels(parent_of("Part"), {"Part": [COMMAND, asks(done("s2"))]})
    async with started_session(
        tmp_path, models, settings=settings, approver=HeadlessApprover()
    ) as session:
        ended = await session.run()
    assert ended.refused_calls == 1
