"""Lists of changed files are read as git writes them."""

from caramelo_tui.tools.git.changes import ChangedFile, StatusEntry, read_changes, read_status


def test_status_rows_keep_blanks_line_breaks_and_odd_bytes() -> None:
    data = b" M a b.txt\0?? two\nrows\0UU \xff.txt\0"

    entries = read_status(data)

    assert entries == (
        StatusEntry(code=" M", path="a b.txt"),
        StatusEntry(code="??", path="two\nrows"),
        StatusEntry(code="UU", path="\udcff.txt"),
    )


def test_kinds_and_lines_are_joined_by_path() -> None:
    changes = read_changes(
        b"M\0a.txt\0A\0b\tc\0D\0x.png\0", b"1\t2\ta.txt\0003\t0\tb\tc\0-\t-\tx.png\0"
    )

    assert changes == (
        ChangedFile(kind="M", path="a.txt", added=1, removed=2),
        ChangedFile(kind="A", path="b\tc", added=3, removed=0),
        ChangedFile(kind="D", path="x.png"),
    )
    assert [change.row for change in changes] == [
        "M a.txt +1 -2",
        "A b<U+0009>c +3 -0",
        "D x.png (binary)",
    ]


def test_empty_lists_are_empty() -> None:
    assert read_status(b"") == ()
    assert read_changes(b"", b"") == ()
