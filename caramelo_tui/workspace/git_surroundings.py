"""Find the files outside a workspace that decide what git and searches answer in it.

Owns which those are: git's configuration of the user and the system with what it includes, the
lists of ignored files that it names, and ignore files in the folders above. Runs nothing, and
gives up rather than guess. Proven by tests/unit/workspace/test_git_surroundings.py.

Sources, read 2026-11-30: git-config(1), gitignore(5), gitattributes(5) and git(1) of Git;
"Automatic filtering" in ripgrep's user guide.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.workspace.outside_states import Unprovable

_REDIRECTING_VARIABLES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_WORK_TREE",
    }
)
"""With one of them git can look anywhere."""
_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore", ".git", ".git/info/exclude")
_SECTION = re.compile(r"\[\s*([A-Za-z0-9.-]+)(?:\s+\"(?:[^\"\\]|\\.)*\")?\s*\]\s*(.*)")
_ASSIGNMENT = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
_PLAIN_VALUE = re.compile(r"\"([^\"\\]*)\"\s*(?:[#;].*)?|([^\"\\#;]*)(?:[#;].*)?")
_FILES = frozenset(
    {
        ("core", "excludesfile"),
        ("core", "attributesfile"),
        ("diff", "orderfile"),
        ("mailmap", "file"),
    }
)
_INCLUDES = frozenset({("include", "path"), ("includeif", "path")})
_ELSEWHERE = ("core", "worktree")
_MOST_CONFIGURATIONS = 50
_LONGEST_CONFIGURATION_BYTES = 262_144


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSurroundings:
    """Where to look for the files that count."""

    root: Path
    """The workspace, resolved."""
    environment: Mapping[str, str]
    """The variables that git and searches are started with."""

    def ignore_files(self) -> tuple[str, ...]:
        """Return the absolute paths, existing or not, that decide which files are searched.

        Raises:
            Unprovable: If git's configuration cannot be followed.
        """
        above = [str(folder / name) for folder in self.root.parents for name in _IGNORE_FILES]
        return (*self.configurations(), *self._named("RIPGREP_CONFIG_PATH"), *above)

    def configurations(self) -> tuple[str, ...]:
        """Return git's files of settings outside, and those that settings name, existing or not.

        Raises:
            Unprovable: If a variable makes git look elsewhere, or a value cannot be followed.
        """
        redirecting = sorted(_REDIRECTING_VARIABLES & set(self.environment))
        if redirecting:
            raise Unprovable(redirecting[0])
        found: dict[str, None] = {}
        pending = [str(self.root / ".git/config"), str(self.root / ".git/config.worktree")]
        pending += [*self._user_files("config"), "/etc/gitconfig"]
        pending += self._named("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")
        while pending:
            path = pending.pop()
            if path in found:
                continue
            if len(found) >= _MOST_CONFIGURATIONS:
                raise Unprovable(path)
            found[path] = None
            for key, value in _wanted_values(path):
                place = self._place(value, path if key in _INCLUDES else None)
                if key in _INCLUDES:
                    pending.append(place)
                else:
                    found[place] = None
        for name in ("ignore", "attributes"):
            found.update(dict.fromkeys(self._user_files(name)))
        found["/etc/gitattributes"] = None
        return tuple(path for path in found if not self._is_inside(path))

    def _is_inside(self, path: str) -> bool:
        """Whether a file lies in the workspace for good, where it is watched."""
        leads_to = os.path.realpath(path)
        return leads_to == os.path.normpath(path) and leads_to.startswith(f"{self.root}/")

    def _named(self, *variables: str) -> list[str]:
        return [self.environment[name] for name in variables if self.environment.get(name)]

    def _user_files(self, name: str) -> list[str]:
        home = self.environment.get("HOME", "")
        files = [f"{home}/.gitconfig"] if home and name == "config" else []
        settings = self.environment.get("XDG_CONFIG_HOME") or (home and f"{home}/.config")
        return [*files, f"{settings}/git/{name}"] if settings else files

    def _place(self, value: str, configuration: str | None) -> str:
        """Return where a path in a configuration leads; relative to it if it is an include.

        Raises:
            Unprovable: If only git knows.
        """
        home = self.environment.get("HOME", "")
        if value.startswith("~/") and home:
            return f"{home}/{value[2:]}"
        if value.startswith(("~", "%(", ":(")):
            raise Unprovable(value)
        base = self.root if configuration is None else Path(configuration).parent
        return str(base / value)


def _wanted_values(path: str) -> Iterator[tuple[tuple[str, str], str]]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a text
            data = file.read(_LONGEST_CONFIGURATION_BYTES + 1)
    except OSError:
        # What we cannot read, git cannot read either; that it is so is part of the proof.
        return
    if len(data) > _LONGEST_CONFIGURATION_BYTES:
        raise Unprovable(path)
    section = ""
    for line in data.decode("utf-8-sig", "surrogateescape").splitlines():
        rest = line.strip()
        head = _SECTION.match(rest)
        if head is not None:
            section, rest = head[1].lower(), head[2]
        elif rest.startswith("["):
            raise Unprovable(rest)
        key = _ASSIGNMENT.match(rest)
        name = (section, key[1].lower()) if key is not None else ("", "")
        if name == _ELSEWHERE:
            raise Unprovable(path)
        if key is not None and name in _FILES | _INCLUDES:
            plain = _PLAIN_VALUE.fullmatch(key[2])
            if plain is None:
                raise Unprovable(rest)
            value = (plain[1] if plain[1] is not None else plain[2]).strip()
            if value:
                yield name, value
