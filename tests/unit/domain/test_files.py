"""Files, their identity and their changes."""

from dataclasses import replace

from caramelo_tui.domain.files import ChangeKind, FileChange, FileKind, FileStamp, FolderEntry


def test_stamps_differ_by_every_part_of_a_files_identity() -> None:
    stamp = FileStamp(device=1, inode=2, size=3, mtime_ns=4, ctime_ns=5)
    assert stamp == FileStamp(device=1, inode=2, size=3, mtime_ns=4, ctime_ns=5)
    others = (
        replace(stamp, device=9),
        replace(stamp, inode=9),
        replace(stamp, size=9),
        replace(stamp, mtime_ns=9),
        # A program can set the time of modification back, never this one.
        replace(stamp, ctime_ns=9),
    )
    assert all(other != stamp for other in others)


def test_a_link_that_leaves_has_no_target() -> None:
    entry = FolderEntry(name="out", kind=FileKind.LINK, size=0)
    assert entry.link_target is None
    assert not entry.leads_to_folder


def test_changes_are_values_that_can_be_collected() -> None:
    once = FileChange(path="a", kind=ChangeKind.MODIFIED)
    assert {once, FileChange(path="a", kind=ChangeKind.MODIFIED)} == {once}
