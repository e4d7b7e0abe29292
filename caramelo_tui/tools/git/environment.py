"""Decide what git and gh may see and which settings they must not take from a repository.

Owns the variables of every git and gh that the git tools start, the settings that each read
carries on its command line, and which file is the program. Reads no process environment by
itself and starts nothing. Proven by tests/unit/tools/git/test_environment.py and
tests/contract/test_git_hostile_repositories.py.
"""

import os
import stat
from collections.abc import Collection, Mapping
from enum import Enum
from pathlib import Path

from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.search_path import safe_search_path

TOKEN_NAMES = ("GH_TOKEN", "GITHUB_TOKEN")
"""Secrets that a writing git or gh gets all the same: without them gh cannot do its work."""

_KEPT_GIT_NAMES = frozenset(
    {
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH",
    }
)
"""The user's own choices that say who commits and how a server is reached. All other ``GIT_*``
go: ``GIT_DIR`` or ``GIT_INDEX_FILE`` of the shell that started this program would lead every
call to another repository, ``GIT_EXTERNAL_DIFF`` names a program, ``GIT_TRACE`` a file."""
_KEPT_GH_NAMES = frozenset({"GH_TOKEN", "GH_HOST", "GH_CONFIG_DIR"})
"""All other ``GH_*`` go: ``GH_REPO`` would send a pull request to another repository."""
_REMOVED_NAMES = frozenset({"GPG_TTY", "SSH_ASKPASS", "LANGUAGE", "LC_ALL", "LC_MESSAGES"})
"""``GPG_TTY`` would let a passphrase prompt draw over the screen, ``SSH_ASKPASS`` open a
window; the others would translate messages that are read here."""

_FIXED: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    # Empty, not missing: a missing one makes git look at core.askPass.
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_EDITOR": "false",
    "GIT_SEQUENCE_EDITOR": "false",
    # Git Credential Manager opens windows of its own.
    "GCM_INTERACTIVE": "never",
    "LC_MESSAGES": "C",
}
"""What no git or gh goes without: nothing asks, nothing opens an editor, messages are English."""

_PROTOCOLS = "https:ssh:file"
"""``file`` is a bare repository on a disk or a share. Not ``http`` and ``git``, which anybody on
the way can change, and none that names a program (``ext::``)."""


class Reach(Enum):
    """How far a git may go."""

    READ = "read"
    """Looks at the repository: takes no lock, fetches nothing, runs nothing that it names."""
    LOCAL = "local"
    """Changes the repository, with the user's hooks; trusted workspaces only."""
    REMOTE = "remote"
    """Speaks to a remote or, as gh, to its server; trusted workspaces only."""


_BY_REACH: Mapping[Reach, Mapping[str, str]] = {
    Reach.READ: {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        # No protocol at all: a partial clone would fetch what a diff needs, by whatever
        # program or address its settings name. The second variable is newer than some gits.
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_NO_LAZY_FETCH": "1",
    },
    Reach.LOCAL: {},
    Reach.REMOTE: {
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        "GH_PROMPT_DISABLED": "1",
        "GH_NO_UPDATE_NOTIFIER": "1",
        "GH_SPINNER_DISABLED": "1",
        "GH_PAGER": "cat",
        "NO_COLOR": "1",
        "CLICOLOR_FORCE": "0",
    },
}

READ_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "core.quotePath=false",
    "core.splitIndex=false",
    "log.showSignature=false",
    "commit.gpgSign=false",
    "color.ui=false",
    "column.ui=never",
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
    "status.relativePaths=true",
    "i18n.logOutputEncoding=UTF-8",
)
"""On the command line of every read, where they beat the repository's own settings. An empty
``core.hooksPath`` would make git look for hooks in ``/``; /dev/null has none."""

WRITE_SETTINGS = (
    "gc.auto=0",
    "maintenance.auto=false",
    "i18n.commitEncoding=UTF-8",
    "safe.bareRepository=explicit",
    "commit.verbose=false",
    "color.ui=false",
)
"""On the command line of every write: nothing is left running, and a message is what was shown."""


class GitEnvironment:
    """The variables of the children of the git tools."""

    def __init__(
        self,
        user: Mapping[str, str],
        *,
        root: Path,
        is_trusted: bool,
        provider_names: Collection[str] = (),
        env_allow: Collection[str] = (),
    ) -> None:
        """Filter the user's variables once.

        Args:
            user: The user's environment; copied.
            root: Resolved root of the workspace: no program is looked for in it.
            is_trusted: Whether the folder's own programs may be found by git's helpers.
            provider_names: Variables that a provider setting names as its key.
            env_allow: Names that the user lets through although they look secret.
        """
        self._provider_names = tuple(provider_names)
        self._env_allow = tuple(env_allow)
        path = user.get("PATH", os.defpath)
        self._search_path = safe_search_path(path, outside=root)
        self._user = {
            **{name: value for name, value in user.items() if _is_kept(name)},
            "PATH": safe_search_path(path, outside=None if is_trusted else root),
            "LC_CTYPE": user.get("LC_ALL") or user.get("LC_CTYPE") or user.get("LANG") or "C",
        }

    def for_child(self, reach: Reach, extra: Mapping[str, str] | None = None) -> ChildEnvironment:
        """Return what one child may see.

        Args:
            reach: How far it may go.
            extra: Further variables of this child; they win.
        """
        tokens = () if reach is Reach.READ else TOKEN_NAMES
        return ChildEnvironment(
            {**self._user, **_FIXED, **_BY_REACH[reach], **(extra or {})},
            provider_names=self._provider_names,
            env_allow=(*self._env_allow, *tokens),
        )

    def program(self, name: str) -> str | None:
        """Return the absolute path of an installed program; ``None`` when there is none.

        Folders of the search path that are relative or lie in the workspace are passed over,
        trusted or not: a ``git`` that a repository brings along is not the user's git.
        """
        for folder in self._search_path.split(os.pathsep):
            candidate = Path(folder, name)
            if folder and _is_program(candidate):
                return str(candidate)
        return None


def setting_arguments(settings: Collection[str]) -> list[str]:
    """Return ``-c`` arguments for ``key=value`` texts, in order."""
    return [argument for setting in settings for argument in ("-c", setting)]


def _is_kept(name: str) -> bool:
    if name.startswith("GIT_"):
        return name in _KEPT_GIT_NAMES
    if name.startswith("GH_"):
        return name in _KEPT_GH_NAMES
    return name not in _REMOVED_NAMES


def _is_program(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and os.access(path, os.X_OK)
