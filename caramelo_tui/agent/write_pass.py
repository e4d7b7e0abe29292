"""Review the writes of a turn and write what was accepted.

Owns the questions about writes, what becomes of them when a hunk before them is rejected or
their file moves, and the one place where the agent changes files: exactly the accepted hunks,
atomically, with the before-image kept first. Proven by tests/unit/agent/test_write_pass.py,
tests/unit/agent/test_stale_writes.py and tests/property/test_pipeline_invariants.py.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.approval_broker import FilesMoved, Refused
from caramelo_tui.agent.call_records import CallRecord, required
from caramelo_tui.agent.call_stages import CallStages
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.review import WriteFate, WriteOutcome, edited_write, outcome_of
from caramelo_tui.agent.turn_record import Turn
from caramelo_tui.agent.write_reports import (
    file_change,
    finish_of,
    proposed_write,
    remarks_by_call,
)
from caramelo_tui.domain.agent_events import FilesChanged
from caramelo_tui.domain.approvals import CommandAnswer, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.diffs import changed_lines
from caramelo_tui.domain.errors import StaleFile, ToolFailure
from caramelo_tui.domain.files import ChangeOrigin
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.workspace.diffing import decode, hunks_between
from caramelo_tui.workspace.file_io import content_hash

if TYPE_CHECKING:
    from caramelo_tui.workspace.journal_entries import JournalEntry

Guard = Callable[[Turn, Sequence[CallRecord], Awaitable[None]], Awaitable[None]]
"""The pipeline's border: whatever a stage raises becomes the result of these calls."""

_TRIES = 2
"""A file that moves under an answered write is proposed again once, then given up."""


class WritePass:
    """The writes of a turn, from proposal to disk."""

    def __init__(self, parts: PipelineParts, stages: CallStages, guard: Guard) -> None:
        self._parts = parts
        self._stages = stages
        self._guard = guard
        room = parts.context(lambda _stream, _text: None)
        self._overlay = room.overlay
        self._files = room.files

    def propose(self, record: CallRecord) -> None:
        """Lay a decided write over its file, so that the turn's later calls stand on it."""
        self._overlay.propose(required(record.proposal))

    def forget_proposals(self) -> None:
        """End the turn: files are again what they are on disk."""
        self._overlay.reset()

    def mark_stale(self, paths: Collection[str]) -> None:
        """End the waiting reviews of files that others really changed; they are asked again."""
        broker = self._parts.broker
        waiting = {
            write.proposal.path: write.proposal.base_hash
            for request in broker.pending
            if isinstance(request, ReviewRequest)
            for write in reversed(request.writes)
            if write.proposal.path in paths
        }
        moved = [path for path, base_hash in waiting.items() if self._hash_of(path) != base_hash]
        broker.mark_stale(moved)

    async def review(self, turn: Turn) -> None:
        """Ask about the turn's open writes until each is answered or finished."""
        await self._settle(turn, turn.unfinished_writes)

    async def perform(self, turn: Turn, group: Sequence[CallRecord]) -> None:
        """Write what was accepted of consecutive writes to one file, once, with the sum.

        A file that changed since it was shown is proposed and asked again once, then refused.
        Afterwards each call is finished or ready to be reported.

        Raises:
            ToolFailure: If the file could not be written; nothing of the group was.
        """
        for _ in range(_TRIES):
            await self._settle_as_decided(turn, group)
            left = [record for record in group if not record.is_finished]
            if not left:
                return
            try:
                await self._write(turn, left)
            except StaleFile:
                # Somebody wrote between the last look and the write: look again.
                continue
            return
        turn.fail_all(group, call_texts.STILL_STALE)

    async def _settle_as_decided(self, turn: Turn, group: Sequence[CallRecord]) -> None:
        """Settle, and again as long as a rule has become stricter while an answer was out."""
        while True:
            await self._settle(turn, group)
            is_stricter = False
            for record in group:
                if not record.is_finished:
                    is_asked = await self._stages.decide_again(turn, record)
                    is_stricter = is_stricter or is_asked or record.is_finished
            if not is_stricter:
                return

    async def _settle(self, turn: Turn, records: Sequence[CallRecord]) -> None:
        """Work the writes out on the disk as it is, asking until no answer is out."""
        while True:
            await self._lay_over_disk(turn, records)
            still_open = [record for record in records if record.is_open]
            if not still_open:
                return
            if turn.is_stopped:
                for record in still_open:
                    turn.fail(record, call_texts.UNREVIEWED_AT_STOP, CallState.NOT_RUN)
                return
            is_one_by_one = self._parts.mode() is ApprovalMode.EACH
            await self._ask(turn, still_open[:1] if is_one_by_one else still_open)

    async def _lay_over_disk(self, turn: Turn, records: Sequence[CallRecord]) -> None:
        """Lay the writes over the disk as it is, in order, and find what each comes to."""
        self._overlay.reset()
        seen: set[str] = set()
        for record in records:
            path = record.path
            if record.is_finished or path is None:
                continue
            if path not in seen:
                seen.add(path)
                await self._guard(turn, (record,), self._look_at_disk(turn, records, path))
            if not record.is_finished:
                await self._guard(turn, (record,), self._lay_over(turn, record))

    async def _look_at_disk(self, turn: Turn, records: Sequence[CallRecord], path: str) -> None:
        """Void the answers that were given for a file that is another one now."""
        found = await asyncio.to_thread(self._files.read_if_exists, path)
        now = None if found is None else found.data
        before = turn.base.setdefault(path, now)
        if before == now:
            return
        turn.base[path] = now
        regions = hunks_between(
            decode(before or b""), decode(now or b""), call_id=records[0].call.id
        )
        for record in turn.unfinished_writes:
            if record.path != path or record.is_turned_down or record.ready is not None:
                continue
            # A write that comes later is asked at its own place, if the file has moved then.
            if record in records and record.answers is not None:
                record.times_stale += 1
            if record.times_stale >= _TRIES:
                turn.fail(record, call_texts.STILL_STALE)
                continue
            record.reopen(call_texts.changed_on_disk(path, regions))
            record.is_moved = True

    async def _lay_over(self, turn: Turn, record: CallRecord) -> None:
        """Work one write out on what is accepted before it, made again where it has to be."""
        proposal = required(record.proposal)
        current = await asyncio.to_thread(self._overlay.current, proposal.path)
        if not await _stands_on(record, current):
            await self._make_again(turn, record)
        if record.is_finished:
            return
        proposal, answers = required(record.proposal), record.answers
        if answers is None:
            self._overlay.propose(proposal)
            return
        outcome = await asyncio.to_thread(outcome_of, proposal, current, answers)
        record.outcome = outcome
        if outcome.after is not None and outcome.after != current:
            self._overlay.propose(replace(outcome.proposal, after=outcome.after))

    async def _make_again(self, turn: Turn, record: CallRecord) -> None:
        path, is_moved = record.path, record.is_moved
        record.is_moved = False
        if record.accepted is not None:
            record.reopen(call_texts.MADE_AGAIN)
        try:
            prepared = await self._stages.prepare(turn, record)
        except ToolFailure as failure:
            if is_moved:
                text = call_texts.stale_and_impossible(str(path), str(failure))
                raise ToolFailure(text) from failure
            if not _stands_behind_fallen(turn, record):
                raise
            text = call_texts.depends_on_fallen(str(path), str(failure))
            turn.fail(record, text, CallState.REJECTED)
            return
        if record.path != path and not record.is_finished:
            raise ToolFailure(call_texts.moved_elsewhere(str(path), prepared.summary))

    async def _ask(self, turn: Turn, batch: Sequence[CallRecord]) -> None:
        writes = tuple(proposed_write(record) for record in batch)
        request = ReviewRequest(
            id=ApprovalId(self._parts.ids.new("approval")),
            writes=writes,
            note="\n".join(dict.fromkeys(r.why_again for r in batch if r.why_again)),
            agent_title=self._parts.agent_title,
        )
        reply = await self._parts.broker.ask(request)
        match reply:
            case ReviewAnswer():
                _take(turn, batch, request, reply)
                await self._take_edits(turn, batch, request, reply)
            case Refused(reason=reason):
                for record in batch:
                    turn.refuse(record, reason)
            case FilesMoved():
                # The next look at the disk finds what moved and makes the writes again.
                return
            case CommandAnswer() | None:
                text = call_texts.interrupted(is_write=True, is_running=False)
                for record in batch:
                    turn.fail(record, text, CallState.CANCELLED)

    async def _take_edits(
        self, turn: Turn, batch: Sequence[CallRecord], request: ReviewRequest, answer: ReviewAnswer
    ) -> None:
        """Put what the user made of proposals in their place; the policy decides on it anew."""
        for record, write in zip(batch, request.writes, strict=True):
            content = answer.edited.get(write.call_id)
            if content is None or record.is_finished:
                continue
            shown = required(record.prepared)
            edited = edited_write(write, content).proposal
            await self._stages.judge_edited_write(turn, record, replace(shown, proposal=edited))
            if record.is_finished:
                continue
            record.proposed_after = write.proposal.after
            record.accepted = {
                hunk.id: answer.accepted.get(hunk.id, False) for hunk in edited.hunks
            }
            # What the user made and accepted is what was shown.
            record.permission = required(record.prepared).fingerprint

    async def _write(self, turn: Turn, left: Sequence[CallRecord]) -> None:
        """Write the sum of settled writes to their one file, and make their reports ready.

        Raises:
            StaleFile: If the file is another one than it was a moment ago.
            ToolFailure: If it could not be written, or is not what was allowed (I2).
        """
        settled = [(record, required(record.outcome)) for record in left]
        path = settled[0][1].proposal.path
        before, after = turn.base[path], settled[-1][1].after
        applied = [(record, outcome) for record, outcome in settled if outcome.applied]
        if after is not None and after != before:
            for record, _ in applied:
                if not record.is_permitted:
                    raise ToolFailure(call_texts.NOT_WHAT_WAS_ALLOWED)
                turn.begin_execution(record)
            await _to_the_end(turn, lambda: self._put(turn, applied, before, after))
            turn.base[path] = after
            self._parts.lines.book(sum(changed_lines(outcome.applied) for _, outcome in applied))
            self._parts.cache.drop_path(path)
            self._report_change(path, before)
        for record, outcome in settled:
            record.ended_at = self._parts.clock.monotonic()
            record.ready = finish_of(record, outcome, after)

    def _put(
        self,
        turn: Turn,
        applied: Sequence[tuple[CallRecord, WriteOutcome]],
        before: bytes | None,
        after: bytes,
    ) -> None:
        """Keep the images, then write. In a thread.

        Raises:
            StaleFile: If the file is another one than it was a moment ago.
            ToolFailure: If the images could not be kept, or it could not be written; the file
                is as it was then.
        """
        path = applied[0][1].proposal.path
        kept: list[JournalEntry] = []
        try:
            for record, outcome in applied:
                entry = self._parts.journal.record(
                    call_id=record.call.id,
                    turn_id=turn.turn_id,
                    run_id=turn.run_id,
                    path=path,
                    before=outcome.proposal.before,
                    after=outcome.after,
                )
                kept.append(entry)
        except OSError as error:
            text = call_texts.image_not_kept(path, reason_of(error))
            raise ToolFailure(text) from error
        expected = None if before is None else content_hash(before)
        try:
            stamp = self._files.write_atomic(path, after, expected_hash=expected)
        except BaseException:
            self._parts.journal.void(*kept)
            raise
        for record, _ in applied:
            record.known = {path: stamp}

    def _hash_of(self, path: str) -> str | None:
        """Return the hash of a file; ``None``: there is none, or none that can be read."""
        try:
            found = self._files.read_if_exists(path)
        except ToolFailure:
            return None
        return None if found is None else content_hash(found.data)

    def _report_change(self, path: str, before: bytes | None) -> None:
        changes = (file_change(path, before),)
        self._parts.events.emit(
            lambda head: FilesChanged(head=head, origin=ChangeOrigin.AGENT, changes=changes),
            agent=self._parts.agent_title,
        )


async def _stands_on(record: CallRecord, current: bytes | None) -> bool:
    """Whether a write can be settled on the content as it is, without being made again."""
    proposal, answers = required(record.proposal), record.answers
    if record.is_moved:
        return False
    if proposal.before == current:
        return True
    if answers is None:
        return False
    outcome = await asyncio.to_thread(outcome_of, proposal, current, answers)
    return outcome.fate is not WriteFate.ASK_AGAIN


def _stands_behind_fallen(turn: Turn, record: CallRecord) -> bool:
    return any(
        earlier.path == record.path and earlier.has_fallen
        for earlier in turn.records[: record.index]
    )


def _take(
    turn: Turn, batch: Sequence[CallRecord], request: ReviewRequest, answer: ReviewAnswer
) -> None:
    if answer.stops_run:
        for record in batch:
            turn.fail(record, call_texts.REVIEW_STOPPED, CallState.DENIED)
        turn.stop(batch[0])
        return
    remarks = remarks_by_call(request.writes, answer.remarks)
    for record, write in zip(batch, request.writes, strict=True):
        record.accepted = {
            hunk.id: answer.accepted.get(hunk.id, False) for hunk in write.proposal.hunks
        }
        record.permission = write.fingerprint
        record.remarks = remarks.get(write.call_id, ())
        record.why_again = ""


async def _to_the_end(turn: Turn, work: Callable[[], None]) -> None:
    """Run a short piece of blocking work to its end, so that the record matches the disk.

    A cancellation meanwhile is noted in the turn; the pipeline raises it afterwards.
    """
    running = asyncio.create_task(asyncio.to_thread(work))
    while not running.done():
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError:
            turn.is_interrupted = True
    running.result()
