"""Turn a session's events into what a person reads of it.

Owns which parts an export shows, and in which order: prompts, answers, calls with their results
and changes, notices, endings. Knows no file format. Proven by tests/unit/sessions/test_export.py.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    NoticeRaised,
    PromptSteered,
    RunEnded,
    RunStarted,
    TextStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
)
from caramelo_tui.domain.diffs import ChangeSet, Hunk
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.sessions.codec import UnknownEvent

if TYPE_CHECKING:
    from caramelo_tui.domain.ids import CallId


class PartKind(StrEnum):
    """What a part of a session is."""

    PROMPT = "prompt"
    ANSWER = "answer"
    CALL = "call"
    NOTICE = "notice"
    ENDING = "ending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that was said or done; all texts are unsafe as they are."""

    kind: PartKind
    at: float
    """Seconds since the Unix epoch, UTC."""
    title: str
    """One line: who or what."""
    text: str
    """What was said, or a call's result; a Markdown text for answers."""
    diff: str = ""
    """What a call wrote, as lines of a diff."""


def parts_of(events: Iterable[AgentEvent | UnknownEvent]) -> Iterator[Part]:
    """Yield what a person reads, in order; of sub-agents only what their parents' calls say."""
    reading = _Reading()
    for event in events:
        if not isinstance(event, UnknownEvent) and not event.head.agent:
            yield from reading.take(event)
    yield from reading.end()


class _Reading:
    """What was read so far, as far as later events need it."""

    def __init__(self) -> None:
        self._summaries: dict[CallId, str] = {}
        self._streamed: list[str] = []
        self._at = 0.0

    def take(self, event: AgentEvent) -> Iterator[Part]:
        """Yield the parts that an event makes known."""
        self._at = event.head.at
        match event:
            case RunStarted() | PromptSteered():
                yield from self.end()
                yield self._prompt(event)
            case TextStreamed():
                self._streamed.append(event.text)
            case AssistantReplied():
                self._streamed.clear()
                yield from self._answer(event.message.text, is_cut=event.message.is_incomplete)
            case TurnStarted():
                yield from self.end()
            case ToolCallStarted(summary=summary) | ToolCallDecided(summary=summary):
                if summary:
                    self._summaries[event.call_id] = summary
            case ToolCallFinished():
                yield self._call(event)
            case NoticeRaised():
                yield self._part(PartKind.NOTICE, event.level.value, event.text)
            case RunEnded():
                yield self._part(PartKind.ENDING, event.ending.value, event.error)
            case _:
                # Steps and counts of the screen; the JSON export has all of them.
                pass

    def end(self) -> Iterator[Part]:
        """Yield what was streamed of an answer that never became whole."""
        text = "".join(self._streamed)
        self._streamed.clear()
        yield from self._answer(text, is_cut=True)

    def _answer(self, text: str, *, is_cut: bool) -> Iterator[Part]:
        if text:
            title = "Assistant (broken off)" if is_cut else "Assistant"
            yield self._part(PartKind.ANSWER, title, text)

    def _prompt(self, event: RunStarted | PromptSteered) -> Part:
        text = event.prompt if isinstance(event, RunStarted) else event.text
        lines = [text, *map(_image_line, event.images)]
        return self._part(PartKind.PROMPT, "You", "\n".join(lines))

    def _call(self, event: ToolCallFinished) -> Part:
        summary = self._summaries.pop(event.call_id, "")
        state = event.result.state.value.replace("_", " ")
        name = f"{event.tool} {summary}".rstrip()
        diff = "" if event.changes is None else diff_text(event.changes)
        return Part(
            kind=PartKind.CALL,
            at=self._at,
            title=f"{name} · {state}",
            text=event.result.text,
            diff=diff,
        )

    def _part(self, kind: PartKind, title: str, text: str) -> Part:
        return Part(kind=kind, at=self._at, title=title, text=text)


def _image_line(image: ImageAttachment) -> str:
    return f"[image {image.name}, {image.media_type}, {len(image.data):,} bytes]"


def diff_text(changes: ChangeSet) -> str:
    """Return what was written as the lines of a unified diff; rejected hunks are left out."""
    lines: list[str] = []
    for file in changes.files:
        old = file.path if file.before is not None else "/dev/null"
        new = file.path if file.after is not None else "/dev/null"
        lines += [f"--- {old}", f"+++ {new}"]
        for hunk in file.applied:
            lines += _hunk_lines(hunk)
    return "\n".join(lines)


def _hunk_lines(hunk: Hunk) -> Iterator[str]:
    above = len(hunk.context_before)
    around = above + len(hunk.context_after)
    yield (
        f"@@ -{hunk.old_start - above},{len(hunk.old_lines) + around} "
        f"+{hunk.new_start - above},{len(hunk.new_lines) + around} @@"
    )
    for sign, group in (
        (" ", hunk.context_before),
        ("-", hunk.old_lines),
        ("+", hunk.new_lines),
        (" ", hunk.context_after),
    ):
        for line in group:
            yield sign + line.rstrip("\n")
