from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.ui.panes.tree_rows import TreeRows
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


def test_it_knows_whether_folders_were_never_read() -> None:
    rows = tree()
    assert rows.has_unread_folders
    rows.load("src/api", ())
    assert not rows.has_unread_folders
