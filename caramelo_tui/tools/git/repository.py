"""Find the repository of the workspace and refuse one that leads somewhere else.

Owns the question which folder's ``.git`` counts, the proof that git takes the same one, and,
for a workspace that is not trusted, that nothing in it makes git show another repository:
a ``.git`` file, a shared folder, borrowed objects. Looks at the disk and starts nothing. Proven
by tests/unit/tools/git/test_repository.py.
"""

import os
import re
import stat
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.output_limits import make_inert

_SMALL_FILE_BYTES = 65_536
"""Files that git writes as one or a few paths are far smaller."""
_OBJECT_ENTRIES = 2_048
"""A folder of objects has 256 folders and a few names more; one of packs has fewer."""
_WORK_TREE_SETTING = re.compile(r"^\s*worktree\s*=\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_FILES_OF_GIT = (
    "HEAD",
    "index",
    "config",
    "config.worktree",
    "packed-refs",
    "shallow",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "objects/info/alternates",
)
"""Files that git reads to their end."""
_ANSWER_LINES = 4
"""Three paths and what stands behind the last line break: nothing."""
_OPERATIONS = (
    ("MERGE_HEAD", "merge"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)
"""What git keeps in its folder while an operation is not finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """The repository that the workspace lies in; every path is absolute and resolved."""

    root: Path
    """The workspace."""
    top: Path
    """The working tree: the workspace or a folder above it."""
    git_dir: Path
    common_dir: Path
    """Where objects and branches are; another folder than ``git_dir`` in a linked worktree."""

    @property
    def prefix(self) -> str:
        """The workspace below ``top`` with a final slash; empty when they are one."""
        return "" if self.root == self.top else self.root.relative_to(self.top).as_posix() + "/"

    @property
    def operation(self) -> str:
        """The operation that is not finished, such as ``merge``; empty when there is none."""
        for name, operation in _OPERATIONS:
            if (self.git_dir / name).exists():
                return operation
        return ""


def folder_with_repository(root: Path) -> Path:
    """Return the nearest folder, ``root`` or above, that has a ``.git`` entry.

    Raises:
        ToolFailure: If there is none, or if git would read from it for ever.
    """
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            if problem := _endless_file(folder / ".git"):
                msg = f"The repository was not read: {problem}."
                raise ToolFailure(msg)
            return folder
    raise ToolFailure(
        "This workspace is not in a git repository: neither it nor a folder above it has .git."
    )


def repository_from(root: Path, top: Path, answer: bytes, *, is_trusted: bool) -> Repository:
    """Return the repository that git named, if it is the one in ``top``.

    Args:
        root: Resolved root of the workspace.
        top: From ``folder_with_repository``.
        answer: What ``git rev-parse --show-toplevel --absolute-git-dir --git-common-dir`` said.
        is_trusted: Whether the user trusts the workspace.

    Raises:
        ToolFailure: If git takes another working tree, or if the repository of a workspace
            that is not trusted leads to another one.
    """
    lines = os.fsdecode(answer).split("\n")
    if len(lines) != _ANSWER_LINES or not all(lines[:-1]):
        raise ToolFailure("git gave no usable answer to where its repository is.")
    shown_top, git_dir, common_dir = (Path(root, line).resolve() for line in lines[:-1])
    if shown_top != top:
        msg = (
            f"git takes {make_inert(str(shown_top))} for the working tree, not "
            f"{make_inert(str(top))}: its setting core.worktree, or a damaged .git, leads "
            "elsewhere. The git tools do not follow it."
        )
        raise ToolFailure(msg)
    repository = Repository(root=root, top=top, git_dir=git_dir, common_dir=common_dir)
    if not is_trusted and (problem := _leads_away(repository)):
        msg = (
            f"The repository was not read: {problem}. In a workspace that is not trusted this "
            "could show another repository's content; the user can trust the folder."
        )
        raise ToolFailure(msg)
    return repository


def is_endless(path: Path) -> bool:
    """Whether reading a path to its end could take for ever; looks through links."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _leads_away(repository: Repository) -> str:
    """Return how the repository leads out of its own working tree; empty when it does not."""
    top, git_dir, common_dir = repository.top, repository.git_dir, repository.common_dir
    if problem := _endless_file(git_dir) or _endless_file(common_dir):
        return problem
    if git_dir.is_relative_to(top):
        if not common_dir.is_relative_to(top):
            return f"it shares the folder {make_inert(str(common_dir))} of another repository"
        return _borrowed_objects(top, common_dir / "objects")
    # git itself wrote the way back into a linked worktree's or submodule's folder; whoever made
    # only this workspace cannot have put it into a repository elsewhere.
    if _points_back(repository):
        return ""
    return f".git leads to {make_inert(str(git_dir))}, which does not know this folder"


def _endless_file(git_dir: Path) -> str:
    for path in (git_dir, *(git_dir / name for name in _FILES_OF_GIT)):
        if is_endless(path):
            return f"{make_inert(path.name)} of its .git is a device or a FIFO"
    return ""


def _points_back(repository: Repository) -> bool:
    linked = _small_text(repository.git_dir / "gitdir")
    if linked and linked.strip():
        return Path(repository.git_dir, linked.strip()).parent.resolve() == repository.top
    # A submodule's folder says where its working tree is.
    setting = _WORK_TREE_SETTING.search(_small_text(repository.git_dir / "config") or "")
    if setting is None:
        return False
    return Path(repository.git_dir, setting.group(1).strip('"')).resolve() == repository.top


def _borrowed_objects(top: Path, objects: Path) -> str:
    # git follows such a list over several repositories, so that none is let pass.
    alternates = _small_text(objects / "info" / "alternates")
    if alternates is None or any(_is_entry(line) for line in alternates.splitlines()):
        return "it borrows the objects of another repository (objects/info/alternates)"
    for folder in (objects, objects / "info", objects / "pack"):
        if _is_link_out(folder, top):
            return f"{make_inert(folder.name)} of its objects is a link that leads elsewhere"
        names = _names_in(folder)
        if len(names) > _OBJECT_ENTRIES:
            return f"its folder {make_inert(folder.name)} has too many entries to be checked"
        if any(_is_link_out(folder / name, top) for name in names):
            return "some of its objects are links that lead elsewhere"
    return ""


def _is_entry(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


def _is_link_out(path: Path, top: Path) -> bool:
    return path.is_symlink() and not path.resolve().is_relative_to(top)


def _names_in(folder: Path) -> tuple[str, ...]:
    try:
        with os.scandir(folder) as entries:
            return tuple(entry.name for entry in islice(entries, _OBJECT_ENTRIES + 1))
    except OSError:  # Missing, or no folder: git finds nothing in it either.
        return ()


def _small_text(path: Path) -> str | None:
    """Return a small regular file's text: empty when it is missing, ``None`` when it is odd."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _SMALL_FILE_BYTES:
            return None
        return os.read(descriptor, _SMALL_FILE_BYTES).decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)
