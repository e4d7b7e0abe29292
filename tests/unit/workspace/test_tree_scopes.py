"""Which change touches which answer."""

import pytest

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace.tree_scopes import ChangeLog, TreeScope, is_skipped, touches

SOURCES, TREE, GIT = CacheScope.SOURCES, CacheScope.TREE, CacheScope.GIT


def scope(kind: CacheScope = SOURCES, folder: str = ".") -> TreeScope:
    return TreeScope(kind=kind, folder=folder)


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("src/a.py", ".", True),
        (".", "src", True),
        ("src/a.py", "src", True),
        ("src", "src", True),
        ("src", "src/deep", True),
        ("lib/a.py", "src", False),
        ("srcs", "src", False),
        ("src/a.py", "src/a.py", True),
        ("src/b.py", "src/a.py", False),
    ],
)
@pytest.mark.parametrize("kind", [SOURCES, TREE])
def test_a_change_touches_what_shows_its_folder(
    path: str, folder: str, kind: CacheScope, *, expected: bool
) -> None:
    assert touches(path, scope(kind, folder)) is expected


@pytest.mark.parametrize(
    ("path", "sources", "tree", "git"),
    [
        ("node_modules/m/x.js", False, True, True),
        ("a/build/x.o", False, True, True),
        # A file may be called so, and a folder that comes or goes is named like that too.
        ("a/build", True, True, True),
        (".git/index", False, False, True),
        (".git/index.lock", False, False, False),
        (".git/refs/heads/main.lock", False, False, False),
        ("poetry.lock", True, True, True),
        (".git/info/exclude", False, True, True),
        (".git/info", False, True, True),
        (".git/config", False, True, True),
        (".git", True, True, True),
        ("sub/.git", True, True, True),
        ("sub/.git/HEAD", False, False, True),
    ],
)
def test_skipped_folders_and_the_repository_touch_only_what_shows_them(
    path: str, *, sources: bool, tree: bool, git: bool
) -> None:
    kinds = (SOURCES, TREE, GIT)
    assert [touches(path, scope(kind)) for kind in kinds] == [sources, tree, git]


@pytest.mark.parametrize(
    "path", [".gitignore", "other/.ignore", ".rgignore", ".git", ".git/config"]
)
def test_what_decides_which_files_are_searched_touches_every_search(path: str) -> None:
    assert touches(path, scope(TREE, "src/deep"))


def test_a_folder_elsewhere_touches_searches_that_list_from_the_root() -> None:
    assert touches("other/", scope(TREE, "src"))
    assert not touches("other/", scope(SOURCES, "src"))
    assert touches("src/", scope(SOURCES, "src"))
    assert not touches("build/x/", scope(SOURCES))
    assert touches("other/", scope(GIT))


def test_skipped_paths_are_known_at_any_depth() -> None:
    assert is_skipped("a/node_modules/b")
    assert is_skipped("build")
    assert not is_skipped("builds/a")
    assert not is_skipped(".")


def test_the_log_knows_what_was_touched_since() -> None:
    log = ChangeLog()
    start = log.generation
    log.add("src/a")
    middle = log.generation
    log.add("lib/b")
    assert log.is_touched_since(start, scope(folder="src"))
    assert not log.is_touched_since(middle, scope(folder="src"))
    assert log.is_touched_since(middle, scope())
    assert not log.is_touched_since(log.generation, scope())


def test_changes_of_one_path_in_a_row_take_one_place() -> None:
    log = ChangeLog(most=2)
    log.add("a")
    start = log.generation
    for _ in range(10):
        log.add("b")
    assert not log.is_touched_since(start, scope(folder="a"))
    assert log.is_touched_since(log.generation - 1, scope(folder="b"))


def test_what_is_older_than_the_log_counts_as_touched() -> None:
    log = ChangeLog(most=2)
    start = log.generation
    for path in ("a", "b", "c"):
        log.add(path)
    assert log.is_touched_since(start, scope(folder="elsewhere"))
    assert not log.is_touched_since(start + 1, scope(folder="elsewhere"))


def test_after_a_loss_everything_counts_as_touched_until_then() -> None:
    log = ChangeLog()
    log.add("a")
    before = log.generation
    log.lose()
    assert log.is_touched_since(before, scope(folder="elsewhere"))
    assert not log.is_touched_since(log.generation, scope())
