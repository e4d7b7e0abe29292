"""Requests that failed: the countdown, and what one key does about them."""

from caramelo_tui.domain.agent_events import Ending, RetryScheduled, TextStreamed
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp


async def fail(running: OpenedApp, *, can_retry: bool) -> None:
    agent = running.agent
    agent.start_run("explain it")
    agent.emit(lambda head: TextStreamed(head=head, text="Half of"))
    agent.end_run(Ending.ERROR, "The connection was lost.", can_retry=can_retry)
    await running.until(lambda: "The connection was lost." in running.shown())


async def test_a_broken_answer_is_asked_for_again_by_a_key(open_app: OpenApp) -> None:
    async with open_app() as running:
        await fail(running, can_retry=True)
        await running.until(lambda: "F3 and then r asks for the answer again" in running.shown())
        running.agent.retries.is_offered = True
        await running.press("f3", "r")
        assert running.agent.retries.sent_again == 1
        assert running.agent.submitted == []


async def test_a_retried_run_says_that_the_prompt_is_not_sent_twice(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run("explain it", is_retry=True)
        await running.until(lambda: "not sent a second time" in running.shown())


async def test_what_cannot_be_repeated_goes_on_by_a_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        await fail(running, can_retry=False)
        await running.until(lambda: "F3 and then r goes on" in running.shown())
        await running.press("f3", "r")
        assert running.agent.submitted == ["Go on."]


async def test_without_a_failure_the_key_says_so(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("f3", "r")
        await running.until(lambda: "No run has failed." in running.shown())


async def test_a_waiting_request_counts_down_and_is_sent_by_the_key(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        agent = running.agent
        agent.start_run("explain it")
        agent.emit(lambda head: RetryScheduled(head=head, attempt=1, wait_s=30, reason="Busy."))
        await running.until(lambda: "retry 1 in 30 s" in running.shown())
        await running.until(lambda: "and then r sends it at once" in running.shown())
        running.clock.move(12)
        await running.until(lambda: "retry 1 in 18 s" in running.shown())
        agent.retries.is_waiting = True
        await running.press("f3", "r")
        assert agent.retries.sent_now == 1
        agent.emit(lambda head: TextStreamed(head=head, text="There"))
        await running.until(lambda: "retry 1" not in running.shown().splitlines()[-1])


async def test_the_wait_is_ended_by_stopping_the_run(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run("explain it")
        running.agent.emit(
            lambda head: RetryScheduled(head=head, attempt=1, wait_s=30, reason="Busy.")
        )
        await running.until(lambda: "retry 1 in 30 s" in running.shown())
        await running.press("ctrl+c")
        assert running.agent.interrupts == 1
