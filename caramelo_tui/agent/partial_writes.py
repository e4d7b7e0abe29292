"""Read a write call that the model is still writing.

Owns what the growing arguments of a writing call say so far, and the hunks that they would come
to if they ended here. It proposes nothing: the real proposal is made from the whole call, and
takes the place of what is drawn from here. Pure; never raises for arguments of any form. Proven
by tests/unit/agent/test_partial_writes.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import jiter

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import hunks_between, lines_of

TAIL_LINES = 120
"""Newest lines that are shown of a text that grows; the whole is shown with the proposal.
All of them are coloured at each reading, at about 0.2 ms a line."""

_COMPARED_LINES = 2_000
"""Lines of a replaced region up to which it is compared line by line while it grows."""

_CONTEXT_LINES = 3

_TEXT_ARGUMENTS: Mapping[str, tuple[str | None, str]] = {
    "file_edit": ("search", "replace"),
    "edit_file": ("old_string", "new_string"),
    "file_write": (None, "content"),
    "write_file": (None, "content"),
}
"""For each writing tool its argument with the text to find, and the one with the new text."""

WRITING_TOOLS = frozenset(_TEXT_ARGUMENTS)
"""Tools whose growing calls can be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialWrite:
    """What the arguments say so far."""

    path: str
    """As the model asked for it; whole."""
    search: str | None
    """Text to find so far; ``None`` for a whole file."""
    is_search_whole: bool
    text: str
    """New text so far, empty before it begins."""
    is_whole: bool
    """Whether the call is written to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a growing write would come to if it ended here."""

    hunks: tuple[Hunk, ...] = ()
    """Numbered as in the file before; of a long text only the newest lines."""
    note: str = ""
    """What is not there yet, such as that the place is still looked for."""
    hidden_lines: int = 0
    """New lines above those of the hunk."""
    added: int = 0
    removed: int = 0
    after: str | None = None
    """The file afterwards, on which the turn's next write stands; ``None``: not known."""


def partial_write(tool: str, arguments: str, *, is_whole: bool = False) -> PartialWrite | None:
    """Return what growing arguments say; ``None`` before their path is whole.

    Args:
        tool: One of ``WRITING_TOOLS``.
        arguments: Start of a JSON object.
        is_whole: Whether no more of it should come; arguments that are cut off are not whole.
    """
    names = _TEXT_ARGUMENTS.get(tool)
    values = _values(arguments)
    path = values.get("path")
    if names is None or not isinstance(path, str) or not path:
        return None
    is_whole = is_whole and _is_whole(arguments)
    # A value is at its end once another one follows.
    growing = None if is_whole else tuple(values)[-1]
    if growing == "path":
        return None
    search_name, text_name = names
    search = values.get(search_name) if search_name is not None else None
    text = values.get(text_name)
    return PartialWrite(
        path=path,
        search=None if search_name is None else search if isinstance(search, str) else "",
        is_search_whole=isinstance(search, str) and growing != search_name,
        text=text if isinstance(text, str) else "",
        is_whole=is_whole,
    )


def draft_of(write: PartialWrite, before: str | None, *, call_id: CallId) -> Draft:
    """Return what a growing write would come to.

    Args:
        write: The call so far.
        before: The file with the turn's earlier writes; ``None``: there is none, or its text
            is not known.
        call_id: Gives the hunks their ids, which no proposal has.
    """
    hunk_id = HunkId(f"{call_id}:growing")
    if write.search is None:
        return _whole_file(write, before, hunk_id)
    if not write.is_search_whole:
        lines = len(lines_of(write.search))
        return Draft(note=f"{lines:,} lines to be replaced so far" if lines > 1 else "begins")
    if before is None:
        return Draft(note="the file cannot be shown")
    return _edit(write.search, write, before, call_id)


def _values(arguments: str) -> Mapping[str, object]:
    try:
        value: object = jiter.from_json(
            arguments.encode("utf-8", "surrogatepass"), partial_mode="trailing-strings"
        )
    except ValueError:
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _is_whole(arguments: str) -> bool:
    try:
        jiter.from_json(arguments.encode("utf-8", "surrogatepass"))
    except ValueError:
        return False
    return True


def _whole_file(write: PartialWrite, before: str | None, hunk_id: HunkId) -> Draft:
    lines = lines_of(write.text)
    tail = lines[-TAIL_LINES:]
    if tail and not write.is_whole and not tail[-1].endswith("\n"):
        # Whether the last line has an end is not known yet.
        tail[-1] += "\n"
    hidden = len(lines) - len(tail)
    hunk = Hunk(
        id=hunk_id,
        old_start=hidden + 1,
        old_lines=(),
        new_start=hidden + 1,
        new_lines=tuple(tail),
    )
    old_lines = len(lines_of(before)) if before is not None else 0
    return Draft(
        hunks=(hunk,) if tail else (),
        note=_place_note(old_lines) if before is not None else "",
        hidden_lines=hidden,
        added=len(lines),
        removed=old_lines,
        after=write.text if write.is_whole else None,
    )


def _place_note(lines: int) -> str:
    # The tools have a function for it: they must not be loaded for the panes' first paint.
    return f"takes the place of {lines} line{'' if lines == 1 else 's'}"


def _edit(search: str, write: PartialWrite, before: str, call_id: CallId) -> Draft:
    """Find the place of an edit and compare it with the new text so far."""
    # The tools match over line endings; here only the lines count.
    base, search = before.replace("\r\n", "\n"), search.replace("\r\n", "\n")
    text = write.text.replace("\r\n", "\n")
    if text and not write.is_whole and search.endswith("\n") and not text.endswith("\n"):
        # A line that is being written is not yet joined with the one below.
        text += "\n"
    start = base.find(search) if search else -1
    if start < 0:
        return Draft(note="its text to find is not in the file as it is")
    if base.find(search, start + 1) >= 0:
        return Draft(note="its text to find stands more than once in the file")
    end = start + len(search)
    first = base.rfind("\n", 0, start) + 1
    last = end if base[end - 1] == "\n" else (base.find("\n", end) + 1 or len(base))
    old, new = base[first:last], base[first:start] + text + base[end:last]
    hunks = _region_hunks(base, (first, last), (old, new), call_id)
    return _short(
        Draft(
            hunks=hunks,
            added=sum(hunk.added_lines for hunk in hunks),
            removed=sum(hunk.removed_lines for hunk in hunks),
            after=base[:start] + text + base[end:] if write.is_whole else None,
        )
    )


def _region_hunks(
    base: str, place: tuple[int, int], texts: tuple[str, str], call_id: CallId
) -> tuple[Hunk, ...]:
    """Return the hunks of one replaced region, with the lines around it."""
    first, last = place
    old, new = texts
    above = lines_of(base[_lines_back(base, first) : first])
    below = lines_of(base[last : _lines_on(base, last)])
    line = base.count("\n", 0, first) + 1
    old_lines, new_lines = lines_of(old), lines_of(new)
    if max(len(old_lines), len(new_lines)) > _COMPARED_LINES:
        return (
            Hunk(
                id=HunkId(f"{call_id}:growing"),
                old_start=line,
                old_lines=tuple(old_lines),
                new_start=line,
                new_lines=tuple(new_lines),
                context_before=tuple(above),
                context_after=tuple(below),
            ),
        )
    around = "".join(above), "".join(below)
    shift = line - 1 - len(above)
    return tuple(
        replace(
            hunk,
            id=HunkId(f"{call_id}:growing:{number}"),
            old_start=hunk.old_start + shift,
            new_start=hunk.new_start + shift,
        )
        for number, hunk in enumerate(
            hunks_between(old.join(around), new.join(around), call_id=call_id)
        )
    )


def _lines_back(base: str, at: int) -> int:
    for _ in range(_CONTEXT_LINES):
        at = base.rfind("\n", 0, max(at - 1, 0)) + 1
    return at


def _lines_on(base: str, at: int) -> int:
    for _ in range(_CONTEXT_LINES):
        at = base.find("\n", at) + 1 or len(base)
    return at


def _short(draft: Draft) -> Draft:
    """Leave out all but the newest lines of a long hunk; what goes away stays whole or is cut."""
    if not draft.hunks or len(draft.hunks[-1].new_lines) <= TAIL_LINES:
        return draft
    hunk = draft.hunks[-1]
    hidden = len(hunk.new_lines) - TAIL_LINES
    short = replace(
        hunk,
        old_lines=(),
        new_start=hunk.new_start + hidden,
        new_lines=hunk.new_lines[hidden:],
        context_before=(),
        kept=(),
    )
    return replace(draft, hunks=(*draft.hunks[:-1], short), hidden_lines=hidden)
