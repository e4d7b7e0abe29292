"""Say what one line of the journal holds, and turn it into text and back.

Owns the entries and their JSON form. Reads and writes no file. A field that an older version did
not write has its default. Proven by tests/unit/workspace/test_journal.py.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from caramelo_tui.domain.ids import CallId, RunId, TurnId

_LAST_MOMENT = 1e12
"""Seconds since the Unix epoch; later is no time that a clock told."""
_ALL_MODE_BITS = 0o7777


class EntryKind(StrEnum):
    """What changed a file."""

    CALL = "call"
    """A write of the model's."""
    COMMAND = "command"
    """A command of the model's, found by comparing the tree before and after."""
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """Parts of an earlier entry that an undo took back, or that a redo put back."""

    number: int
    """The entry's number."""
    parts: tuple[int, ...]
    """Its hunks by index from 0, in order; a change of the whole file is part 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedChange:
    """One change of one file, to be recorded."""

    call_id: CallId
    """The call, or what an undo or a redo is known by."""
    path: str
    """Workspace-relative resolved path."""
    before: bytes | None
    """Content before; ``None``: no file."""
    after: bytes | None
    """Content after; ``None``: deleted."""
    run_id: RunId | None = None
    turn_id: TurnId | None = None
    kind: EntryKind = EntryKind.CALL
    switches: tuple[Switch, ...] = ()
    redone: tuple[int, ...] = ()
    """For a redo: numbers of the undo's entries that it takes back."""
    mode: int | None = None
    """Permission bits of the file before; ``None``: not known, or no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One file changed by one call, command, undo or redo."""

    at: float
    """Seconds since the Unix epoch, UTC."""
    run_id: RunId | None
    """``None`` outside a run, for a call made by hand."""
    turn_id: TurnId | None
    """``None`` outside a turn."""
    call_id: CallId
    path: str
    """Workspace-relative resolved path."""
    before_hash: str | None
    """Hash of the content before, to be read with ``Journal.blob``; ``None``: no file."""
    after_hash: str | None
    """Hash of the content after; ``None``: the file was deleted."""
    number: int = 0
    """Place in the journal, from 0."""
    kind: EntryKind = EntryKind.CALL
    switches: tuple[Switch, ...] = ()
    redone: tuple[int, ...] = ()
    mode: int | None = None


def entry_line(entry: JournalEntry) -> str:
    """Return an entry as one line of JSON, without its end."""
    fields: dict[str, object] = {
        "at": entry.at,
        "run_id": entry.run_id,
        "turn_id": entry.turn_id,
        "call_id": entry.call_id,
        "path": entry.path,
        "before": entry.before_hash,
        "after": entry.after_hash,
    }
    if entry.kind is not EntryKind.CALL:
        fields["kind"] = entry.kind.value
    if entry.switches:
        fields["switches"] = [[switch.number, *switch.parts] for switch in entry.switches]
    if entry.redone:
        fields["redone"] = list(entry.redone)
    if entry.mode is not None:
        fields["mode"] = entry.mode
    return json.dumps(fields)


def void_line(numbers: tuple[int, ...]) -> str:
    """Return the line that says of earlier entries that they did not happen."""
    return json.dumps({"void": list(numbers)})


def read_line(line: bytes, number: int) -> JournalEntry | tuple[int, ...] | None:
    """Return what one line holds.

    Args:
        line: Without its end.
        number: What the entry is to be numbered by, if it is one.

    Returns:
        An entry, or the numbers of entries that did not happen; ``None`` for a line that a
        crash cut off.
    """
    try:
        raw: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    fields = cast("dict[str, object]", raw)
    if "void" in fields:
        return _numbers(fields["void"])
    return _entry(fields, number)


def _entry(fields: Mapping[str, object], number: int) -> JournalEntry | None:
    at, call_id, path = fields.get("at"), fields.get("call_id"), fields.get("path")
    if not isinstance(at, int | float) or not isinstance(call_id, str) or not isinstance(path, str):
        return None
    if not 0 <= at <= _LAST_MOMENT or not _can_name_a_file(path):
        return None
    kind = fields.get("kind", EntryKind.CALL.value)
    if not isinstance(kind, str) or kind not in set(EntryKind):
        return None
    run_id, turn_id = _text_or_none(fields, "run_id"), _text_or_none(fields, "turn_id")
    mode = fields.get("mode")
    return JournalEntry(
        at=float(at),
        run_id=None if run_id is None else RunId(run_id),
        turn_id=None if turn_id is None else TurnId(turn_id),
        call_id=CallId(call_id),
        path=path,
        before_hash=_text_or_none(fields, "before"),
        after_hash=_text_or_none(fields, "after"),
        number=number,
        kind=EntryKind(kind),
        switches=_switches(fields.get("switches")),
        redone=_numbers(fields.get("redone")),
        mode=mode if isinstance(mode, int) and 0 <= mode <= _ALL_MODE_BITS else None,
    )


def _can_name_a_file(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def _text_or_none(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    return value if isinstance(value, str) else None


def _numbers(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(item for item in cast("list[object]", value) if isinstance(item, int))


def _switches(value: object) -> tuple[Switch, ...]:
    if not isinstance(value, list):
        return ()
    rows = [_numbers(row) for row in cast("list[object]", value)]
    return tuple(Switch(number=row[0], parts=row[1:]) for row in rows if row)
