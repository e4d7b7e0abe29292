"""Work out exactly what a commit would hold, without changing the repository.

Owns the plan of a commit: which paths are named, which files change, and the hash of the tree
that would come of it. It stages into an index and an object folder of its own, beside the
repository's, so that what is shown for approval is what git would really commit, byte for
byte. Proven by tests/unit/tools/git/test_staging.py and tests/property/test_git_commit_plan.py.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from caramelo_tui.domain.errors import PathRefused, ToolFailure
from caramelo_tui.tools.git.changes import ChangedFile, read_changes
from caramelo_tui.tools.git.head import Head, read_head
from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.output_limits import make_inert
from caramelo_tui.workspace.path_forms import FOLDER_PARTS, checked_form
from caramelo_tui.workspace.sandbox import Sandbox

ALL = (".",)
"""All changes of the workspace."""
_NAMES_SHOWN = 10
_DIFF = ("diff", "--cached", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative", "-z")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitPlan:
    """What a commit would hold."""

    head: Head
    paths: tuple[str, ...]
    """Literal paths from the workspace's root; ``ALL`` for all changes."""
    is_whole: bool
    """Whether the whole index is committed; else only ``paths``, whatever else is staged."""
    concludes: str
    """The operation that it ends (``merge``); empty when there is none."""
    tree: str
    """Hash of the tree that the commit would have."""
    changes: tuple[ChangedFile, ...]
    """Against HEAD, by path, relative to the workspace."""


def staged_path(sandbox: Sandbox, asked: str, *, allows_absolute: bool) -> str:
    """Return the path that git is given for a file to be staged, relative to the root.

    A link as the last part stays: git stages the link, not what it leads to.

    Raises:
        PathRefused: If it looks like an option, lies in ``.git``, or is refused by its form.
        PathOutsideWorkspace: If it leads outside.
    """
    if asked.startswith("-"):
        raise PathRefused(asked, f"it starts with a dash; such a file is named ./{asked}")
    text = checked_form(asked, allows_absolute=allows_absolute)
    folder, slash, name = text.rstrip("/").rpartition("/")
    if name in FOLDER_PARTS:
        relative = sandbox.resolve(asked, allows_absolute=allows_absolute).relative
    else:
        start = folder or ("/" if slash else ".")
        parent = sandbox.resolve(start, allows_absolute=allows_absolute).relative
        relative = name if parent == "." else f"{parent}/{name}"
    if any(part.casefold() == ".git" for part in relative.split("/")):
        raise PathRefused(asked, "git's own files cannot be committed")
    return relative


async def plan_commit(repository: OpenRepository, paths: Sequence[str]) -> CommitPlan:
    """Return what a commit of these paths would hold now.

    Args:
        repository: A trusted one: its filters run, as they do when the commit is made.
        paths: From ``staged_path``, or ``ALL``.

    Raises:
        ToolFailure: If there is nothing to commit, a conflict or another operation is in the
            way, HEAD is detached, or git fails.
    """
    head = await read_head(repository)
    operation = repository.place.operation
    is_all = tuple(paths) == ALL
    is_whole = is_all and not repository.place.prefix
    await _require_a_clear_way(repository, head, operation, is_whole=is_whole)
    async with _apart(repository) as variables:
        await _stage_apart(repository, paths, variables, head, is_whole=is_whole)
        tree = (await repository.read("write-tree", variables=variables)).text.strip()
        changes = read_changes(
            (await repository.read(*_DIFF, "--name-status", variables=variables)).stdout,
            (await repository.read(*_DIFF, "--numstat", variables=variables)).stdout,
        )
    if not changes and not operation:
        what = "the workspace" if is_all else "the named files"
        msg = f"nothing to commit: there are no changes in {what}"
        raise ToolFailure(msg)
    return CommitPlan(
        head=head,
        paths=tuple(paths),
        is_whole=is_whole,
        concludes=operation,
        tree=tree,
        changes=await asyncio.to_thread(_with_repositories, repository.place.root, changes),
    )


def _with_repositories(root: Path, changes: Sequence[ChangedFile]) -> tuple[ChangedFile, ...]:
    return tuple(
        replace(change, is_repository=os.path.lexists(root / change.path / ".git"))
        for change in changes
    )


async def _require_a_clear_way(
    repository: OpenRepository, head: Head, operation: str, *, is_whole: bool
) -> None:
    unmerged = await repository.read("ls-files", "--unmerged", "-z", is_at_top=True)
    names = sorted({row.partition("\t")[2] for row in _rows(unmerged.stdout)})
    if names:
        shown = ", ".join(make_inert(name) for name in names[:_NAMES_SHOWN])
        rest = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        msg = (
            f"there are conflicts that are not resolved: {shown}{rest}. Resolve them and mark "
            "each with the command: git add FILE"
        )
        raise ToolFailure(msg)
    if operation and (operation != "merge" or not is_whole):
        msg = f"a {operation} is in progress: finish or abort it with a git command first"
        if operation == "merge":
            msg = (
                "a merge is in progress, and it can only be committed as a whole: leave out "
                "`files`, in a workspace that is the top of the repository"
            )
        raise ToolFailure(msg)
    if not head.branch:
        raise ToolFailure(
            "HEAD is detached: a commit would belong to no branch. Make a branch first with "
            "git_branch create."
        )


async def _stage_apart(
    repository: OpenRepository,
    paths: Sequence[str],
    variables: dict[str, str],
    head: Head,
    *,
    is_whole: bool,
) -> None:
    # Ignored files that somebody put into the index by force are committed with the rest.
    forced: list[str] = []
    if not is_whole:
        options = ("ls-files", "--cached", "--ignored", "--exclude-standard", "-z", "--")
        forced = _rows((await repository.read(*options, *paths)).stdout)
        # One tree and -m: what is staged elsewhere goes, what is known of unchanged files stays.
        fresh = ("-i", "-m", head.commit) if head.commit else ("--empty",)
        await repository.read("read-tree", *fresh, variables=variables)
    await repository.read("add", "--all", "--", *paths, variables=variables)
    if forced:
        await repository.read("add", "--force", "--", *forced, variables=variables)


@asynccontextmanager
async def _apart(repository: OpenRepository) -> AsyncGenerator[dict[str, str]]:
    """Give variables that make git use a copy of the index and a new object folder."""
    # In threads: an index may be large, and so may be what is staged.
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="caramelo-git-")
    try:
        yield await asyncio.to_thread(_variables, repository, Path(folder))
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _variables(repository: OpenRepository, folder: Path) -> dict[str, str]:
    index, objects = folder / "index", folder / "objects"
    objects.mkdir()
    if (repository.place.git_dir / "index").exists():
        shutil.copy2(repository.place.git_dir / "index", index)
    borrowed = str(repository.place.common_dir / "objects")
    quoted = borrowed.replace("\\", "\\\\").replace('"', '\\"')
    return {
        "GIT_INDEX_FILE": str(index),
        "GIT_OBJECT_DIRECTORY": str(objects),
        # In quotes, since a colon in the path would part it.
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f'"{quoted}"',
    }


def _rows(data: bytes) -> list[str]:
    return [row for row in os.fsdecode(data).split("\0") if row]
