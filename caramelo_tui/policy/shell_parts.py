"""Values for what a command line consists of.

Owns the parsed command and its parts; knows no rule. Proven by
tests/unit/policy/test_shell_commands.py.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.policy.shell_words import Field

_ALSO_WITH_G = frozenset({
    "rm", "cp", "mv", "ln", "dd", "sed", "find", "xargs", "tar", "sort", "env", "timeout", "nice",
    "nohup", "tee", "chmod", "chown", "install", "truncate", "split", "shuf", "stdbuf", "make",
    "chroot", "rmdir", "unlink", "shred", "touch", "cat", "echo", "printf", "base64",
})  # fmt: skip
_OTHER_NAMES = {"gawk": "awk", "mawk": "awk", "nawk": "awk", "fdfind": "fd", "batcat": "bat",
                "bsdtar": "tar", "nodejs": "node", "pip3": "pip"}  # fmt: skip


def program_name(text: str) -> str:
    """Return the name under which a program is known here, whatever its folder and case."""
    name = text.rsplit("/", maxsplit=1)[-1].casefold()
    if name[:1] == "g" and name[1:] in _ALSO_WITH_G:
        return name[1:]
    return _OTHER_NAMES.get(name, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a command runs, as far as the policy needs to know it. Absolute paths."""

    root: str
    """The workspace."""
    home: str
    """The user's home folder."""
    temp_folders: tuple[str, ...] = ("/tmp", "/var/tmp")  # noqa: S108 - compared, not used
    """Where anybody may write without being asked."""

    @classmethod
    def of(cls, *, root: Path | None, home: Path | None) -> "Surroundings":
        """Return the surroundings of a workspace.

        Args:
            root: The workspace, links resolved; the current folder by default.
            home: The user's home; the system's answer by default.
        """
        return cls(root=os.fspath(root or Path.cwd()), home=os.fspath(home or Path.home()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """Output or input of a command that goes to or comes from a file."""

    operator: str
    """Such as ``>``, ``>>``, ``<``, ``>&``."""
    target: Field | None
    """``None``: not one word that can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stdin:
    """What a command reads, where the command line itself says it."""

    text: str | None = None
    """The text, if it can be told."""
    is_piped: bool = False
    """Whether it comes from another command, a here-document or a here-string."""
    is_downloaded: bool = False
    """Whether a download comes before it in the pipe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleCommand:
    """One command that would run, after quote removal; also each one inside a wrapper."""

    words: tuple[Field, ...]
    """Name and arguments; empty for mere assignments and redirects."""
    assignments: tuple[tuple[str, Field], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    stdin: Stdin = Stdin()
    cwd: str | None
    """Absolute folder it starts in; ``None``: only the shell knows."""
    is_background: bool = False
    source: str = ""
    """Its text as it stands in the command line; for one inside a wrapper, of the wrapper."""
    is_inner: bool = False
    """Whether it stands inside a wrapper such as ``env``."""

    @property
    def name(self) -> str:
        """The program's name without its folder, in lower case; empty when unknown.

        Lower case, because on a disk that ignores case ``RM`` removes as well. ``gsed`` and the
        like, as other systems call them, are ``sed``.
        """
        if not self.words or not self.words[0].is_certain:
            return ""
        return program_name(self.words[0].text)

    @property
    def args(self) -> tuple[Field, ...]:
        """The words after the name."""
        return self.words[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCommand:
    """All that a command line would run, as far as it can be told."""

    parts: tuple[SimpleCommand, ...]
    """In the order of the text; a wrapper before what it wraps."""
    has_error: bool = False
    """Whether the grammar could not read all of it."""
    is_cut: bool = False
    """Whether it is so deep or long that not all of it was looked at."""
    functions: tuple[str, ...] = ()
    """Names of the functions that it defines."""
    fork_bombs: tuple[str, ...] = ()
    """Functions that start themselves several times over."""

    @property
    def is_whole(self) -> bool:
        """Whether every part is known."""
        return not self.has_error and not self.is_cut
