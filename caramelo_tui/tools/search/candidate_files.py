"""Name the files that ripgrep would search.

Owns the use of its ignore rules: ``.gitignore``, ``.ignore`` and ``.rgignore`` of the workspace
and what its repository excludes, hidden files left out. Nothing outside of the workspace counts:
neither the user's own ignore file nor those of folders above. Only names come from here; whoever
reads opens each through the sandbox. Proven by tests/unit/tools/search/test_candidate_files.py.
"""

import os
from pathlib import Path

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.tools.child_start import StartPlace
from caramelo_tui.tools.search.file_source import SourceCounts
from caramelo_tui.tools.search.glob_pattern import GlobPattern
from caramelo_tui.tools.search.regex_process import Watch
from caramelo_tui.tools.search.ripgrep import PARTLY_FAILED, Ripgrep
from caramelo_tui.workspace.path_failures import NotAFolder
from caramelo_tui.workspace.sandbox import Sandbox

_LISTING = (
    "--files",
    "--null",
    "--no-follow",
    # Ignore files count without a repository too: what is searched must not depend on folders
    # above the workspace, where the repository may be.
    "--no-require-git",
    "--no-ignore-messages",
    "--no-ignore-global",
    "--no-ignore-parent",
)


class IncludeFilter:
    """Which files a glob pattern keeps; without a pattern all."""

    def __init__(self, pattern: str = "") -> None:
        """Compile the pattern; empty: none.

        Raises:
            ToolFailure: If it is longer or nested deeper than the limits.
        """
        plain = pattern.removeprefix("./").removeprefix("/")
        self._glob = GlobPattern(plain) if plain else None
        self._is_for_paths = "/" in plain

    def keeps(self, path: str, below: str) -> bool:
        """Whether a file is kept.

        Args:
            path: From the root of the workspace.
            below: From the folder that is searched.
        """
        if self._glob is None:
            return True
        if not self._is_for_paths:
            return self._glob.matches(path.rpartition("/")[2])
        return self._glob.matches(below) or self._glob.matches(path)


class CandidateFiles:
    """Lists files by ripgrep's rules."""

    def __init__(
        self, ripgrep: Ripgrep, sandbox: Sandbox, counts: SourceCounts, watch: Watch
    ) -> None:
        """Take what lists.

        Args:
            ripgrep: The program.
            sandbox: Opens the root, in which the listing starts.
            counts: Folders that cannot be read are counted there.
            watch: Ends the listing.
        """
        self._ripgrep = ripgrep
        self._sandbox = sandbox
        self._counts = counts
        self._watch = watch

    def below(self, start: ResolvedPath, include: IncludeFilter) -> tuple[str, ...]:
        """Return the workspace-relative paths of the files to search, by code point.

        A start that is itself ignored or hidden is searched all the same, by the ignore files in
        it; a file is kept whatever the rules say.

        Raises:
            ToolFailure: If nothing that can be read stands at ``start``.
            SearchTimedOut: If the time is up.
            Stopped: If the call was cancelled.
        """
        try:
            os.close(self._sandbox.open_folder(start))
        except NotAFolder:
            return (start.relative,)
        prefix = "" if start.relative == "." else f"{start.relative}/"
        # Always from the root: ignore files above the start count, those above the root do not.
        found = [path for path in self._listed() if path.startswith(prefix)]
        if not found and prefix:
            found = self._listed(start.relative)
        kept = (path for path in found if include.keeps(path, path.removeprefix(prefix)))
        return tuple(sorted(kept))

    def _listed(self, *below: str) -> list[str]:
        options = [*_LISTING]
        if not _is_real_folder(self._sandbox.root / ".git"):
            # It would lead to a repository somewhere else.
            options.append("--no-ignore-exclude")
        descriptor = self._sandbox.open_folder(".")
        try:
            folder = StartPlace(self._sandbox.root, descriptor)
            with self._ripgrep.start([*options, "--", *below], folder=folder) as run:
                answer = run.answer(self._watch)
        finally:
            os.close(descriptor)
        if answer.has_failed:
            if answer.status != PARTLY_FAILED or not answer.stdout:
                msg = (
                    f"ripgrep could not list the files: {answer.stderr.decode('utf-8', 'replace')}"
                )
                raise ToolFailure(msg)
            # One line for each folder that could not be read; all others are listed.
            self._counts.unreadable += answer.stderr.count(b"\n")
        return [os.fsdecode(path) for path in answer.stdout.split(b"\0") if path]


def _is_real_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
