"""Say what is protected and what is blocked.

Owns the rule set and how its patterns match paths. Patterns and paths are compared part by
part, with letter case folded and Unicode normalised, whether or not a file is there. Pure.
Proven by tests/unit/policy/test_rules.py and tests/property/test_policy.py.
"""

import unicodedata
from fnmatch import fnmatchcase
from functools import lru_cache

from caramelo_tui.domain.policy_settings import PolicySettings, ProtectedAction, Rule
from caramelo_tui.policy.path_patterns import spans

_NO_SETTINGS = PolicySettings()

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
    "**/.claude/**",
    "**/.zed/**",
    "**/.devcontainer/**",
    ".mcp.json",
)
"""What configures builds, editors, agents or this program; writing it always asks."""

GIT_FOLDER = ".git"
"""Never written by a file tool: its hooks and settings run programs."""
GIT_FOLDER_SHORT = "git~1"
"""The name that a Windows disk, seen from WSL, also gives to ``.git``."""


DEFAULT_BLOCKED_COMMANDS = ("rm -rf /",)
"""Blocked without any file; the dangerous family refuses far more."""


_GLOB = frozenset("*?[")


class PolicyRules:
    """The rules in force: those that are built in, and those of the settings on top.

    All of them count, whoever wrote them; none takes another away.
    """

    def __init__(self, settings: PolicySettings = _NO_SETTINGS) -> None:
        self.protected_action = settings.protected_action
        self.protected_action_origin = settings.protected_action_origin
        self.blocked_commands = (
            *settings.blocked_commands,
            *(Rule(text=text) for text in DEFAULT_BLOCKED_COMMANDS),
        )
        """Commands that are refused; see ``blocked_commands``."""
        self._protected = (
            *settings.protected_paths,
            *(Rule(text=text) for text in DEFAULT_PROTECTED_PATHS),
        )

    @property
    def denies_protected(self) -> bool:
        """Whether a write to a protected path is refused rather than asked."""
        return self.protected_action is ProtectedAction.DENY

    def protecting(self, path: str) -> Rule | None:
        """Return the rule that protects a path; ``None`` when it is free.

        Args:
            path: Workspace-relative, with ``/`` between the parts.
        """
        return next((rule for rule in self._protected if matches(path, rule.text)), None)

    def may_protect(self, glob: str) -> Rule | None:
        """Return a rule whose paths a shell's pattern may match; ``None`` when it cannot.

        Args:
            glob: Workspace-relative, with unquoted ``*``, ``?`` or brackets.
        """
        wild = [_folded(part) for part in glob.split("/") if not _GLOB.isdisjoint(part)]
        git = Rule(text=f"{GIT_FOLDER}/**")
        return next(
            (
                rule
                for rule in (git, *self._protected)
                if any(
                    example[:1] != "." or part[:1] in ".[{"
                    for part in wild
                    for example in _examples(rule.text)
                    if fnmatchcase(example, part)
                )
            ),
            None,
        )

    def said_of(self, rule: Rule) -> str:
        """Return the rule as a decision names it; with who says that such paths are refused."""
        name = f"protected path {rule.text}"
        if self.denies_protected and self.protected_action_origin != rule.origin:
            return f"{name}, protected_path_action = deny ({self.protected_action_origin})"
        return name


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
    slash matches any part of the path. One that matches a folder matches all in it. Square
    brackets count both as a set of characters and as themselves (``app/[id]/**``).
    """
    parts, wanted = _pattern_parts(path), _pattern_parts(pattern)
    if len(wanted) == 1:
        return any(_fits(part, wanted[0]) for part in parts)
    # ``x/**`` also protects a file that is put in the folder's place.
    return spans(parts, wanted, _fits, covers_below=True)


@lru_cache(maxsize=256)
def _examples(pattern: str) -> tuple[str, ...]:
    """Return names that a pattern protects, with little and nothing for its stars."""
    named = [part for part in _pattern_parts(pattern) if part.strip("*?")]
    return tuple(
        part.replace("*", filling).replace("?", "x") for part in named for filling in ("", "x")
    )


@lru_cache(maxsize=256)
def _pattern_parts(pattern: str) -> tuple[str, ...]:
    return tuple(_folded(part) for part in pattern.split("/") if part not in {"", "."})


def _fits(part: str, wanted: str) -> bool:
    return fnmatchcase(part, wanted) or (
        "[" in wanted and fnmatchcase(part, wanted.replace("[", "[[]"))
    )


def _folded(part: str) -> str:
    # Invisible characters go, too: some file systems ignore them in names.
    seen = "".join(char for char in part if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", seen).casefold())
