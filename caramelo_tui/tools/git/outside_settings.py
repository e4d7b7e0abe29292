"""Know the settings files on which git's answers depend and which nobody watches.

Owns the reading of git's list of settings, and the question whether an answer of git may be
kept: it may not when files outside the watched workspace that shape it (the user's own
settings, ignore and attribute files) have changed since this session first used them, or when
the repository reaches out of the workspace. Starts nothing. Proven by
tests/unit/tools/git/test_outside_settings.py.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.tools.git.repository import Repository

_FILE_SETTINGS = frozenset({"core.excludesfile", "core.attributesfile", "mailmap.file"})
"""Settings that name a file whose content shapes an answer."""
_IN_GIT_DIR = ("config", "config.worktree", "info/exclude", "info/attributes", "info/grafts")
_Stamp = tuple[int, int, int, int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsListing:
    """What ``git config --list --show-origin -z`` tells."""

    origins: frozenset[str]
    """Files that settings came from, as git names them: absolute or from where it ran."""
    files: frozenset[str]
    """Files that a setting names; may start with ``~``."""
    filters: frozenset[str]
    """Names of all filters, from whatever file."""


def read_listing(data: bytes) -> SettingsListing:
    """Read git's list of settings with their origins."""
    parts = os.fsdecode(data).split("\0")
    origins: set[str] = set()
    files: set[str] = set()
    filters: set[str] = set()
    for origin, setting in zip(parts[::2], parts[1::2], strict=False):
        key, _, value = setting.partition("\n")
        if origin.startswith("file:"):
            origins.add(origin.removeprefix("file:"))
        section, _, rest = key.partition(".")
        if section.lower() == "filter" and "." in rest:
            filters.add(rest.rpartition(".")[0])
        if key.lower() in _FILE_SETTINGS and value:
            files.add(value)
    return SettingsListing(
        origins=frozenset(origins), files=frozenset(files), filters=frozenset(filters)
    )


class OutsideSettings:
    """Stamps of the settings files, as they were when first used."""

    def __init__(self, root: Path, *, home: Path, config_home: Path) -> None:
        """Look at nothing yet.

        Args:
            root: Resolved root of the workspace.
            home: The user's home, for ``~`` and ``.gitconfig``.
            config_home: Where the user's ``git/config`` and ``git/ignore`` are.
        """
        self._root = root
        self._home = home
        self._standard = (
            home / ".gitconfig",
            *(config_home / "git" / name for name in ("config", "ignore", "attributes")),
            Path("/etc/gitconfig"),
            Path("/etc/gitattributes"),
        )
        self._stamps: dict[Path, _Stamp] = {}

    def note(self, repository: Repository, listing: SettingsListing) -> None:
        """Remember files of which nothing was known; call it before git reads.

        Those in the workspace are watched, and a change of them ends what is kept anyway.
        """
        for path in self._files_of(repository, listing):
            if not path.resolve().is_relative_to(self._root):
                self._stamps.setdefault(path, _stamp(path))

    def allows_keeping(self) -> bool:
        """Whether an answer may be kept and given again; looks at the disk, starts nothing."""
        return _is_within(self._root) and all(
            _stamp(path) == stamp for path, stamp in self._stamps.items()
        )

    def _files_of(self, repository: Repository, listing: SettingsListing) -> Iterable[Path]:
        yield from self._standard
        for name in _IN_GIT_DIR:
            yield repository.common_dir / name
        for text in listing.origins | listing.files:
            is_at_home = text.startswith("~")
            yield Path(repository.root, str(self._home) + text[1:] if is_at_home else text)


def _is_within(root: Path) -> bool:
    """Whether all that git reads of the repository lies in the workspace."""
    git_dir = root / ".git"
    return (
        git_dir.is_dir()
        and not git_dir.is_symlink()
        and not (git_dir / "commondir").exists()
        # A submodule's own index and branches lie deeper than anybody watches.
        and not (root / ".gitmodules").exists()
    )


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
