"""Put what happens into lines.

Owns which events are worth a line and their words. Questions are not its affair; the session asks
them. Proven by tests/unit/headless/test_linear_narration.py.
"""

from typing import assert_never

from caramelo_tui.agent.compaction_text import compaction_text
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    AssistantReplied,
    BackgroundChanged,
    CacheCounted,
    ChangesUndone,
    ContextCompacted,
    ContextMeasured,
    DiffCounted,
    FilesChanged,
    ModelChanged,
    NoteAdded,
    NoticeLevel,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RetryScheduled,
    RunEnded,
    RunStarted,
    SessionResumed,
    SkillActivated,
    SpendingCounted,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ThinkingStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    ToolOutputStreamed,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.files import ChangeOrigin
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.hunk_text import counted, hunk_lines
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.standing import Standing

_LONGEST_SUMMARY = 200
"""Characters of a call's arguments, or of an error's first line, that get into a line."""
_MOST_FILES = 20
"""Changed files that are named; of more the count is said."""
_LASTING = frozenset({"bash", "run_command", "spawn_subagent", "web_fetch"})
"""Tools that may take long, so that their start is said too."""
_MS_PER_S = 1000
_WORTH_SAYING_MS = 100
"""Shorter calls are said without their time."""
_LINE_LIMIT = "diff_limit"
"""Code of the decision that refuses a write because too many lines would have changed."""

_AUTHORS = {ChangeOrigin.COMMAND: "a command", ChangeOrigin.UNDO: "your undo"}


class Narrator:
    """Says what the agent does."""

    def __init__(self, out: LinearOutput) -> None:
        self._out = out
        self._summaries: dict[CallId, str] = {}
        self._reviewed: set[CallId] = set()
        self._running: set[CallId] = set()
        self._is_answering = False
        self._thought = 0
        self.last_output = ""
        """Result of the call that finished last, as the model got it."""
        self.last_artifact: str | None = None
        """Name of its whole output, where that was kept."""
        self.standing = Standing()
        """What the session has used so far."""

    @property
    def running(self) -> tuple[CallId, ...]:
        """The calls that run now."""
        return tuple(self._running)

    def note_review(self, calls: frozenset[CallId]) -> None:
        """Note that the changes of these calls were read out already."""
        self._reviewed |= calls

    def tell(self, event: AgentEvent) -> None:
        """Say what an event means, if anything."""
        match event:
            case TextStreamed() | ThinkingStreamed() | AssistantReplied():
                self._tell_words(event)
            case ToolCallStarted() | ToolCallDecided() | ToolExecutionStarted():
                self._tell_start(event)
            case ToolCallFinished():
                self._tell_finished(event)
            case RunStarted() | RunEnded() | SubagentStarted() | SubagentEnded():
                self._tell_course(event)
            case FilesChanged() | BackgroundChanged() | QueueChanged() | PromptSteered():
                self._tell_standing(event)
            case NoticeRaised() | RetryScheduled() | ContextCompacted():
                self._tell_notice(event)
            case ModelChanged() | SessionResumed():
                self._tell_ground(event)
            case (
                CacheCounted()
                | ContextMeasured()
                | DiffCounted()
                | SpendingCounted()
                | UsageReported()
            ):
                self.standing.note(event)
            case (
                ApprovalRequested()
                | ApprovalSettled()
                | ChangesUndone()
                | NoteAdded()
                | SkillActivated()
                | ToolCallStreamed()
                | ToolOutputStreamed()
                | TurnEnded()
                | TurnStarted()
            ):
                # Said by who asks or answers, by the events around them, or for screens only.
                pass
            case _:
                assert_never(event)

    def _say(self, text: str, *, agent: str = "") -> None:
        self._out.say(f"{one_line(agent)}: {text}" if agent else text)

    def _tell_ground(self, event: ModelChanged | SessionResumed) -> None:
        """Tell on what the session goes on."""
        if isinstance(event, ModelChanged):
            name = f"{one_line(event.model)} of {one_line(event.provider)}"
            note = f" Endpoint: {one_line(event.endpoint_note)}." if event.endpoint_note else ""
            self._say(f"From now on {name} answers.{note}")
            return
        what = "session" if event.forked_from is None else "fork"
        self._say(f"The {what} goes on after {counted(event.runs, 'prompt')}.")
        for problem in event.problems:
            self._say(f"Warning: {one_line(problem)}")

    def _tell_words(self, event: TextStreamed | ThinkingStreamed | AssistantReplied) -> None:
        """Tell the main agent's words; a sub-agent's are in its result."""
        if event.head.agent:
            return
        if isinstance(event, ThinkingStreamed):
            self._thought += len(event.text)
            return
        if self._thought:
            self._say(f"Thought, {counted(self._thought, 'character')}.")
            self._thought = 0
        if isinstance(event, TextStreamed):
            if not self._is_answering:
                self._is_answering = True
                self._say("Assistant:")
            self._out.stream(event.text)
            return
        self.end_answer()
        if event.message.is_incomplete:
            self._say("The answer broke off here.")

    def end_answer(self) -> None:
        """End the answer that is being told, if one is."""
        self._out.end_stream()
        if self._is_answering:
            self._is_answering = False
            self._say("End of the answer.")

    def _tell_start(self, event: ToolCallStarted | ToolCallDecided | ToolExecutionStarted) -> None:
        agent = event.head.agent
        if isinstance(event, ToolExecutionStarted):
            self._running.add(event.call_id)
            name = self._summaries.get(event.call_id, "")
            if name.partition(" ")[0] in _LASTING:
                self._say(f"Running {name}.", agent=agent)
            return
        if isinstance(event, ToolCallStarted):
            self._summaries[event.call_id] = _name(event.tool, event.summary)
            return
        if event.summary:
            tool = self._summaries.get(event.call_id, "").partition(" ")[0]
            self._summaries[event.call_id] = _name(tool, event.summary)
        if event.decision.is_deny and event.decision.code == _LINE_LIMIT:
            self._say(f"{one_line(event.decision.reason)}", agent=agent)
            self._say("/raise-limit raises the limit of changed lines, /reset-count counts anew.")

    def _tell_finished(self, event: ToolCallFinished) -> None:
        self._running.discard(event.call_id)
        self.last_output = event.result.text
        self.last_artifact = event.result.artifact
        name = self._summaries.pop(event.call_id, event.tool)
        self._say(f"Tool {name}: {_outcome(event)}", agent=event.head.agent)
        if event.changes is not None:
            if event.call_id not in self._reviewed:
                self._tell_changes(event.changes)
            self._reviewed.discard(event.call_id)

    def _tell_changes(self, changes: ChangeSet) -> None:
        """Read out what was written without a review."""
        for file in changes.files:
            path = one_line(file.path, is_exact=True)
            for number, hunk in enumerate(file.applied, 1):
                self._say(f"Written to {path}, change {number} of {len(file.applied)}:")
                for line in hunk_lines(hunk):
                    self._say(line)
            self._say(f"End of the changes to {path}.")

    def _tell_course(self, event: RunStarted | RunEnded | SubagentStarted | SubagentEnded) -> None:
        match event:
            case RunStarted():
                lines, images = event.prompt.count("\n") + 1, len(event.images)
                parts = [
                    *([counted(lines, "line")] if lines > 1 else []),
                    *([counted(images, "image")] if images else []),
                ]
                size = f" ({', '.join(parts)})" if parts else ""
                again = " again, where it broke off" if event.is_retry else ""
                self._say(f"Working{again} on: {_cut(event.prompt)}{size}")
            case RunEnded():
                self.end_answer()
                error = f" {one_line(event.error)}" if event.error else ""
                retry = " /retry asks for the answer again." if event.can_retry else ""
                self._say(f"The run ended: {_words(event.ending)}.{error}{retry}")
            case SubagentStarted():
                self._say(f"The sub-agent {one_line(event.title)} begins.")
            case SubagentEnded():
                turns = counted(event.turns, "turn")
                title = one_line(event.title)
                self._say(f"The sub-agent {title} ended: {_words(event.ending)}, {turns}.")

    def _tell_standing(
        self, event: FilesChanged | BackgroundChanged | QueueChanged | PromptSteered
    ) -> None:
        match event:
            case PromptSteered():
                self._say(f"The run was told: {_cut(event.text)}")
            case FilesChanged():
                if event.origin is not ChangeOrigin.AGENT:
                    self._tell_files(event)
            case BackgroundChanged():
                for process in event.processes:
                    command = _cut(process.command)
                    self._say(f"Left running in the background, process {process.pid}: {command}")
            case QueueChanged():
                if event.prompts:
                    self._say(f"{counted(len(event.prompts), 'prompt')} in the queue.")

    def _tell_files(self, event: FilesChanged) -> None:
        by = _AUTHORS.get(event.origin, "another program")
        for change in event.changes[:_MOST_FILES]:
            path = one_line(change.path, is_exact=True)
            self._say(f"{change.kind.value.capitalize()} by {by}: {path}")
        if len(event.changes) > _MOST_FILES:
            self._say(f"And {len(event.changes) - _MOST_FILES:,} more files changed by {by}.")

    def _tell_notice(self, event: NoticeRaised | RetryScheduled | ContextCompacted) -> None:
        if isinstance(event, ContextCompacted):
            for line in compaction_text(event).splitlines():
                self._say(one_line(line), agent=event.head.agent)
            return
        if isinstance(event, RetryScheduled):
            at_once = "" if event.head.agent else " /retry does it at once, /stop stops the run."
            text = f"{one_line(event.reason)} Trying again in {event.wait_s:.0f} s.{at_once}"
        else:
            is_info = event.level is NoticeLevel.INFO
            mark = "" if is_info else f"{event.level.value.capitalize()}: "
            text = mark + one_line(event.text.replace("\n", " "))
        self._say(text, agent=event.head.agent)


def _name(tool: str, summary: str) -> str:
    return f"{one_line(tool)} {_cut(summary)}".rstrip()


def _cut(text: str) -> str:
    """Return how a text begins, in one safe line."""
    line = one_line(text.strip().split("\n", 1)[0])
    return line if len(line) <= _LONGEST_SUMMARY else f"{line[: _LONGEST_SUMMARY - 1]}…"


def _words(state: str) -> str:
    return str(state).replace("_", " ")


def _outcome(event: ToolCallFinished) -> str:
    """Return how a call ended: state, lines, exit code and time, or why it failed."""
    result = event.result
    parts = [_words(result.state)]
    if event.changes is not None:
        added = sum(file.added_lines for file in event.changes.files)
        removed = sum(file.removed_lines for file in event.changes.files)
        parts.append(f"{counted(added, 'line')} added, {removed:,} removed")
    if result.exit_code:
        parts.append(f"exit code {result.exit_code}")
    if event.is_cached:
        parts.append("cached")
    elif event.duration_ms >= _WORTH_SAYING_MS:
        parts.append(f"{event.duration_ms / _MS_PER_S:.1f} s")
    is_clear = result.state is CallState.OK or result.exit_code is not None
    why = "" if is_clear else f" {_cut(result.text)}"
    return f"{', '.join(parts)}.{why}"
