"""Say what is protected and what is blocked.

Owns the rule set and how its patterns match paths. Patterns and paths are compared part by
part, with letter case folded and Unicode normalised, whether or not a file is there. Pure.
Proven by tests/unit/policy/test_rules.py and tests/property/test_policy.py.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache

DEFAULT_PROTECTED_PATHS = (
    ".env*",
    "package.json",
    "pyproject.toml",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "SKILL.md",
    ".cursorrules",
    "**/.github/**",
    "**/.caramelo/**",
    "**/.vscode/**",
    "**/.idea/**",
    "**/.cursor/**",
)
"""What configures builds, editors, agents or this program; writing it always asks."""

GIT_FOLDER = ".git"
"""Never written by a file tool: its hooks and settings run programs."""
GIT_FOLDER_SHORT = "git~1"
"""The name that a Windows disk, seen from WSL, also gives to ``.git``."""


class ProtectedAction(StrEnum):
    """What becomes of a write to a protected path."""

    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRules:
    """What the user configured, on top of what is built in."""

    protected_paths: tuple[str, ...] = ()
    """Further patterns; one without a slash matches a name at any depth."""
    protected_action: ProtectedAction = ProtectedAction.ASK
    blocked_commands: tuple[str, ...] = ()
    """Commands that are always refused, such as ``sudo``, ``git push --force``, ``curl | sh``."""

    def protecting(self, path: str) -> str | None:
        """Return the pattern that protects a path; ``None`` when it is free.

        Args:
            path: Workspace-relative, with ``/`` between the parts.
        """
        for pattern in (*self.protected_paths, *DEFAULT_PROTECTED_PATHS):
            if matches(path, pattern):
                return pattern
        return None


def is_in_git_folder(path: str) -> bool:
    """Whether a path is, or lies in, a ``.git`` at any depth, however it is spelled.

    Spellings that only a Windows disk takes for it (a backslash between the parts, a stream
    behind a colon, the short name) count everywhere: they err on the safe side.
    """
    parts = path.replace("\\", "/").split("/")
    names = {_folded(part).partition(":")[0].rstrip(". ") for part in parts}
    return not names.isdisjoint({GIT_FOLDER, GIT_FOLDER_SHORT})


def matches(path: str, pattern: str) -> bool:
    """Whether a pattern matches a path.

    ``*`` and ``?`` stay within a part, ``**`` spans any number of parts. A pattern without a
    slash matches any part of the path. One that matches a folder matches all in it.
    """
    parts = tuple(_folded(part) for part in path.split("/") if part not in {"", "."})
    wanted = _pattern_parts(pattern)
    if len(wanted) == 1:
        return any(fnmatchcase(part, wanted[0]) for part in parts)
    return _spans(parts, wanted)


@lru_cache(maxsize=256)
def _pattern_parts(pattern: str) -> tuple[str, ...]:
    return tuple(_folded(part) for part in pattern.split("/") if part not in {"", "."})


def _spans(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Match by rows: which prefixes of the pattern can have matched so far."""
    reached = _with_empty_spans({0}, wanted)
    for part in parts:
        if len(wanted) in reached:
            return True
        following: set[int] = set()
        for at in reached:
            if wanted[at] == "**":
                following.add(at)
            elif fnmatchcase(part, wanted[at]):
                following.add(at + 1)
        reached = _with_empty_spans(following, wanted)
    # ``x/**`` also protects a file that is put in the folder's place.
    return len(wanted) in reached


def _with_empty_spans(reached: set[int], wanted: Sequence[str]) -> set[int]:
    complete = set(reached)
    for at in sorted(reached):
        following = at
        while following < len(wanted) and wanted[following] == "**":
            following += 1
            complete.add(following)
    return complete


def _folded(part: str) -> str:
    # Invisible characters go, too: some file systems ignore them in names.
    seen = "".join(char for char in part if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", seen).casefold())
