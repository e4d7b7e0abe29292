"""A recursive listing is what a plain walk of the disk finds, in order."""

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.files.list_files import EntryFilter, list_tree
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox

names = st.sampled_from(["a", "a-", "a.ts", "B", "b", ".git", "node_modules", "dist", "é"])
trees = st.lists(st.lists(names, min_size=1, max_size=4), max_size=12)


def build(root: Path, paths: list[list[str]]) -> None:
    """Make each path a file, where no file stands in the way."""
    for parts in paths:
        file = root.joinpath(*parts)
        if not any(parent.is_file() for parent in file.parents) and not file.is_dir():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("x")


def expected(root: Path) -> list[str]:
    """Return what a plain walk finds: files, and folders that hold nothing to show."""
    found: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in {".git", "node_modules"}]
        below = os.path.relpath(folder, root)
        prefix = "" if below == "." else f"{below}/"
        found += [prefix + name for name in files]
        if prefix and not files and not folders:
            found.append(prefix)
    return sorted(found)


@given(trees)
def test_recursive_listing_is_a_plain_walk(paths: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, paths)
        files = FileStore(Sandbox(root))

        output = list_tree(files, files.sandbox.resolve("."), EntryFilter(), StopFlag())

        assert output.text.partition("\n\n")[2].splitlines() == expected(root)
