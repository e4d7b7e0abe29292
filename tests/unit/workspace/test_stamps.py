"""When a stamp can be trusted."""

import os
from pathlib import Path

from caramelo_tui.workspace.stamps import SETTLING_NS, is_settled, stamp_of
from tests.doubles.workspace_worlds import stamp


def test_a_stamp_holds_what_stat_says(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("abc")
    status = os.lstat(tmp_path / "f")
    made = stamp_of(status)
    assert (made.device, made.inode, made.size) == (status.st_dev, status.st_ino, 3)
    assert (made.mtime_ns, made.ctime_ns) == (status.st_mtime_ns, status.st_ctime_ns)


def test_a_restored_time_and_an_equal_size_still_change_the_stamp(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_text("v1")
    # Far enough in the past that the kernel's next stamp must differ.
    before = os.lstat(target)
    while os.lstat(target).st_ctime_ns == before.st_ctime_ns:
        target.write_text("v2")
        os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = stamp_of(os.lstat(target))
    assert after.mtime_ns == before.st_mtime_ns
    assert after.size == before.st_size
    assert after != stamp_of(before)


def test_only_the_age_of_the_change_time_settles_a_stamp() -> None:
    young = stamp(mtime_ns=0, ctime_ns=1_000_000_000)
    assert not is_settled(young, 1_000_000_000)
    assert not is_settled(young, 1_000_000_000 + SETTLING_NS - 1)
    assert is_settled(young, 1_000_000_000 + SETTLING_NS)
    assert not is_settled(young, 999_999_999)
    assert is_settled(stamp(mtime_ns=2**62, ctime_ns=0), SETTLING_NS)
