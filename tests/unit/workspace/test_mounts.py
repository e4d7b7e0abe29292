"""Which file systems only this kernel changes, and what is mounted where."""

from pathlib import Path

import pytest

from caramelo_tui.workspace.mounts import MountTable, is_local, mounted_below, parse_mounts

TABLE = r"""
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
23 22 0:21 / /proc rw,relatime - proc proc rw
30 22 0:30 / /home rw master:1 - nfs4 server:/home rw
31 30 254:1 / /home/me/my\040work rw - xfs /dev/vdb rw
32 31 0:40 / /home/me/my\040work/share rw - fuse.sshfs me@there rw
33 22 0:50 / /over rw - ext4 /dev/vdc rw
34 22 0:51 / /over rw - virtiofs shared rw
nonsense
"""


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/srv/ws", True),
        ("/", True),
        ("/homely", True),
        ("/home/me", False),
        ("/home/me/my work", True),
        ("/home/me/my work/src", True),
        ("/home/me/my work/share/x", False),
        ("/over/ws", False),
    ],
)
def test_the_nearest_mount_decides(folder: str, *, expected: bool) -> None:
    assert is_local(folder, parse_mounts(TABLE)) is expected


def test_without_a_mount_nothing_is_local() -> None:
    assert not is_local("/srv", ())


def test_what_is_mounted_below_is_named() -> None:
    mounts = parse_mounts(TABLE)
    assert mounted_below("/home/me/my work", mounts) == {"/home/me/my work/share"}
    assert mounted_below("/srv", mounts) == set()


def test_the_real_table_names_the_root_and_has_not_changed(tmp_path: Path) -> None:
    table = MountTable()
    assert any(mount.place == "/" for mount in table.mounts)
    assert not table.has_changed()
    table.close()
    table.close()
    with pytest.raises(FileNotFoundError):
        MountTable(tmp_path / "none")
