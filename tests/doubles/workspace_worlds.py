"""Real folders for tests of the file layer.

Owns a workspace in a temporary folder with an outside folder beside it, and a step hook
that does something at one place of a write.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.domain.files import FileStamp
from caramelo_tui.workspace.file_io import FileStore, WriteStep
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.sandbox import Sandbox

LONG_AGO_NS = 10_000_000_000
"""Added to the clock of a cache so that every stamp counts as settled."""


@dataclass
class StepIn:
    """A ``StepHook`` that acts at one step and remembers all steps."""

    at: WriteStep | None = None
    act: Callable[[], object] = lambda: None
    seen: list[tuple[WriteStep, str]] = field(default_factory=list[tuple[WriteStep, str]])

    def __call__(self, step: WriteStep, path: str) -> None:
        self.seen.append((step, path))
        if step is self.at:
            self.act()


def fail_with(number: int) -> Callable[[], None]:
    """Return an act that fails like a system call."""

    def act() -> None:
        raise OSError(number, os.strerror(number))

    return act


class World:
    """A workspace, an outside folder beside it, and the file layer over the workspace."""

    def __init__(self, base: Path) -> None:
        self.root = base / "ws"
        self.outside = base / "out"
        self.root.mkdir()
        self.outside.mkdir()
        (self.outside / "secret.txt").write_text("TOPSECRET")
        self.steps = StepIn()
        self.own_writes = OwnWrites()
        self.sandbox = Sandbox(self.root)
        self.files = FileStore(self.sandbox, step_hook=self.steps, own_writes=self.own_writes)

    def write(self, path: str, content: bytes | str = b"") -> Path:
        """Write a file as another program would, parents included."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def link(self, path: str, target: str | Path) -> Path:
        """Make a symbolic link."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        return place

    def names(self, path: str = ".") -> list[str]:
        """Return the sorted names in a folder."""
        return sorted(entry.name for entry in (self.root / path).iterdir())

    def all_paths(self) -> list[str]:
        """Return every path below the root, sorted."""
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))


def later_ns() -> int:
    """Return a time at which every stamp made until now is settled."""
    return time.time_ns() + LONG_AGO_NS


def stamp(*, inode: int = 1, size: int = 1, mtime_ns: int = 1, ctime_ns: int = 1) -> FileStamp:
    """Return a made-up stamp."""
    return FileStamp(device=1, inode=inode, size=size, mtime_ns=mtime_ns, ctime_ns=ctime_ns)
