"""A prompt that is sent again after an answer in vain is not counted a second time."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from caramelo_tui.domain.agent_events import RunEnded
from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import StreamStopped, TextDelta
from tests.doubles.agent_worlds import Step, agent_world, asks, next_event, says

BROKEN: tuple[Step, ...] = (TextDelta(text="par"), StreamBroken("lost"))
LOST: tuple[Step, ...] = (StreamBroken("lost"),)
EMPTY: tuple[Step, ...] = (StreamStopped(stop_reason=StopReason.END_TURN),)
READ = ("c1", "read_file", '{"path": "a"}')


async def marks(folder: Path, answers: Sequence[Sequence[Step]], acts: Sequence[str]) -> list[bool]:
    """Return which requests are marked as the person's; "" asks for the failed one again."""
    world = agent_world(answers, folder)
    world.agent.start()
    for number, act in enumerate(acts):
        if act:
            world.agent.submit(act)
        else:
            assert world.agent.retries.send_again()
        await next_event(world.events, RunEnded, skip=number)
    await world.agent.close()
    return [request.is_users_turn for request in world.provider.requests]


@pytest.mark.parametrize(
    ("answers", "acts", "expected"),
    [
        ([says("a"), says("b")], ["go", "go"], [True, True]),
        ([asks(READ), says("b")], ["go"], [True, False]),
        ([EMPTY, says("b")], ["go"], [True, False]),
        ([BROKEN, says("b")], ["go", ""], [True, False]),
        ([BROKEN, says("b")], ["go", "go"], [True, True]),
        # Of the first try nothing came: nobody knows whether it was counted.
        ([LOST, says("b")], ["go"], [True, True]),
    ],
)
async def test_words_are_new_until_something_came_back(
    tmp_path: Path, answers: Sequence[Sequence[Step]], acts: list[str], expected: list[bool]
) -> None:
    assert await marks(tmp_path, answers, acts) == expected
