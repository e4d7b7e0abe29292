"""Know the settings files that git itself names, wherever it was built to look for them.

Owns the reading of git's list of settings, and the question whether an answer of git may be
kept: it may not when a file outside the workspace that git named there has changed since this
session first used it, or when the repository reaches out of the workspace. The places where
every git looks are ``workspace/git_surroundings``' knowledge, and compared with each kept
answer. Starts nothing. Proven by tests/unit/tools/git/test_outside_settings.py.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.tools.git.repository import Repository, is_endless

_FILE_SETTINGS = frozenset({"core.excludesfile", "core.attributesfile", "mailmap.file"})
"""Settings that name a file whose content shapes an answer."""
_Stamp = tuple[int, int, int, int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsListing:
    """What ``git config --list --show-origin -z`` tells."""

    origins: frozenset[str]
    """Files that settings came from, as git names them: absolute or from where it ran."""
    files: frozenset[tuple[str, str]]
    """Key (lower case) and value of each setting that names a file; may start with ``~``."""
    sections: frozenset[tuple[str, str]]
    """Section and name of each setting of the form ``section.NAME.key``, such as ``filter`` and
    ``lfs``, from whatever file."""

    def names(self, section: str) -> frozenset[str]:
        """Return the names that settings of a section have."""
        return frozenset(name for found, name in self.sections if found == section)


def read_listing(data: bytes) -> SettingsListing:
    """Read git's list of settings with their origins."""
    parts = os.fsdecode(data).split("\0")
    origins: set[str] = set()
    files: set[tuple[str, str]] = set()
    sections: set[tuple[str, str]] = set()
    for origin, setting in zip(parts[::2], parts[1::2], strict=False):
        key, _, value = setting.partition("\n")
        if origin.startswith("file:"):
            origins.add(origin.removeprefix("file:"))
        section, _, rest = key.partition(".")
        if "." in rest:
            sections.add((section.lower(), rest.rpartition(".")[0]))
        if key.lower() in _FILE_SETTINGS and value:
            files.add((key.lower(), value))
    return SettingsListing(
        origins=frozenset(origins), files=frozenset(files), sections=frozenset(sections)
    )


class OutsideSettings:
    """Stamps of the settings files, as they were when first used."""

    def __init__(self, root: Path, *, home: Path) -> None:
        """Look at nothing yet.

        Args:
            root: Resolved root of the workspace.
            home: The user's home, for ``~``.
        """
        self._root = root
        self._home = home
        self._stamps: dict[Path, _Stamp] = {}

    def note(self, repository: Repository, listing: SettingsListing) -> None:
        """Remember files of which nothing was known; call it before git reads.

        Those in the workspace are watched, and a change of them ends what is kept anyway.
        """
        for path in self._files_of(repository, listing):
            if not path.resolve().is_relative_to(self._root):
                self._stamps.setdefault(path, _stamp(path))

    def replacements(self, repository: Repository, listing: SettingsListing) -> tuple[str, ...]:
        """Return settings in place of those that name a device or FIFO, which never ends."""
        return tuple(
            f"{key}=/dev/null"
            for key, value in sorted(listing.files)
            if is_endless(self._named(repository, value))
        )

    def allows_keeping(self) -> bool:
        """Whether an answer may be kept and given again; looks at the disk, starts nothing."""
        return _is_within(self._root) and all(
            _stamp(path) == stamp for path, stamp in self._stamps.items()
        )

    def _files_of(self, repository: Repository, listing: SettingsListing) -> Iterable[Path]:
        yield from (Path(repository.root, origin) for origin in listing.origins)
        yield from (self._named(repository, value) for _, value in listing.files)

    def _named(self, repository: Repository, value: str) -> Path:
        is_at_home = value.startswith("~/")
        return Path(repository.top, str(self._home) + value[1:] if is_at_home else value)


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
