"""Tell on which kind of file system a folder lies, and what is mounted below it.

Owns the reading of the system's mount table, and the list of file systems whose every change
goes through this kernel. Proven by tests/unit/workspace/test_mounts.py.

Source, read 2026-11-30: proc_pid_mountinfo(5) of the Linux man-pages project.
"""

import re
import select
from dataclasses import dataclass
from pathlib import Path

LOCAL_FILE_SYSTEMS = frozenset(
    {
        "bcachefs",
        "btrfs",
        "ext2",
        "ext3",
        "ext4",
        "f2fs",
        "jfs",
        "nilfs2",
        "overlay",
        "ramfs",
        "reiserfs",
        "tmpfs",
        "xfs",
        "zfs",
    }
)
"""On others (NFS, FUSE, 9p, shared folders of a virtual machine) somebody else can change files
without this kernel hearing of it."""
MOUNT_TABLE = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """One row of the mount table."""

    place: str
    """Absolute path."""
    file_system: str
    """Name of its kind, such as ``ext4``."""


def parse_mounts(table: str) -> tuple[Mount, ...]:
    """Return the rows of a mount table, in its order; rows that make no sense are left out."""
    found: list[Mount] = []
    for line in table.splitlines():
        fields, _, rest = line.partition(" - ")
        parts, kinds = fields.split(" "), rest.split(" ")
        if len(parts) > 4 and kinds[0]:  # noqa: PLR2004 - the fifth field is the mount point
            place = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), parts[4])
            found.append(Mount(place=place, file_system=kinds[0]))
    return tuple(found)


def is_local(folder: str, mounts: tuple[Mount, ...]) -> bool:
    """Whether every change in a folder goes through this kernel.

    Args:
        folder: Absolute resolved path.
        mounts: The mount table; where a place stands twice, the later row hides the earlier.
    """
    above = [mount for mount in mounts if is_at_or_below(folder, mount.place)]
    if not above:
        return False
    longest = max(len(mount.place) for mount in above)
    nearest = [mount for mount in above if len(mount.place) == longest][-1]
    return nearest.file_system in LOCAL_FILE_SYSTEMS


def mounted_below(folder: str, mounts: tuple[Mount, ...]) -> frozenset[str]:
    """Return the absolute places below a folder where something else is mounted."""
    return frozenset(
        mount.place
        for mount in mounts
        if mount.place != folder and is_at_or_below(mount.place, folder)
    )


def is_at_or_below(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or lies in it, at any depth."""
    return folder in {"/", path} or path.startswith(f"{folder}/")


class MountTable:
    """The mount table as it was when opened, and whether it has changed since."""

    def __init__(self, path: Path = MOUNT_TABLE) -> None:
        """Read the table.

        Raises:
            OSError: If the system shows none.
        """
        self._file = path.open("rb")
        self._poll = select.poll()
        # The kernel reports a change of the table as an "exceptional condition" of this file.
        self._poll.register(self._file.fileno(), select.POLLPRI)
        self._poll.poll(0)
        self.mounts = parse_mounts(self._file.read().decode("utf-8", "surrogateescape"))
        """The rows."""

    def has_changed(self) -> bool:
        """Whether anything was mounted or unmounted since the last time this was asked."""
        return bool(self._poll.poll(0))

    def close(self) -> None:
        """Close the table; idempotent."""
        self._file.close()
