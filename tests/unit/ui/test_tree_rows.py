from dataclasses import replace

import pytest

from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.ui.panes.tree_rows import SHOWN_MATCHES, TreeRows
from tests.pilot.driving import entry


def tree() -> TreeRows:
    rows = TreeRows()
    rows.load(".", (entry("src", FileKind.FOLDER), entry("a.py"), link("loop")))
    rows.load("src", (entry("api", FileKind.FOLDER), entry("cli.py")))
    return rows


def link(name: str) -> FolderEntry:
    return entry(name, FileKind.LINK, leads_to_folder=True)


def paths(rows: TreeRows) -> list[str]:
    return [row.path for row in rows.rows]


def test_a_closed_folder_hides_what_is_in_it() -> None:
    rows = tree()
    assert paths(rows) == ["src", "a.py", "loop"]
    rows.toggle("src")
    assert paths(rows) == ["src", "src/api", "src/cli.py", "a.py", "loop"]
    assert [row.depth for row in rows.rows] == [0, 1, 1, 0, 0]
    rows.toggle("src")
    assert paths(rows) == ["src", "a.py", "loop"]


def test_a_link_to_a_folder_can_be_opened() -> None:
    rows = tree()
    row = rows.rows[2]
    assert row.is_folder
    assert row.is_link


def test_the_filter_shows_matches_with_the_folders_above_them() -> None:
    rows = tree()
    rows.filter("cli")
    assert paths(rows) == ["src", "src/cli.py"]
    rows.filter("SRC api")
    assert paths(rows) == ["src", "src/api"]
    rows.filter("")
    assert paths(rows) == ["src", "a.py", "loop"]


def test_the_filter_does_not_walk_in_circles() -> None:
    rows = TreeRows()
    rows.load(".", (link("loop"),))
    rows.load("loop", (link("loop"),))
    rows.filter("x")
    assert paths(rows) == []


def test_only_touched_files_are_shown_on_demand() -> None:
    rows = tree()
    rows.toggle_touched_only({"src/cli.py"})
    assert paths(rows) == ["src", "src/cli.py"]
    rows.set_touched({"a.py"})
    assert paths(rows) == ["a.py"]


def test_unloading_forgets_everything_below() -> None:
    rows = tree()
    rows.load("src/api", (entry("x.py"),))
    rows.unload("src")
    assert not rows.is_loaded("src/api")
    assert paths(rows) == ["src", "a.py", "loop"]


def test_the_nearest_loaded_folder_is_found() -> None:
    rows = tree()
    assert rows.nearest_loaded("src/deep/er") == "src"
    assert rows.nearest_loaded("new/deep") == "."


def test_a_folder_of_a_hundred_thousand_files_is_filtered_row_by_row() -> None:
    rows = TreeRows()
    rows.load(".", tuple(entry(f"file{number:06}.py") for number in range(100_000)))
    rows.filter("file099999")
    assert paths(rows) == ["file099999.py"]


def test_rows_are_made_when_they_are_looked_at() -> None:
    rows = TreeRows()
    rows.load(".", tuple(entry(f"file{number:06}.py") for number in range(100_000)))
    assert len(rows.rows) == 100_000
    assert rows.rows[99_999].path == rows.rows[-1].path == "file099999.py"
    assert [row.name for row in rows.rows[1:3]] == ["file000001.py", "file000002.py"]
    assert rows.index_of("file050000.py") == 50_000
    with pytest.raises(IndexError):
        rows.rows[100_000]


def test_of_many_matches_the_first_are_shown_and_all_counted() -> None:
    rows = TreeRows()
    rows.list_paths([f"src/file{number:06}.py" for number in range(10_000)])
    rows.filter("file")
    assert len(rows.rows) == SHOWN_MATCHES + 1
    assert rows.matches == 10_000


def test_listed_paths_are_filtered_though_no_folder_was_opened() -> None:
    rows = TreeRows()
    rows.list_paths(["a.py", "src/", "src/api/", "src/api/Deep.py", "src/cli.py"])
    rows.filter("deep")
    assert paths(rows) == ["src", "src/api", "src/api/Deep.py"]
    assert [row.is_folder for row in rows.rows] == [True, True, False]
    assert [row.is_open for row in rows.rows] == [True, True, True]
    rows.list_paths(None)
    assert paths(rows) == []


def test_a_new_list_takes_the_place_of_the_one_before() -> None:
    rows = TreeRows()
    rows.list_paths(["a.py", "b.py"])
    rows.filter("py")
    assert paths(rows) == ["a.py", "b.py"]
    rows.list_paths(["c.py", "d.py"])
    assert paths(rows) == ["c.py", "d.py"]


def test_skipped_folders_are_marked_with_what_is_in_them_and_can_be_hidden() -> None:
    rows = TreeRows()
    rows.load(".", (replace(entry("build", FileKind.FOLDER), is_skipped=True), entry("a.py")))
    rows.load("build", (entry("lib.o"),))
    rows.toggle("build")
    assert [(row.path, row.is_skipped) for row in rows.rows] == [
        ("build", True),
        ("build/lib.o", True),
        ("a.py", False),
    ]
    rows.toggle_skipped()
    assert paths(rows) == ["a.py"]


def test_opening_down_to_a_folder_names_what_must_be_read() -> None:
    rows = tree()
    assert rows.open_to("src/api") == ("src/api",)
    rows.load("src/api", (entry("x.py"),))
    assert "src/api/x.py" in paths(rows)


def test_it_knows_whether_folders_were_never_read() -> None:
    rows = tree()
    assert rows.has_unread_folders
    rows.load("src/api", ())
    assert not rows.has_unread_folders
