"""What tests of the linear mode share: requests, and a session whose lines a test reads."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from caramelo_tui.domain.approvals import CommandRequest, ProposedWrite, ReviewRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.diffs import WholeContent, WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.session import LinearSession, Sitting
from caramelo_tui.headless.linear.start_questions import LinearTerminal
from caramelo_tui.headless.linear.typed_lines import Typed
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent


def command_request(
    command: str = "make",
    *,
    approval_id: str = "ask-1",
    cwd: str = "/home/project",
    parts: tuple[CommandPart, ...] = (),
    note: str = "",
    agent_title: str = "",
) -> CommandRequest:
    return CommandRequest(
        id=ApprovalId(approval_id),
        call_id=CallId(f"call-{approval_id}"),
        fingerprint=f"print-{approval_id}",
        tool="bash",
        command=CommandLine(command=command, cwd=".", timeout_ms=30_000),
        cwd_shown=cwd,
        parts=parts,
        reason="bash always asks.",
        note=note,
        agent_title=agent_title,
    )


def write(
    before: str | None, after: str, *, path: str = "a.py", call_id: str = "call-1"
) -> ProposedWrite:
    proposal = WriteProposal(
        call_id=CallId(call_id),
        path=path,
        shown_path=path,
        edit=WholeContent(content=after, can_overwrite=True),
        before=None if before is None else before.encode(),
        after=after.encode(),
        hunks=hunks_between(before or "", after, call_id=CallId(call_id)),
        base_hash=None,
    )
    return ProposedWrite(
        call_id=CallId(call_id),
        fingerprint=f"print-{call_id}",
        tool="file_edit",
        proposal=proposal,
        reason="writes are reviewed",
    )


def review(*writes: ProposedWrite) -> ReviewRequest:
    return ReviewRequest(id=ApprovalId("review-1"), writes=writes)


def carried_out(edited: str) -> str:
    return f"Carry out: {edited}" if edited else "Carry out the plan."


def script(folder: Path, body: str) -> str:
    """Return the command of an editor that does what a shell script says with the file ``$1``."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


TWO_HUNKS = write(
    "".join(f"line {n}\n" for n in range(1, 31)),
    "".join("changed\n" if n in {3, 25} else f"line {n}\n" for n in range(1, 31)),
)


@dataclass(slots=True)
class ManualLines:
    """Lines that a test hands over itself."""

    drops: int = 0
    answers: list[str] = field(default_factory=list[str])
    """What is typed to questions that the session waits for; then the end."""
    hides: int = 0
    lends: int = 0

    async def next(self) -> Typed | None:
        # Long after the question: no guard is in the way.
        return Typed(lines=(self.answers.pop(0),), at=sys.float_info.max) if self.answers else None

    @contextmanager
    def hidden(self) -> Iterator[None]:
        self.hides += 1
        yield

    @contextmanager
    def lent(self) -> Iterator[None]:
        self.lends += 1
        yield

    def drop_unfinished(self) -> None:
        self.drops += 1


@dataclass(slots=True)
class LinearWorld:
    """A session without its tasks: a test shows events and types lines one after the other."""

    agent: FakeAgent
    session: LinearSession
    source: int
    sink: int
    clock: ManualClock
    lines: ManualLines
    shown: int = 0
    """Events that the session has seen."""

    async def catch_up(self) -> str:
        """Show all events so far; return what was said since the last time."""
        events = self.agent.stream.events
        for event in events[self.shown :]:
            self.shown += 1
            await self.session.show(event)
        return self.news()

    async def type(self, *lines: str, after_s: float = 1.0) -> str:
        """Type lines at once; return what is said then, events included."""
        self.clock.move(after_s)
        await self.session.take(Typed(lines=lines, at=self.clock.monotonic()))
        return self.news() + await self.catch_up()

    async def type_beside(self, *lines: str) -> str:
        """Type lines whose command goes on by itself; return all that is said to its end."""
        said = await self.type(*lines)
        await asyncio.gather(*self.session._others)
        return said + await self.catch_up()

    def news(self) -> str:
        """Return what was written since the last time."""
        os.set_blocking(self.source, False)
        text = ""
        try:
            while piece := os.read(self.source, 1 << 16):
                text += piece.decode()
        except BlockingIOError:
            pass
        return text


@contextmanager
def linear_world(
    agent: FakeAgent | None = None, *, prepared: str = "", sitting: Sitting | None = None
) -> Iterator[LinearWorld]:
    """Open a session on a double; only in a running event loop."""
    source, sink = os.pipe()
    agent = agent or FakeAgent()
    clock, lines = ManualClock(), ManualLines()
    session = LinearSession(
        agent,
        LinearTerminal(lines=lines, out=LinearOutput(sink), clock=clock),
        replace(sitting or Sitting(), carry_out_prompt=carried_out, prepared=prepared),
    )
    try:
        yield LinearWorld(
            agent=agent,
            session=session,
            source=source,
            sink=sink,
            clock=clock,
            lines=lines,
        )
    finally:
        os.close(source)
        os.close(sink)
