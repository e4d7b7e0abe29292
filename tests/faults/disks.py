"""Small real disks that a test fills, empties, takes away and makes read-only."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

SIZE_BYTES = 512 * 1024
"""Of a small disk: room for a session, and filled at once."""
_FILLER = ".filler"


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A mounted disk of ``SIZE_BYTES``."""

    place: Path

    def fill(self) -> None:
        """Leave no byte free."""
        descriptor = os.open(self.place / _FILLER, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            for size in (65_536, 4_096, 1):
                with suppress(OSError):
                    while True:
                        os.write(descriptor, b"x" * size)
        finally:
            os.close(descriptor)

    def free(self) -> None:
        """Give the room back."""
        (self.place / _FILLER).unlink()

    def make_read_only(self) -> None:
        """Mount it read-only; files that are open for writing keep it from that."""
        _mount("-o", "remount,ro", str(self.place))

    def make_writable(self) -> None:
        """Mount it as at first."""
        _mount("-o", "remount,rw", str(self.place))


def why_not() -> str:
    """Return why this user cannot mount disks; empty: they can."""
    if os.geteuid() != 0:
        return "mounting a small disk takes root"
    return "" if Path("/proc/filesystems").exists() else "mounting a small disk takes Linux"


@contextmanager
def small_disk(place: Path) -> Iterator[SmallDisk]:
    """Mount a small disk at a folder, which is made, for the time of the block."""
    place.mkdir(parents=True, exist_ok=True)
    options = f"size={SIZE_BYTES},mode=0700"
    try:
        _mount("-t", "tmpfs", "-o", options, "tmpfs", str(place))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"a small disk cannot be mounted here: {error.stderr!r}")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, capture_output=True)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)


@contextmanager
def fewer_descriptors(left: int) -> Iterator[Callable[[], None]]:
    """Use up the table of this process but for so many; yields what gives them back.

    Descriptors are opened here, the limit is not touched: it would hold for the whole test run.
    """
    taken: list[int] = []

    def give_back() -> None:
        while taken:
            os.close(taken.pop())

    try:
        with suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(min(left, len(taken))):
            os.close(taken.pop())
        yield give_back
    finally:
        give_back()


def open_descriptors() -> list[int]:
    """Return the numbers of the descriptors that this process has open, by size."""
    return sorted(int(path.name) for path in Path("/proc/self/fd").iterdir())
