"""Show what the model is writing into files while it still writes the call.

Owns the growing arguments of writing calls, when they are read (some times a second, never while
painting, and big ones in a thread), and the sections that are drawn from them. It proposes and
decides nothing: a call leaves when its proposal comes, when it ends, or when the stream breaks.
Proven by tests/unit/ui/test_live_proposals.py and tests/pilot/test_live_changes.py.
"""

import asyncio
import posixpath
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from caramelo_tui.agent.partial_writes import (
    WRITING_TOOLS,
    Draft,
    PartialWrite,
    draft_of,
    partial_write,
)
from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    AssistantReplied,
    RunEnded,
    SubagentEnded,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    TurnEnded,
)
from caramelo_tui.domain.approvals import ReviewRequest
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.widgets.diff_sections import FileSection, HunkSection, Section, TextSection
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows

if TYPE_CHECKING:
    from textual.widget import Widget

READING_S = 0.1
"""Pause between two readings of growing arguments."""

REST_FACTOR = 10
"""A reading that took long is followed by a pause of so many times its length."""

THREAD_CHARACTERS = 32_768
"""Arguments from this size are read in a thread."""

_BOM = b"\xef\xbb\xbf"
"""Bytes that a file may have more than its text shows."""

ReadBase = Callable[[str], Awaitable[FilePreview]]


@dataclass(slots=True)
class GrowingCall:
    """One writing call whose arguments come in."""

    call_id: CallId
    tool: str
    agent: str
    fragments: list[str] = field(default_factory=list[str])
    size: int = 0
    is_whole: bool = False
    is_changed: bool = True
    write: PartialWrite | None = None
    draft: Draft = field(default_factory=Draft)
    sections: list[Section] = field(default_factory=list[Section])

    def add(self, fragment: str) -> None:
        """Take in more of the arguments."""
        self.fragments.append(fragment)
        self.size += len(fragment)
        self.is_whole = False
        self.is_changed = True

    @property
    def arguments(self) -> str:
        """All that came so far."""
        if len(self.fragments) > 1:
            self.fragments = ["".join(self.fragments)]
        return "".join(self.fragments)


@dataclass(frozen=True, slots=True)
class _Base:
    """A file before the turn's writes."""

    text: str | None
    """``None``: there is none, or it is too big or no text."""
    is_new: bool


def _base_of(preview: FilePreview) -> _Base:
    if preview.problem:
        return _Base(None, is_new=not preview.size)
    # Of a file that was cut, the place of an edit cannot be told.
    size = len(preview.text.encode("utf-8", "surrogateescape")) + len(_BOM)
    is_whole = size >= preview.size
    return _Base(preview.text if is_whole else None, is_new=False)


class LiveProposals:
    """The calls that are being written, in the order in which they began."""

    def __init__(self) -> None:
        self.read_base: ReadBase | None = None
        """Asks for the text of a file; ``None`` before there is an agent."""
        self._calls: dict[CallId, GrowingCall] = {}
        self._bases: dict[str, _Base] = {}

    @property
    def files(self) -> int:
        """Files that are being written to."""
        return len({call.write.path for call in self._calls.values() if call.write is not None})

    @property
    def has_news(self) -> bool:
        """Whether arguments came that were not read yet."""
        return any(call.is_changed for call in self._calls.values())

    @property
    def sections(self) -> list[Section]:
        """What is drawn of all calls."""
        return [section for call in self._calls.values() for section in call.sections]

    def take(self, event: AgentEvent) -> bool:
        """Take in an event; return whether something that is shown has to go."""
        match event:
            case ToolCallStreamed() if event.tool in WRITING_TOOLS:
                self._grow(event)
            case ToolCallStarted() if (call := self._calls.get(event.call_id)) is not None:
                call.fragments = [event.arguments_json]
                call.is_whole = call.is_changed = True
            case _:
                over = _ended_by(event) if self._calls else None
                return over is not None and self._drop(over)
        return False

    def clear(self) -> None:
        """Forget everything."""
        self._drop(lambda _call: True)

    async def read(self) -> float:
        """Read what came and work out what it comes to; return how long that took, in seconds.

        When cancelled, what was read before stays.
        """
        started = time.monotonic()
        standing: dict[tuple[str, str], str] = {}
        for call in tuple(self._calls.values()):
            if call.is_changed:
                call.is_changed = False
                await self._work_out(call, standing)
            if call.write is not None and call.draft.after is not None:
                standing[call.agent, posixpath.normpath(call.write.path)] = call.draft.after
        return time.monotonic() - started

    async def _work_out(self, call: GrowingCall, standing: dict[tuple[str, str], str]) -> None:
        is_big = call.size > THREAD_CHARACTERS
        arguments, is_whole = call.arguments, call.is_whole

        def parsed() -> PartialWrite | None:
            return partial_write(call.tool, arguments, is_whole=is_whole)

        write = await asyncio.to_thread(parsed) if is_big else parsed()
        if write is None:
            return
        path = posixpath.normpath(write.path)
        place = call.agent, path
        base = await self._base(path)
        before = standing.get(place, base.text)

        def drafted() -> Draft:
            return draft_of(write, before, call_id=call.call_id)

        draft = await asyncio.to_thread(drafted) if is_big else drafted()
        call.write, call.draft = write, draft
        call.sections = _sections(call, write, draft, is_new=base.is_new and before is None)

    async def _base(self, path: str) -> _Base:
        """Return what is known of a file, asked for once while calls grow."""
        bases = self._bases
        if path not in bases:
            if self.read_base is None:
                return _Base(None, is_new=True)
            bases[path] = _base_of(await self.read_base(path))
        return bases[path]

    def _grow(self, event: ToolCallStreamed) -> None:
        call = self._calls.get(event.call_id)
        if call is None:
            self._end_earlier(event.head.agent)
            call = GrowingCall(event.call_id, event.tool, event.head.agent)
            self._calls[event.call_id] = call
        call.add(event.fragment)

    def _end_earlier(self, agent: str) -> None:
        """Take an agent's calls as whole once its next one begins."""
        for call in self._calls.values():
            if call.agent == agent and not call.is_whole:
                call.is_whole = call.is_changed = True

    def _drop(self, goes: Callable[[GrowingCall], bool]) -> bool:
        gone = [call for call in self._calls.values() if goes(call)]
        for call in gone:
            del self._calls[call.call_id]
        if not self._calls:
            # The next turn's files may be others on disk; a reading under way keeps its own.
            self._bases = {}
        return any(call.sections for call in gone)


def _ended_by(event: AgentEvent) -> Callable[[GrowingCall], bool] | None:
    """Return which calls an event takes off; ``None``: none."""
    match event:
        case ApprovalRequested() if isinstance(event.request, ReviewRequest):
            reviewed = {write.call_id for write in event.request.writes}
            return lambda call: call.call_id in reviewed
        case ToolCallFinished():
            return lambda call: call.call_id == event.call_id
        case AssistantReplied(message=message) if not message.is_incomplete:
            pass
        case AssistantReplied() | TurnEnded():
            return lambda call: call.agent == event.head.agent
        case SubagentEnded():
            return lambda call: call.agent == event.title
        case RunEnded():
            return lambda _call: True
        case _:
            pass
    return None


def _sections(
    call: GrowingCall, write: PartialWrite, draft: Draft, *, is_new: bool
) -> list[Section]:
    notes = [f"from {call.agent}"] if call.agent else []
    if write.search is None and is_new:
        notes.append("new file")
    if draft.note:
        notes.append(draft.note)
    sections: list[Section] = [
        FileSection(
            path=write.path,
            note=" · ".join(notes),
            added=draft.added,
            removed=draft.removed,
            fates=lambda: (Fate.WRITING,),
        )
    ]
    if draft.hidden_lines:
        words = f"{count_text(draft.hidden_lines, 'line')} above, shown when the call is whole"
        sections.append(TextSection(words, sign=" … ", path=write.path))
    sections += [
        HunkSection(
            hunk=hunk,
            path=write.path,
            rows=HunkRows(hunk, write.path),
            fate=lambda: Fate.WRITING,
        )
        for hunk in draft.hunks
    ]
    return sections


class LiveClock:
    """Reads growing calls some times a second, as a worker of a widget."""

    def __init__(self, owner: "Widget", live: LiveProposals, drawn: Callable[[], None]) -> None:
        self._owner = owner
        self._live = live
        self._drawn = drawn
        self._is_armed = False

    def arm(self, *, pause_s: float = READING_S) -> None:
        """Read after a pause, unless that is on its way already; no timer runs without news."""
        if self._is_armed or not self._live.has_news or not self._owner.is_attached:
            return
        self._is_armed = True
        self._owner.set_timer(pause_s, self._begin, name="live-proposals")

    def _begin(self) -> None:
        self._owner.run_worker(self._read(), name="live-proposals", group="live-proposals")

    async def _read(self) -> None:
        took_s = await self._live.read()
        self._drawn()
        self._is_armed = False
        self.arm(pause_s=max(READING_S, took_s * REST_FACTOR))
