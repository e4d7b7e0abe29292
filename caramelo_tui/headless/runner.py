"""Run one prompt without a screen.

Owns the way from a prompt to an exit code: signals, time limit, and what each ending means to
a shell. Reads nothing from the terminal; answers no question (the approver did that). The
proof that the agent needs no user interface. Proven by tests/unit/headless/test_runner.py.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from caramelo_tui.agent.port import AgentPort, EventReader
from caramelo_tui.domain.agent_events import Ending, RunEnded, RunStarted
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.headless.printers import JsonPrinter, Printer, ProgressPrinter, TextPrinter
from caramelo_tui.headless.signals import SIGNAL_BASE, on_signals

EXIT_COMPLETED = 0
EXIT_ERROR = 1
EXIT_USAGE = 2
"""An image cannot be sent; nothing was asked."""
EXIT_UNFINISHED = 3
"""Incomplete, or the turns were used up."""
EXIT_REFUSALS = 4
"""Completed, but a call was refused because nobody could approve it."""
EXIT_CANCELLED = 130
"""Cancelled or aborted; the shell's code for SIGINT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlessOptions:
    """How ``caramelo run`` behaves."""

    prints_json: bool = False
    """One event a line on standard output, instead of the last text."""
    is_quiet: bool = False
    """No progress on standard error; errors are still said."""
    allows_refusals: bool = False
    """A refused call does not change the exit code."""
    timeout_s: float | None = None
    """Seconds after which the run is interrupted; ``None``: no limit."""
    images: tuple[str, ...] = ()
    """Paths of images that go with the prompt."""


@dataclass(slots=True)
class _Stop:
    """Who stopped the run from outside, if anybody did."""

    exit_code: int | None = None
    """What the signal that came first makes the program exit with."""
    is_timed_out: bool = False


async def run_prompt(
    agent: AgentPort, prompt: str, options: HeadlessOptions, out: TextIO, err: TextIO
) -> int:
    """Run one prompt to its end and return the exit code (docs/command-line.md).

    Does not close the agent. Cancelled, it leaves the run to the agent's ``close``.

    Args:
        agent: Nothing may be running in it.
        prompt: The whole prompt.
        options: How to print, how long to wait.
        out: Standard output.
        err: Standard error.
    """
    printer = JsonPrinter(out) if options.prints_json else TextPrinter(out)
    progress = ProgressPrinter(err, is_quiet=options.is_quiet)
    stop = _Stop()
    images = await _images(agent, options.images)
    if isinstance(images, str):
        progress.say(f"error: {images}")
        return EXIT_USAGE
    reader = agent.read_events()
    with _signals_interrupt(agent, stop), _time_limit(agent, stop, options.timeout_s):
        agent.submit(prompt, images)
        try:
            ended = await _follow(reader, printer, progress)
        except OSError as error:
            # Whoever read our output is gone; nobody is left to work for.
            agent.interrupt()
            progress.say(f"error: the output cannot be written: {error.strerror or error}")
            return EXIT_ERROR
        finally:
            reader.close()
    if stop.is_timed_out:
        progress.say(f"error: stopped after {options.timeout_s:g} s (--timeout)")
    return _exit_code(ended, stop, options)


async def _images(agent: AgentPort, paths: tuple[str, ...]) -> tuple[ImageAttachment, ...] | str:
    """Return the images that go with the prompt, or why they cannot."""
    if paths and not agent.images.can_send:
        return f"{agent.info.model} takes no images (--image)"
    try:
        return tuple([await agent.images.read(path) for path in paths])
    except ToolFailure as failure:
        return f"{failure} (--image)"


async def _follow(
    reader: EventReader, printer: Printer, progress: ProgressPrinter
) -> RunEnded | None:
    """Print the run's events up to its end and return that; ``None`` when it never came."""
    has_started = False
    async for event in reader:
        has_started = has_started or isinstance(event, RunStarted)
        if not has_started and isinstance(event, RunEnded):
            # Of the run in whose middle a session that goes on was cut off.
            continue
        progress.show(event)
        if has_started and printer.prints(event):
            # In a thread: a pipe that nobody drains must not stop the agent's clocks. A change of
            # threads for each piece of a long answer would take longer than the answer.
            await asyncio.to_thread(printer.show, event)
        if isinstance(event, RunEnded):
            return event
    return None


def _exit_code(ended: RunEnded | None, stop: _Stop, options: HeadlessOptions) -> int:
    if ended is None or stop.is_timed_out:
        return EXIT_ERROR
    match ended.ending:
        case Ending.COMPLETED:
            is_clean = options.allows_refusals or not ended.refused_calls
            return EXIT_COMPLETED if is_clean else EXIT_REFUSALS
        case Ending.INCOMPLETE | Ending.MAX_TURNS:
            return EXIT_UNFINISHED
        case Ending.CANCELLED | Ending.ABORTED:
            return EXIT_CANCELLED if stop.exit_code is None else stop.exit_code
        case Ending.ERROR:
            return EXIT_ERROR


@contextmanager
def _signals_interrupt(agent: AgentPort, stop: _Stop) -> Generator[None]:
    """Let the signals that end a program interrupt the run instead, so that it ends whole."""

    def interrupt(number: int) -> None:
        if stop.exit_code is None:
            stop.exit_code = SIGNAL_BASE + number
        agent.interrupt()

    with on_signals(interrupt):
        yield


@contextmanager
def _time_limit(agent: AgentPort, stop: _Stop, timeout_s: float | None) -> Generator[None]:
    """Interrupt the run when its time is over."""

    def interrupt() -> None:
        stop.is_timed_out = agent.interrupt()

    if timeout_s is None:
        yield
        return
    timer = asyncio.get_running_loop().call_later(timeout_s, interrupt)
    try:
        yield
    finally:
        timer.cancel()
