"""Print a run: plain text for people, JSON lines for programs.

Owns what goes to standard output and what to standard error. All text from outside goes
through ``visible``, whether or not a terminal is behind it: a pipe often ends in one. JSON
carries exact texts, escaped. Proven by tests/unit/headless/test_printers.py.
"""

from typing import Protocol, TextIO

from caramelo_tui.agent.compaction_text import compaction_text
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ContextCompacted,
    NoticeLevel,
    NoticeRaised,
    RetryScheduled,
    RunEnded,
    RunStarted,
    SessionResumed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
)
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.sessions.codec import encode_line

_LONGEST_REASON = 200
"""Characters of an error that get into its line."""
_LONGEST_SUMMARY = 100
"""Characters of a call's arguments on a progress line."""


class Printer(Protocol):
    """Where the events of the run go."""

    def prints(self, event: AgentEvent) -> bool:
        """Whether ``show`` writes anything for an event."""
        ...

    def show(self, event: AgentEvent) -> None:
        """Print what an event of the run means, if anything.

        Raises:
            OSError: If the stream cannot be written, such as a closed pipe.
        """
        ...


class JsonPrinter:
    """One event a line on standard output."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def prints(self, event: AgentEvent) -> bool:  # noqa: ARG002 - the protocol's form
        """Return that every event is a line."""
        return True

    def show(self, event: AgentEvent) -> None:
        """Write the event as one line and flush it."""
        self._out.write(encode_line(event) + "\n")
        self._out.flush()


class TextPrinter:
    """The last assistant text on standard output."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def prints(self, event: AgentEvent) -> bool:
        """Whether it is the run's end, and there is a text."""
        return isinstance(event, RunEnded) and bool(event.text)

    def show(self, event: AgentEvent) -> None:
        """Write the last assistant text when the run has ended; nothing before."""
        if not isinstance(event, RunEnded) or not event.text:
            return
        text = visible(event.text)
        self._out.write(text if text.endswith("\n") else f"{text}\n")
        self._out.flush()


class ProgressPrinter:
    """What goes on, in short lines on standard error; errors only, when quiet.

    Standard error that cannot be written costs the progress, not the run: the result is on
    standard output.
    """

    def __init__(self, err: TextIO, *, is_quiet: bool) -> None:
        self._err = err
        self._is_quiet = is_quiet
        self._is_broken = False
        self._summaries: dict[str, str] = {}

    def show(self, event: AgentEvent) -> None:
        """Write the line of an event, if it has one."""
        line = self._line(event)
        is_failure = isinstance(event, RunEnded) and bool(event.error)
        if line and (is_failure or not self._is_quiet):
            self.say(line)

    def say(self, text: str) -> None:
        """Write one line, made safe for the screen; line ends become blanks."""
        if self._is_broken:
            return
        line = visible(text.replace("\n", " "), keeps_newlines=False)
        try:
            self._err.write(f"caramelo: {line}\n")
            self._err.flush()
        except OSError:
            # There is no place left where that could be said.
            self._is_broken = True

    def _line(self, event: AgentEvent) -> str:
        line = ""
        match event:
            case SessionResumed():
                line = _resumed(event)
            case RunStarted():
                line = f"{event.provider} {event.model}, mode {event.mode}"
            case ToolCallStarted(summary=summary) | ToolCallDecided(summary=summary) if summary:
                self._summaries[event.call_id] = summary
            case ToolCallFinished():
                line = self._call_line(event)
            case ContextCompacted():
                line = compaction_text(event).split("\n", 1)[0]
            case RetryScheduled():
                line = f"trying again in {event.wait_s:.0f} s: {event.reason}"
            case NoticeRaised():
                mark = "" if event.level is NoticeLevel.INFO else f"{event.level}: "
                line = mark + event.text
            case RunEnded() if event.error:
                line = f"error: {event.error}"
            case _:
                # The rest is for screens and programs; --json has all of it.
                pass
        return line

    def _call_line(self, event: ToolCallFinished) -> str:
        summary = self._summaries.pop(event.call_id, "")
        if len(summary) > _LONGEST_SUMMARY:
            summary = f"{summary[: _LONGEST_SUMMARY - 1]}…"
        name = f"{event.tool} {summary}".rstrip()
        if event.changes is not None:
            added = sum(file.added_lines for file in event.changes.files)
            removed = sum(file.removed_lines for file in event.changes.files)
            name += f" +{added} -{removed}"
        if event.result.state in {CallState.DENIED, CallState.REJECTED}:
            # The result's own words say that, by whom and why it was refused.
            return f"{name}: {event.result.text}"
        time = "cached" if event.is_cached else f"{event.duration_ms} ms"
        why = f": {_first_line(event.result.text)}" if event.result.state is CallState.ERROR else ""
        return f"{name}: {event.result.state}{why} ({time})"


def _resumed(event: SessionResumed) -> str:
    """Return that a stored session goes on, and what of it could not be read."""
    what = "session" if event.forked_from is None else "fork"
    count = f"{event.runs} {'prompt' if event.runs == 1 else 'prompts'}"
    return " ".join((f"{what} {event.session_id} goes on after {count}", *event.problems))


def _first_line(text: str) -> str:
    """Return how an error begins: what went wrong, without the output behind it."""
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= _LONGEST_REASON else f"{line[: _LONGEST_REASON - 1]}…"
