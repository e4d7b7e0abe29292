"""The user asks for a failed request again."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from caramelo_tui.agent.retries import Retries, failed_prompt_of
from caramelo_tui.domain.agent_events import Ending, RunEnded, RunStarted
from caramelo_tui.domain.errors import AuthenticationFailed, ProviderError, StreamBroken
from caramelo_tui.domain.messages import AssistantMessage, Message, ToolResultsMessage, UserMessage
from caramelo_tui.domain.provider_events import TextDelta
from tests.doubles.agent_worlds import AgentWorld, Step, agent_world, asks, next_event, says

READ = ("c1", "read_file", '{"path": "a"}')
BROKEN: tuple[Step, ...] = (TextDelta(text="par"), StreamBroken("lost"))


@asynccontextmanager
async def started(root: Path, answers: Sequence[Sequence[Step]]) -> AsyncIterator[AgentWorld]:
    world = agent_world(answers, root)
    world.agent.start()
    try:
        yield world
    finally:
        await world.agent.close()


def kinds(messages: Sequence[Message]) -> list[str]:
    names = {UserMessage: "user", AssistantMessage: "model", ToolResultsMessage: "results"}
    return [names[type(message)] for message in messages]


async def test_a_broken_answer_is_asked_for_again_without_a_second_prompt(tmp_path: Path) -> None:
    async with started(tmp_path, [asks(READ), BROKEN, says("whole")]) as world:
        world.agent.submit("go")
        broken = await next_event(world.events, RunEnded)
        assert (broken.ending, broken.can_retry) == (Ending.ERROR, True)

        assert world.agent.retries.is_offered
        assert world.agent.retries.send_again()
        assert not world.agent.retries.send_again()
        ended = await next_event(world.events, RunEnded, skip=1)

        begun = await next_event(world.events, RunStarted, skip=1)
        assert (begun.prompt, begun.is_retry) == ("go", True)
        assert (ended.ending, ended.text, ended.can_retry) == (Ending.COMPLETED, "whole", False)
        before, again = world.provider.requests[1:]
        assert again.messages == before.messages
        assert kinds(again.messages) == ["user", "model", "results"]
        assert not world.agent.retries.is_offered


async def test_a_retry_that_breaks_too_is_offered_again(tmp_path: Path) -> None:
    async with started(tmp_path, [BROKEN, BROKEN, says("whole")]) as world:
        world.agent.submit("go")
        for number in range(2):
            await next_event(world.events, RunEnded, skip=number)
            assert world.agent.retries.send_again()
        await next_event(world.events, RunEnded, skip=2)
        assert [kinds(each.messages) for each in world.provider.requests] == [["user"]] * 3


@pytest.mark.parametrize("error", [AuthenticationFailed("no"), StreamBroken("lost")])
async def test_what_cannot_succeed_is_not_offered(tmp_path: Path, error: ProviderError) -> None:
    async with started(tmp_path, [[TextDelta(text="x"), error]]) as world:
        world.agent.submit("go")
        ended = await next_event(world.events, RunEnded)
        assert ended.can_retry is error.is_retryable
        assert world.agent.retries.is_offered is error.is_retryable


async def test_a_new_prompt_takes_the_offer_away(tmp_path: Path) -> None:
    async with started(tmp_path, [BROKEN, says("other")]) as world:
        world.agent.submit("go")
        await next_event(world.events, RunEnded)
        world.agent.submit("something else")
        await next_event(world.events, RunEnded, skip=1)
        assert not world.agent.retries.send_again()


async def test_nothing_is_sent_once_the_session_closes(tmp_path: Path) -> None:
    async with started(tmp_path, [BROKEN]) as world:
        world.agent.submit("go")
        await next_event(world.events, RunEnded)
        await world.agent.close()
        assert not world.agent.retries.send_again()


async def test_a_waiting_request_is_sent_at_once(tmp_path: Path) -> None:
    world = agent_world([says("never")], tmp_path)
    parts = world.agent._parts
    retries = Retries(runs=world.agent._runs, waiting=parts.retry_wait, start=lambda _prompt: False)
    assert not retries.send_now()
    waiting = asyncio.create_task(parts.retry_wait.sleep(600))
    await asyncio.sleep(0)
    assert retries.send_now()
    await waiting
    await world.agent.close()


async def test_the_last_run_of_a_stored_session_can_be_asked_again(tmp_path: Path) -> None:
    async with started(tmp_path, [says("fine"), BROKEN, BROKEN]) as world:
        assert failed_prompt_of(world.events.events) is None
        offered: list[str | None] = []
        for number, prompt in enumerate(("first", "second")):
            world.agent.submit(prompt)
            await next_event(world.events, RunEnded, skip=number)
            offered.append(failed_prompt_of(world.events.events))
        assert offered == [None, "second"]
        begun = [e for e in world.events.events if isinstance(e, RunStarted)][-1]
        crashed = world.events.events[: world.events.events.index(begun) + 1]
        assert failed_prompt_of(crashed) is None
