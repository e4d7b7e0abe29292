"""Waits before a request is sent again."""

import asyncio

import pytest

from caramelo_tui.agent.retry_wait import RetryWait


async def test_a_wait_ends_by_itself_and_jitter_spreads() -> None:
    waiting = RetryWait()
    assert 0 <= waiting.jitter() < 1
    await waiting.sleep(0)
    assert not waiting.end_now()


async def test_all_waits_end_when_the_user_has_waited_enough() -> None:
    waiting = RetryWait()
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        for _ in range(2):
            group.create_task(waiting.sleep(600))
        await asyncio.sleep(0)
        assert waiting.end_now()
    assert not waiting.end_now()


async def test_a_cancelled_wait_is_forgotten() -> None:
    waiting = RetryWait()
    task = asyncio.create_task(waiting.sleep(600))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not waiting.end_now()
