"""Start the tasks of a session so that nothing goes wrong in one unheard.

Owns how a task is started and how its end is waited for; who starts one ends it. Proven by
tests/unit/agent/test_controller.py.
"""

import asyncio
import logging
from collections.abc import Coroutine

_log = logging.getLogger(__name__)


def owned(work: Coroutine[object, object, None], name: str) -> asyncio.Task[None]:
    """Start a task of the session; what goes wrong in it is logged at once."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_failure)
    return task


async def finish(*tasks: asyncio.Task[None]) -> None:
    """Wait for the end of tasks, whatever it is."""
    if tasks:
        await asyncio.wait(tasks)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("the task %r failed", task.get_name(), exc_info=error)
