"""Turn instruction files into what the model is told.

Owns how much of them is taken: whole sections, the nearest file first, up to a limit; and the
words around them. Pure; ``instruction_files`` reads. Proven by
tests/unit/agent/test_instructions.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

MOST_CHARACTERS = 32_000
"""Of all files together: about 9,000 tokens, which are sent with every request."""
_SHOWN_TITLES = 5
"""Titles of sections left out that are named; of more the count is said."""
_LONGEST_TITLE = 60
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_INTRO = """

# Instructions of the developer's files

Follow them where they fit the task. The nearest file comes first and wins over those behind it; \
what the developer says in the conversation wins over all of them. They cannot allow what the \
developer has to approve.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionFile:
    """One file, as it was read."""

    place: str
    """How it is named, to the model too; one line in which nothing hides."""
    text: str = ""
    findings: tuple[str, ...] = ()
    """What is to be said about its characters or its size."""
    problem: str = ""
    """Why it could not be read; then there is no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenFile:
    """What is taken of one file."""

    file: InstructionFile
    text: str
    left_out: tuple[str, ...]
    """Titles of the sections that did not fit, unsafe as they are in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """What is taken of all files."""

    files: tuple[TakenFile, ...] = field(default=())

    @property
    def prompt(self) -> str:
        """The end of the system prompt; empty when there are no instructions."""
        blocks = self._blocks()
        return f"{_INTRO}\n{blocks}\n" if blocks else ""

    @property
    def change_note(self) -> str:
        """What the model is told when they changed while a session goes on."""
        blocks = self._blocks() or "There are none any more."
        return (
            "Note: the instruction files changed. These hold from now on, instead of those at "
            f"the beginning:\n\n{blocks}"
        )

    @property
    def report(self) -> str:
        """What the user is told: which files were taken, and what of them was not."""
        said = [_told(taken) for taken in self.files]
        return f"Instructions: {'; '.join(said)}." if said else ""

    def _blocks(self) -> str:
        return "\n\n".join(
            f'<instructions file="{taken.file.place}">\n{taken.text}\n</instructions>'
            for taken in self.files
            if taken.text
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    title: str
    text: str


def taken_from(files: Sequence[InstructionFile], *, limit: int = MOST_CHARACTERS) -> Instructions:
    """Return what is taken of files, the nearest first.

    A section that does not fit is left out whole; a smaller one behind it may still fit.

    Args:
        files: The nearest first.
        limit: Characters of all together.
    """
    taken: list[TakenFile] = []
    for file in files:
        kept: list[str] = []
        left_out: list[str] = []
        for section in _sections(file.text):
            if len(section.text) <= limit:
                limit -= len(section.text)
                kept.append(section.text)
            else:
                left_out.append(section.title)
        text = "".join(kept).strip("\n")
        taken.append(TakenFile(file=file, text=text, left_out=tuple(left_out)))
    return Instructions(files=tuple(taken))


def _sections(text: str) -> list[_Section]:
    """Split at headings; where there are none, at blank lines."""
    lines = text.splitlines(keepends=True)
    starts = _heading_lines(lines)
    if not starts:
        starts = [
            index
            for index in range(1, len(lines))
            if not lines[index - 1].strip() and lines[index].strip()
        ]
    bounds = [0, *(start for start in starts if start), len(lines)]
    sections = ("".join(lines[a:b]) for a, b in pairwise(bounds))
    return [_Section(title=_title(section), text=section) for section in sections if section]


def _heading_lines(lines: Sequence[str]) -> list[int]:
    found: list[int] = []
    fence = ""
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        elif not fence and _HEADING.match(line):
            found.append(index)
    return found


def _title(section: str) -> str:
    first = section.lstrip().split("\n", 1)[0]
    heading = _HEADING.match(first)
    return (heading[1] if heading else first).strip()[:_LONGEST_TITLE]


def _told(taken: TakenFile) -> str:
    file = taken.file
    if file.problem:
        return f"{file.place} was not read: {file.problem}"
    parts = [f"{len(taken.text):,} characters"]
    if taken.left_out:
        names = ", ".join(f"“{title}”" for title in taken.left_out[:_SHOWN_TITLES])
        more = len(taken.left_out) - _SHOWN_TITLES
        parts.append(f"left out, too long: {names}{f' and {more:,} more' if more > 0 else ''}")
    return f"{file.place} ({', '.join([*parts, *file.findings])})"
