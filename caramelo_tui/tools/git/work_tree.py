"""Read how a working tree stands against its last commit, for the person's eyes.

Owns the two reads behind the file tree's signs and the changes against HEAD, and the parsing of
what git prints for them. The program's own safe settings apply; nothing is changed. Proven by
tests/unit/tools/git/test_work_tree.py.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.git_state import GitState, GitStates, HeadFile
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.tools.git.changes import submodule_option
from caramelo_tui.tools.git.head import read_head
from caramelo_tui.tools.git.program import OpenRepository

_CONTEXT_LINES = 3
_FIELDS_BEFORE_PATH = {"1": 8, "2": 9, "u": 10}
"""Fields of a record in front of the path. Source: git-status(1), "Porcelain Format Version 2",
git 2.39, read 2026-11-30."""
_HUNK_HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NO_END = "\\"
"""Begins the line that says that the one above has no line end."""
_DETACHED, _SHORT_NAME = "(detached)", 7
"""What git says in place of a branch, and the digits of a commit that are then shown."""
_KIND_NOTES = {"A": "new file", "D": "deleted"}


async def read_states(repository: OpenRepository) -> GitStates:
    """Return what is not as in the last commit, and what is ignored.

    Raises:
        ToolFailure: If git fails.
    """
    output = await repository.read(
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        "--ignored=traditional",
        submodule_option(repository),
        "--",
        ".",
    )
    # A list that was cut ends within a name.
    data = output.stdout
    if output.total_bytes > len(data):
        data = data[: data.rfind(b"\0") + 1]
    return parse_states(data, prefix=repository.place.prefix)


def parse_states(data: bytes, *, prefix: str) -> GitStates:
    """Read ``git status --porcelain=v2 --branch -z --no-renames --ignored``.

    Args:
        data: What git printed.
        prefix: Path of the workspace from the top of the working tree, with a final ``/``; empty
            at the top. Other paths are left out.
    """
    states: dict[str, GitState] = {}
    ignored: set[str] = set()
    heads: dict[str, str] = {}
    for record in os.fsdecode(data).split("\0"):
        kind, _blank, rest = record.partition(" ")
        if kind == "#":
            name, _blank, value = rest.partition(" ")
            heads[name] = value
            continue
        if kind in _FIELDS_BEFORE_PATH:
            fields = record.split(" ", _FIELDS_BEFORE_PATH[kind])
            path, state = fields[-1], _state_of(kind, fields[1])
        elif kind in {"?", "!"}:
            path, state = rest, GitState.UNTRACKED
        else:
            continue
        if not path.startswith(prefix):
            continue
        own = path[len(prefix) :].rstrip("/")
        if kind == "!":
            ignored.add(own)
        else:
            states[own] = state
    return GitStates(states=states, ignored=frozenset(ignored), branch=_branch_of(heads))


def _branch_of(heads: Mapping[str, str]) -> str:
    """Return the branch, or the start of the commit's name where HEAD is on none."""
    branch = heads.get("branch.head", "")
    return heads.get("branch.oid", "")[:_SHORT_NAME] if branch == _DETACHED else branch


def _state_of(kind: str, letters: str) -> GitState:
    if kind == "u":
        return GitState.CONFLICT
    if "D" in letters:
        return GitState.DELETED
    return GitState.ADDED if "A" in letters else GitState.MODIFIED


async def read_head_diff(repository: OpenRepository) -> tuple[tuple[HeadFile, ...], bool]:
    """Return the tracked files that differ from the last commit, and whether these are all.

    Raises:
        ToolFailure: If git fails.
    """
    head = await read_head(repository)
    if not head.commit:
        # Nothing to compare with: what is staged is new, as all else is.
        return (), True
    options = (
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--submodule=short",
        submodule_option(repository),
        "--relative",
        "-O/dev/null",
    )
    names = await repository.read("diff", head.commit, *options, "--name-status", "-z")
    patch = await repository.read("diff", head.commit, *options, f"--unified={_CONTEXT_LINES}")
    is_whole = patch.total_bytes == len(patch.stdout)
    fields = os.fsdecode(names.stdout).split("\0")
    kinds = tuple(zip(fields[::2], fields[1::2], strict=False))
    parts = split_patch(patch.stdout.decode("utf-8", "replace"))
    if not is_whole or len(parts) != len(kinds):
        # The last one is cut, or the tree changed between the two reads.
        parts, is_whole = parts[: min(len(parts) - 1, len(kinds))], False
    pairs = zip(kinds, parts, strict=False)
    return tuple(_head_file(kind, path, part) for (kind, path), part in pairs), is_whole


def split_patch(patch: str) -> list[list[str]]:
    """Return the lines of each file of a patch, line ends kept."""
    parts: list[list[str]] = []
    # Not ``splitlines``: only a line feed ends a line here.
    for line in re.findall(r"[^\n]*\n|[^\n]+", patch):
        if line.startswith("diff --git "):
            parts.append([])
        if parts:
            parts[-1].append(line)
    return parts


def _head_file(kind: str, path: str, lines: Sequence[str]) -> HeadFile:
    is_binary = any(line.startswith("Binary files ") for line in lines[:8])
    notes = [_KIND_NOTES.get(kind, ""), "binary" if is_binary else ""]
    hunks = hunks_of(path, lines)
    if not hunks and not is_binary and kind == "M":
        notes.append("only its mode changed")
    return HeadFile(path=path, hunks=hunks, note=" · ".join(filter(None, notes)))


@dataclass(slots=True)
class _Region:
    """A run of changed lines that grows."""

    old_start: int
    new_start: int
    before: list[str] = field(default_factory=list[str])
    old: list[str] = field(default_factory=list[str])
    new: list[str] = field(default_factory=list[str])
    after: list[str] = field(default_factory=list[str])

    @property
    def is_changed(self) -> bool:
        """Whether any changed line was found."""
        return bool(self.old or self.new)

    @property
    def next_lines(self) -> tuple[int, int]:
        """Numbers of the lines behind it, before and after the change."""
        kept = len(self.after)
        return self.old_start + len(self.old) + kept, self.new_start + len(self.new) + kept

    def take(self, sign: str, text: str) -> None:
        """Take one line; an unchanged one in front moves the start."""
        if sign == "-":
            self.old.append(text)
        elif sign == "+":
            self.new.append(text)
        elif self.is_changed:
            self.after.append(text)
        else:
            self.before.append(text)
            self.old_start += 1
            self.new_start += 1

    def drop_line_end(self) -> None:
        """Take the line end off the line above."""
        lines = next((part for part in (self.after, self.new, self.old) if part), None)
        if lines is not None:
            lines[-1] = lines[-1].removesuffix("\n")

    def hunk(self, hunk_id: str) -> Hunk:
        """Return it as a hunk."""
        return Hunk(
            id=HunkId(hunk_id),
            old_start=self.old_start,
            old_lines=tuple(self.old),
            new_start=self.new_start,
            new_lines=tuple(self.new),
            context_before=tuple(self.before),
            context_after=tuple(self.after),
        )


def hunks_of(path: str, lines: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the changed regions of one file; what git joins by unchanged lines stands apart."""
    regions: list[_Region] = []
    for line in lines:
        if head := _HUNK_HEAD.match(line):
            # A count of 0 names the line before.
            starts = int(head[1]) + (head[2] == "0"), int(head[3]) + (head[4] == "0")
            regions.append(_Region(*starts))
        elif regions and line.startswith(_NO_END):
            regions[-1].drop_line_end()
        elif regions:
            sign = line[:1]
            if sign in "-+" and regions[-1].after:
                regions.append(_follower(regions[-1]))
            regions[-1].take(sign, line[1:])
    return tuple(
        region.hunk(f"head:{path}:{number}")
        for number, region in enumerate(regions)
        if region.is_changed
    )


def _follower(region: _Region) -> _Region:
    """Begin the next region behind unchanged lines, which both share."""
    follower = _Region(*region.next_lines, before=region.after[_CONTEXT_LINES:])
    del region.after[_CONTEXT_LINES:]
    return follower
