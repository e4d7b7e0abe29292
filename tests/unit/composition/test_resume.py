"""A session that goes on: the next request, the numbers, the counts, the file."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.resume import RESUMED
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ModelChanged,
    NoteAdded,
    RunEnded,
    SessionResumed,
    ToolCallFinished,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import Message, UserMessage
from caramelo_tui.domain.sessions import ExportForm, SessionTrouble
from caramelo_tui.sessions.catalogue import find_session, list_sessions, summary_of
from caramelo_tui.sessions.codec import UnknownEvent
from caramelo_tui.sessions.folders import workspace_folder
from caramelo_tui.sessions.opening import OpenedSession, open_session
from caramelo_tui.sessions.store import load_events
from tests.doubles.agent_worlds import Hang, Step, asks, says
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import NO_MODEL, ScriptedModels

READ = ("c1", "file_read", '{"path": "a.txt"}')
WRITE = ("c2", "file_write", '{"path": "b.txt", "content": "one\\ntwo\\n"}')


def sessions_of(folder: Path) -> Path:
    options = core_options(folder)
    return workspace_folder(options.locations.sessions, options.root)


def last(folder: Path) -> Path:
    return find_session(sessions_of(folder), "last")


@asynccontextmanager
async def sitting(
    folder: Path,
    answers: Sequence[Sequence[Step]],
    opened: OpenedSession | None = None,
    *,
    model: str = "model-1",
) -> AsyncGenerator[tuple[AgentController, ScriptedModels]]:
    models = ScriptedModels(answers, model=model)
    core = replace(core_options(folder), is_trusted=True, opened=opened)
    agent = build_agent(AgentOptions(core=core, connection=NO_MODEL), models=models)
    agent.start()
    try:
        yield agent, models
    finally:
        await agent.close()


async def until(agent: AgentController, kind: type[AgentEvent]) -> list[AgentEvent]:
    seen: list[AgentEvent] = []
    async for event in agent.read_events():
        seen.append(event)
        if isinstance(event, kind):
            return seen
    raise AssertionError(kind)


async def ask(agent: AgentController, prompt: str) -> list[AgentEvent]:
    agent.submit(prompt)
    return await until(agent, RunEnded)


async def saved(agent: AgentController, folder: Path) -> None:
    """Wait until everything is on disk."""
    await agent.sessions.export(ExportForm.JSON, str(folder / "saved.json"))


def sent(models: ScriptedModels) -> tuple[Message, ...]:
    return models.provider.requests[-1].messages


async def test_the_next_request_is_the_one_that_would_have_been_sent(tmp_path: Path) -> None:
    answers = [asks(READ, WRITE, text="Looking."), says("done")]
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.txt").write_text("text\n")
    async with sitting(tmp_path, answers) as (agent, models):
        agent.set_mode(ApprovalMode.AUTO)
        await ask(agent, "go")
        before = sent(models)
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("again")], opened) as (agent, models):
        await ask(agent, "and now")
        messages = sent(models)
    assert messages[: len(before)] == before
    answer, note, prompt = messages[len(before) :]
    assert getattr(answer, "text", "") == "done"
    assert note == UserMessage(text=RESUMED, is_note=True)
    assert prompt == UserMessage(text="and now")


async def test_the_file_is_gone_on_with_and_the_numbers_too(tmp_path: Path) -> None:
    async with sitting(tmp_path, [says("one")]) as (agent, _):
        await ask(agent, "first")
    path = last(tmp_path)
    before = path.read_bytes()
    opened = open_session(path)
    async with sitting(tmp_path, [says("two")], opened) as (agent, _):
        assert agent.sessions.earlier == opened.events
        await ask(agent, "second")
    assert path.read_bytes().startswith(before)
    events = [e for e in load_events(path).events if not isinstance(e, UnknownEvent)]
    numbers = [event.head.seq for event in events]
    assert numbers == list(range(1, len(numbers) + 1))
    assert sum(isinstance(event, SessionResumed) for event in events) == 1
    assert len(list_sessions(sessions_of(tmp_path))) == 1
    # Taken up once more, it is the same conversation with one more note.
    async with sitting(tmp_path, [says("three")], open_session(path)) as (agent, models):
        await ask(agent, "third")
        words = [m.text for m in sent(models) if isinstance(m, UserMessage)]
    assert words == ["first", RESUMED, "second", RESUMED, "third"]


async def test_tokens_and_lines_go_on_being_counted(tmp_path: Path) -> None:
    async with sitting(tmp_path, [asks(WRITE), says("done")]) as (agent, _):
        agent.set_mode(ApprovalMode.AUTO)
        events = await ask(agent, "go")
    assert any(isinstance(event, ToolCallFinished) and event.changes for event in events)
    more = ("c2", "file_write", '{"path": "c.txt", "content": "three\\n"}')
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [asks(more), says("done")], opened) as (agent, models):
        agent.set_mode(ApprovalMode.AUTO)
        events = await ask(agent, "go on")
        counted = [getattr(event, "changed_lines", None) for event in events]
        assert 3 in counted
        # The second call has a name of its own though the model used the same one.
        [finished] = [event for event in events if isinstance(event, ToolCallFinished)]
        assert finished.call_id == "c2-2"
        assert sent(models)


async def test_a_session_that_was_cut_off_gets_its_ends(tmp_path: Path) -> None:
    async with sitting(tmp_path, [[*says("half")[:-1], Hang()]]) as (agent, _):
        agent.submit("go")
        events = agent.read_events()
        async for event in events:
            if getattr(event, "text", "") == "half":
                break
        # What kill -9 leaves: the file as it is now, without the ends that close() writes.
        await saved(agent, tmp_path)
        path = last(tmp_path)
        left = path.read_bytes()
    path.write_bytes(left)
    assert summary_of(path).is_unended
    async with sitting(tmp_path, [says("whole")], open_session(path)) as (agent, models):
        events_now = await until(agent, SessionResumed)
        assert any(isinstance(event, RunEnded) for event in events_now)
        agent.submit("go on")
        await until_runs(agent, 2)
        texts = [getattr(message, "text", "") for message in sent(models)]
    assert texts == ["go", "half", RESUMED, "go on"]
    assert not summary_of(path).is_unended


async def test_another_model_goes_on_with_the_room_that_the_user_says_it_has(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, [says("one")]) as (agent, _):
        await ask(agent, "first")
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "models.toml").write_text(
        '[models.scripted."model-7"]\ncontext_window = 4321\n'
    )
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("two")], opened, model="model-7") as (agent, _):
        [changed] = [e for e in await until(agent, NoteAdded) if isinstance(e, ModelChanged)]
    assert (changed.model, changed.context_window) == ("model-7", 4321)


async def test_what_was_allowed_before_is_asked_again(tmp_path: Path) -> None:
    """No approval, grant or mode is read from a session's file, whoever wrote it."""
    (tmp_path / "project").mkdir()
    async with sitting(tmp_path, [asks(WRITE), says("done")]) as (agent, _):
        agent.set_mode(ApprovalMode.AUTO)
        assert agent.rules.grant_writes("**", path="b.txt") == ""
        await ask(agent, "first")
    again = ("c9", "file_write", '{"path": "c.txt", "content": "x"}')
    async with sitting(tmp_path, [asks(again)], open_session(last(tmp_path))) as (agent, _):
        assert agent.mode is ApprovalMode.REVIEW
        assert agent.rules.made == ()
        agent.submit("second")
        assert isinstance((await until(agent, ApprovalRequested))[-1], ApprovalRequested)
    assert not (tmp_path / "project" / "c.txt").exists()


async def test_only_one_program_has_a_session(tmp_path: Path) -> None:
    async with sitting(tmp_path, [says("one")]) as (agent, _):
        await ask(agent, "first")
        await saved(agent, tmp_path)
        with pytest.raises(SessionTrouble, match="open in another"):
            open_session(last(tmp_path))
    open_session(last(tmp_path)).file.close()


async def test_a_fork_begins_before_a_prompt_and_leaves_the_first_alone(tmp_path: Path) -> None:
    async with sitting(tmp_path, [says("one"), says("two")]) as (agent, _):
        await ask(agent, "first")
        agent.submit("second")
        begun = [e for e in await until_runs(agent, 2) if getattr(e, "prompt", "") == "second"]
        await saved(agent, tmp_path)
        path = last(tmp_path)
        whole = path.read_bytes()
        made = await agent.sessions.fork(before=begun[0].head.run_id)
        assert made.prompt == "second"
        name = made.id
        fork = open_session(path.with_name(f"{name}.jsonl"))
        assert path.read_bytes() == whole
    assert fork.header.forked_from == path.stem
    async with sitting(tmp_path, [says("other")], fork) as (agent, models):
        [resumed] = [e for e in await until(agent, NoteAdded) if isinstance(e, SessionResumed)]
        assert (resumed.session_id, resumed.forked_from) == (name, path.stem)
        await ask(agent, "instead")
        words = [m.text for m in sent(models) if isinstance(m, UserMessage)]
    assert words == ["first", RESUMED, "instead"]


async def until_runs(agent: AgentController, count: int) -> list[AgentEvent]:
    seen: list[AgentEvent] = []
    async for event in agent.read_events():
        seen.append(event)
        count -= isinstance(event, RunEnded)
        if not count:
            break
    return seen


async def test_an_export_is_private_and_overwrites_nothing(tmp_path: Path) -> None:
    async with sitting(tmp_path, [says("one")]) as (agent, _):
        await ask(agent, "first")
        path = await agent.sessions.export(ExportForm.MARKDOWN)
        assert path.parent == (tmp_path / "project").resolve()
        assert path.stat().st_mode & 0o777 == 0o600
        assert "first" in path.read_text()
        with pytest.raises(SessionTrouble, match="exists"):
            await agent.sessions.export(ExportForm.MARKDOWN)


async def test_prompts_that_waited_wait_again_and_are_not_sent(tmp_path: Path) -> None:
    async with sitting(tmp_path, [[Hang()]]) as (agent, _):
        agent.submit("first")
        agent.submit("later")
        await saved(agent, tmp_path)
        path = last(tmp_path)
        left = path.read_bytes()
    path.write_bytes(left)
    async with sitting(tmp_path, [says("x")], open_session(path)) as (agent, _):
        assert agent.queued_prompts == ("later",)
        assert not agent.is_running


async def test_a_compacted_session_goes_on_and_its_file_keeps_everything(tmp_path: Path) -> None:
    words = [f"answer{number}" + "x" * 15_000 for number in range(4)]
    answers = [*(says(each) for each in words), says("summary")]
    async with sitting(tmp_path, answers) as (agent, models):
        reader = agent.read_events()
        for number in range(4):
            agent.submit(f"prompt {number}")
            await anext(event async for event in reader if isinstance(event, RunEnded))
        assert await agent.context.compact() == ""
        await saved(agent, tmp_path)
        compacted = agent.context.preview().tokens_before
    text = last(tmp_path).read_text("utf-8")
    assert all(each in text for each in words)

    async with sitting(tmp_path, [says("on")], open_session(last(tmp_path))) as (agent, models):
        # A note about the break is added.
        assert 0 <= agent.context.preview().tokens_before - compacted < 100
        await ask(agent, "go on")
        (request,) = models.provider.requests
        assert "summary" in str(request.messages)
        assert words[0] not in str(request.messages)
