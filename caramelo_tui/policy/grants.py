"""Remember what the user let pass, or blocked, for the rest of the session.

Owns write grants and session block rules. Both are tested against the very file or command
before they are kept. A grant is matched exactly: letter case counts, and what only resembles
a path is not covered. Nothing of it is ever stored. Proven by
tests/unit/policy/test_grants.py.
"""

from fnmatch import fnmatchcase
from pathlib import Path

from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.domain.policy_settings import THIS_SESSION, Rule
from caramelo_tui.policy.blocked_commands import (
    blocked_parts,
    described_entry,
    is_entry,
)
from caramelo_tui.policy.path_patterns import ANY_PARTS, spans
from caramelo_tui.policy.shell_commands import parse_command
from caramelo_tui.policy.shell_parts import Surroundings

_WILD = frozenset("*?")


class SessionGrants:
    """The grants and blocks of one session, shared by its sub-agents."""

    def __init__(self, *, root: Path | None = None, home: Path | None = None) -> None:
        """Start without any.

        Args:
            root: The workspace, links resolved; the current folder by default.
            home: The user's home; the system's answer by default.
        """
        self._surroundings = Surroundings.of(root=root, home=home)
        self._patterns: list[str] = []
        self._blocked: list[Rule] = []

    # -- writes

    def offers(self, path: str) -> tuple[WriteGrant, ...]:
        """Return what may be granted at a write of a file, narrowest first.

        Args:
            path: Workspace-relative, with ``/`` between the parts.
        """
        folder = path.rpartition("/")[0]
        patterns = [path, f"{folder}/**" if folder else ANY_PARTS, ANY_PARTS]
        return tuple(
            WriteGrant(pattern=pattern, covers=_covers(pattern))
            for pattern in dict.fromkeys(patterns)
            # A name that holds a star would grant more than it says.
            if pattern == ANY_PARTS or not _WILD & set(pattern.removesuffix("/**"))
        )

    def grant(self, pattern: str, *, path: str) -> None:
        """Ask no more about writes that match, this session.

        Args:
            pattern: Workspace-relative; ``*`` and ``?`` stay within a part, ``**`` spans any.
            path: The file at which it was granted.

        Raises:
            ValueError: If it is no pattern, or does not match ``path``.
        """
        parts = pattern.split("/")
        if not pattern or any(part in {"", ".", ".."} for part in parts) or "\0" in pattern:
            msg = f"{pattern!r} is no pattern: write it relative to the workspace, as src/**"
            raise ValueError(msg)
        if not _matches(path, pattern):
            msg = f"{pattern} does not match {path}, so it would change nothing here"
            raise ValueError(msg)
        if pattern not in self._patterns:
            self._patterns.append(pattern)

    @property
    def patterns(self) -> tuple[str, ...]:
        """The granted patterns of this session, in order."""
        return tuple(self._patterns)

    def revoke(self, pattern: str) -> bool:
        """Ask about such writes again; ``False`` when they were not granted."""
        if pattern not in self._patterns:
            return False
        self._patterns.remove(pattern)
        return True

    def covering(self, path: str) -> str | None:
        """Return the granted pattern that covers a file; ``None`` when it is asked."""
        return next((pattern for pattern in self._patterns if _matches(path, pattern)), None)

    @property
    def granted(self) -> tuple[str, ...]:
        """The granted patterns, in order."""
        return tuple(self._patterns)

    # -- commands

    def block(self, pattern: str, *, command: str) -> None:
        """Refuse commands that meet an entry of the block list, this session.

        Args:
            pattern: Such as ``git push --force`` or ``curl | sh``.
            command: The command at which it was made.

        Raises:
            ValueError: If it is no entry, or would not refuse ``command``.
        """
        if not is_entry(pattern):
            msg = f"{pattern!r} names no command"
            raise ValueError(msg)
        rule = Rule(text=pattern.strip(), origin=THIS_SESSION)
        parts = parse_command(command, surroundings=self._surroundings).parts
        if not blocked_parts(parts, (rule,)):
            msg = f"{rule.text} would not refuse this command; it means: {described_entry(pattern)}"
            raise ValueError(msg)
        if rule not in self._blocked:
            self._blocked.append(rule)

    def unblock(self, pattern: str) -> bool:
        """Refuse such commands no more; ``False`` when this session does not block them."""
        kept = [rule for rule in self._blocked if rule.text != pattern]
        is_known = len(kept) < len(self._blocked)
        self._blocked = kept
        return is_known

    @property
    def blocked_commands(self) -> tuple[Rule, ...]:
        """The block rules of this session, in order."""
        return tuple(self._blocked)


def _covers(pattern: str) -> str:
    if pattern == ANY_PARTS:
        return "every file in the workspace"
    folder = pattern.removesuffix("/**")
    return f"every file below {folder}" if folder != pattern else f"only {pattern}"


def _matches(path: str, pattern: str) -> bool:
    # Brackets mean themselves.
    wanted = [part.replace("[", "[[]") for part in pattern.split("/")]
    return spans(path.split("/"), wanted, fnmatchcase, covers_below=False)
