"""Review proposed writes hunk by hunk, in lines.

Owns the decisions about one review, its words and its short commands. Every hunk starts
undecided and nothing but the user decides one. Proven by
tests/unit/headless/test_linear_review.py.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.review import preview
from caramelo_tui.domain.approvals import ProposedWrite, Remark, ReviewAnswer, ReviewRequest
from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.headless.linear.dialogs import Reply, chosen, not_an_answer, numbered, one_line
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.hunk_text import counted, hunk_lines
from caramelo_tui.headless.linear.review_edits import ReviewEdits

_HELP = (
    "Type: a 1 to accept hunk 1, r 1 to reject it, a 1-3 or a all for several, c 1 TEXT for a "
    "remark, h 1 to hear it again, e 1 to edit its file in your editor, g 1 to be asked less about "
    "its file, l to list the decisions, s to settle."
)
_GRANT_INTRO = (
    "Later writes that match are not asked about, to the end of this session. Protected paths and "
    "line limits ask as ever. What waits now still needs your answer."
)
_SETTLE_CHOICES = ("accept them", "reject them", "go back")
_NUMBERS = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One hunk with the write that it belongs to."""

    write: ProposedWrite
    hunk: Hunk

    @property
    def path(self) -> str:
        return self.write.proposal.path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    """What may be granted at a file."""

    path: str
    grants: tuple[WriteGrant, ...]

    @property
    def choices(self) -> list[str]:
        names = [
            f"{one_line(grant.pattern, is_exact=True)}, {one_line(grant.covers)}"
            for grant in self.grants
        ]
        return [*names, "go back"]


class ReviewQuestion:
    """One waiting review and the decisions about it."""

    def __init__(self, request: ReviewRequest, agent: AgentPort, editor: LinearEditor) -> None:
        """Ask about writes.

        Args:
            request: The frozen question.
            agent: Knows what may be granted.
            editor: Edits a proposed file.
        """
        self._request = request
        self._agent = agent
        self._edits = ReviewEdits(editor)
        self._items = _in_order(request.writes)
        self._decisions: dict[HunkId, bool | None] = {item.hunk.id: None for item in self._items}
        self._remarks: dict[HunkId, Remark] = {}
        self._file_remarks: tuple[Remark, ...] = ()
        self._is_settling = False
        self._offer: _Offer | None = None
        self._commands: dict[str, Callable[[str], Reply]] = {
            "a": partial(self._decide, is_accepted=True),
            "r": partial(self._decide, is_accepted=False),
            "c": self._remark,
            "h": self._hear,
            "g": self._offer_grants,
            "l": lambda _rest: Reply(say=(*self._list(), _HELP)),
            "s": lambda _rest: self._settle(),
        }

    @property
    def request(self) -> ReviewRequest:
        """The question, with proposals as the user edited them."""
        return self._request

    @property
    def takes_text(self) -> bool:
        """Every line of a review may decide something, so none may be pasted."""
        return False

    @property
    def undecided(self) -> int:
        """Hunks without a decision."""
        return list(self._decisions.values()).count(None)

    def text(self) -> tuple[str, ...]:
        """Return all files and hunks, with what can be typed at the end."""
        files = len({item.path for item in self._items} | {*map(_path, self._request.writes)})
        agent = self._request.agent_title
        lines = [
            f"Review: {counted(files, 'file')}, {counted(len(self._items), 'hunk')}.",
            "Nothing is written before you settle it.",
            *([f"Asked by the sub-agent {one_line(agent)}."] if agent else []),
            *([f"Note: {one_line(self._request.note)}"] if self._request.note else []),
        ]
        seen: ProposedWrite | None = None
        for number, item in enumerate(self._items, 1):
            if item.write is not seen:
                seen = item.write
                lines += _write_lines(item.write)
            lines += self._hunk(number)
        empty = [write for write in self._request.writes if not write.proposal.hunks]
        for write in empty:
            lines += [*_write_lines(write), "It changes nothing."]
        return (*lines, "End of the review.", _HELP)

    async def take(self, lines: Sequence[str]) -> Reply:
        """Take a short command, or what becomes of the undecided hunks."""
        line = lines[0].strip()
        if self._offer is not None:
            return self._grant(self._offer, line)
        if self._is_settling:
            return self._settle_rest(line)
        word, _, rest = line.partition(" ")
        return await self._edit(rest) if word == "e" else self._command(line)

    def _command(self, line: str) -> Reply:
        word, _, rest = line.partition(" ")
        take = self._commands.get(word)
        if take is None or (word == "s" and rest):
            start = "That is no answer." if line else "An empty line decides nothing."
            return Reply(say=(start, _HELP))
        return take(rest)

    # --- decisions ---------------------------------------------------------------------

    def _decide(self, words: str, *, is_accepted: bool) -> Reply:
        numbers = self._numbers(words)
        if not numbers:
            return Reply(say=(self._no_such(words),))
        for number in numbers:
            self._decisions[self._items[number - 1].hunk.id] = is_accepted
        verb = "Accepted" if is_accepted else "Rejected"
        return Reply(say=(f"{verb} {_hunks(numbers)}. {self._counts()}", *self._consequences()))

    def _remark(self, words: str) -> Reply:
        number, _, text = words.strip().partition(" ")
        numbers = self._numbers(number)
        if len(numbers) != 1:
            return Reply(say=(self._no_such(number),))
        item = self._items[numbers[0] - 1]
        lines = item.hunk.new_lines or item.hunk.old_lines
        if not text.strip():
            self._remarks.pop(item.hunk.id, None)
            return Reply(say=(f"No remark about hunk {numbers[0]}.",))
        self._remarks[item.hunk.id] = Remark(
            path=item.path,
            text=text.strip(),
            line=item.hunk.new_start,
            excerpt=lines[0].rstrip("\r\n") if lines else "",
        )
        return Reply(
            say=(f"Remark about hunk {numbers[0]} kept; it decides nothing. {self._counts()}",)
        )

    def _hear(self, words: str) -> Reply:
        numbers = self._numbers(words)
        if not numbers:
            return Reply(say=(self._no_such(words),))
        return Reply(say=tuple(line for number in numbers for line in self._hunk(number)))

    async def _edit(self, words: str) -> Reply:
        """Have the file of a hunk edited; it is said again, undecided."""
        numbers = self._numbers(words)
        if len(numbers) != 1:
            return Reply(say=(self._no_such(words),))
        write = self._items[numbers[0] - 1].write
        edited = await self._edits.edit(self._request, write)
        if isinstance(edited, str):
            return Reply(say=(edited, f"Back in the review. {self._counts()}", _HELP))
        gone = {hunk.id for hunk in write.proposal.hunks}
        # What was said about a hunk that is gone stays as said about its file.
        self._file_remarks += tuple(
            replace(remark, line=None, excerpt="")
            for hunk_id, remark in self._remarks.items()
            if hunk_id in gone
        )
        self._remarks = {key: said for key, said in self._remarks.items() if key not in gone}
        kept = {key: is_ for key, is_ in self._decisions.items() if key not in gone}
        self._request = edited
        self._items = _in_order(edited.writes)
        self._decisions = {item.hunk.id: kept.get(item.hunk.id) for item in self._items}
        return Reply(say=("As you edited it:", *self.text()), asks_anew=True)

    def _offer_grants(self, words: str) -> Reply:
        """Say what may be granted at the file of a hunk."""
        numbers = self._numbers(words)
        if len(numbers) != 1:
            return Reply(say=(self._no_such(words),))
        path = self._items[numbers[0] - 1].path
        grants = self._agent.rules.write_grants(path)
        if not grants:
            return Reply(say=(f"Writes to {one_line(path, is_exact=True)} always ask.",))
        self._offer = _Offer(path=path, grants=grants)
        return Reply(say=(_GRANT_INTRO, numbered(self._offer.choices)), asks_anew=True)

    def _grant(self, offer: _Offer, line: str) -> Reply:
        choice = chosen(line, offer.choices)
        if choice is None:
            return Reply(say=(not_an_answer(line, len(offer.choices)),))
        self._offer = None
        back = (f"Back in the review. {self._counts()}", _HELP)
        if choice == len(offer.grants):
            return Reply(say=back)
        pattern = offer.grants[choice].pattern
        problem = self._agent.rules.grant_writes(pattern, path=offer.path)
        return Reply(say=(*([one_line(problem)] if problem else []), *back))

    def _settle(self) -> Reply:
        if not self.undecided:
            return Reply(answer=self._answer())
        self._is_settling = True
        open_hunks = counted(self.undecided, "hunk is", "hunks are")
        choices = numbered(_SETTLE_CHOICES)
        return Reply(say=(f"{open_hunks} undecided. {choices}",), asks_anew=True)

    def _settle_rest(self, line: str) -> Reply:
        choice = chosen(line, _SETTLE_CHOICES)
        if choice is None:
            return Reply(say=(not_an_answer(line, len(_SETTLE_CHOICES)),))
        self._is_settling = False
        if choice == len(_SETTLE_CHOICES) - 1:
            return Reply(say=(f"Back in the review. {self._counts()}", _HELP))
        for hunk_id, decision in self._decisions.items():
            self._decisions[hunk_id] = choice == 0 if decision is None else decision
        return Reply(answer=self._answer())

    def _answer(self) -> ReviewAnswer:
        return ReviewAnswer(
            accepted={hunk_id: is_ is True for hunk_id, is_ in self._decisions.items()},
            remarks=(*self._remarks.values(), *self._file_remarks),
            edited=self._edits.texts,
        )

    # --- words -------------------------------------------------------------------------

    def _numbers(self, words: str) -> list[int]:
        """Return the hunks that are meant; none where the words name one that is not there."""
        text = words.strip()
        if text == "all":
            return list(range(1, len(self._items) + 1))
        found = _NUMBERS.fullmatch(text)
        if found is None:
            return []
        first = int(found[1])
        last = int(found[2] or first)
        return list(range(first, last + 1)) if 1 <= first <= last <= len(self._items) else []

    def _no_such(self, words: str) -> str:
        named = one_line(words.strip()) or "nothing"
        return f"There is no hunk {named}. Hunks are numbered from 1 to {len(self._items)}."

    def _hunk(self, number: int) -> list[str]:
        item = self._items[number - 1]
        hunk = item.hunk
        path = one_line(item.path, is_exact=True)
        size = f"{counted(hunk.added_lines, 'line')} added, {hunk.removed_lines:,} removed"
        return [
            f"Hunk {number} of {len(self._items)}, {path}, line {hunk.new_start}: {size}.",
            self._state(hunk.id),
            *hunk_lines(hunk),
            f"End of hunk {number}.",
        ]

    def _state(self, hunk_id: HunkId) -> str:
        decision = self._decisions[hunk_id]
        word = {None: "Undecided", True: "Accepted", False: "Rejected"}[decision]
        return f"{word}, with a remark." if hunk_id in self._remarks else f"{word}."

    def _list(self) -> list[str]:
        return [
            f"Hunk {number}, {one_line(item.path, is_exact=True)}: {self._state(item.hunk.id)}"
            for number, item in enumerate(self._items, 1)
        ]

    def _counts(self) -> str:
        left = self.undecided
        return f"{left} undecided." if left else "All are decided; s settles the review."

    def _consequences(self) -> list[str]:
        """Say which hunks lost what they stand on; only files with several writes have such."""
        if len({*map(_path, self._request.writes)}) == len(self._request.writes):
            return []
        ahead = preview(self._request.writes, self._decisions)
        lines: list[str] = []
        for number, item in enumerate(self._items, 1):
            if item.hunk.id in ahead.dependent:
                lines.append(f"Hunk {number} depends on a rejected hunk and cannot be applied.")
            elif item.hunk.id in ahead.asked_again:
                lines.append(f"Hunk {number} will look different and is asked about again.")
        return lines


def _path(write: ProposedWrite) -> str:
    return write.proposal.path


def _in_order(writes: Sequence[ProposedWrite]) -> list[_Item]:
    """Return the hunks by file, then by write."""
    paths = dict.fromkeys(map(_path, writes))
    return [
        _Item(write=write, hunk=hunk)
        for path in paths
        for write in writes
        if _path(write) == path
        for hunk in write.proposal.hunks
    ]


def _write_lines(write: ProposedWrite) -> list[str]:
    proposal = write.proposal
    kind = "new file" if proposal.is_new else "file"
    other = proposal.shown_path != proposal.path
    shown = f", asked for as {one_line(proposal.shown_path, is_exact=True)}" if other else ""
    path = one_line(proposal.path, is_exact=True)
    return [
        f"Proposal for the {kind} {path}{shown}, by {one_line(write.tool)}.",
        *([f"Asked because: {one_line(write.reason)}"] if write.reason else []),
        *([f"Warning: {one_line(write.warning)}"] if write.warning else []),
    ]


def _hunks(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"hunk {numbers[0]}"
    return f"hunks {numbers[0]} to {numbers[-1]}"
