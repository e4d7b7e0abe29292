"""Put a command into a box where it can change little but the workspace.

Owns how ``bwrap`` (bubblewrap) is called and whether it works on this machine: the workspace is
writable, the rest read-only, sockets and temporary files of others are out of sight, processes are
its own, and there is no network unless it is allowed. Starts no command itself. A box that was
asked for and does not work is an error, never left out. Proven by
tests/unit/tools/test_command_box.py.
"""

import asyncio
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.search_path import located, safe_search_path

PROBE_S = 5.0
"""Seconds after which a probe counts as failed."""
_FOUND_IN_RUN = ("/run/current-system", "/run/wrappers", "/run/opengl-driver")
"""Where some systems keep their programs and libraries."""
_NAME_SERVICE = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
"""Files that the name service reads; of use with a network only."""


class CommandBox(Protocol):
    """Where commands run."""

    @property
    def is_used(self) -> bool:
        """Whether there is a box; the person is told before a command runs in it."""
        ...

    async def wrapped(self, command: Sequence[str], folder: Path) -> tuple[str, ...]:
        """Return what starts a command in the box.

        Args:
            command: Program and arguments.
            folder: Absolute start folder.

        Raises:
            ToolFailure: If the box does not work here; the command must not run then.
        """
        ...


class NoBox:
    """Commands have the user's full rights."""

    @property
    def is_used(self) -> bool:
        """There is none."""
        return False

    async def wrapped(self, command: Sequence[str], folder: Path) -> tuple[str, ...]:
        """Return the command as it is."""
        del folder
        return tuple(command)


class BubblewrapBox:
    """Commands run in ``bwrap``."""

    def __init__(
        self,
        root: Path,
        *,
        search_path: str,
        has_network: bool,
        read_only: Sequence[Path] = (),
    ) -> None:
        """Take the workspace; nothing is started.

        Args:
            root: Resolved root, writable in the box.
            read_only: Absolute folders that are not writable even inside ``root``.
            search_path: ``PATH`` in which ``bwrap`` is looked for, outside of ``root``.
            has_network: Whether commands reach the network.
        """
        self._root = root
        self._search_path = safe_search_path(search_path, outside=root)
        self._has_network = has_network
        self._read_only = tuple(map(str, read_only))
        self._problem: str | None = None
        self._probing = asyncio.Lock()

    @property
    def is_used(self) -> bool:
        """There is one, or no command runs."""
        return True

    async def wrapped(self, command: Sequence[str], folder: Path) -> tuple[str, ...]:
        """Return what starts a command in the box.

        Raises:
            ToolFailure: If ``bwrap`` is missing or the system does not let it work.
        """
        async with self._probing:
            if self._problem is None:
                self._problem = await asyncio.to_thread(self.problem)
        if self._problem:
            msg = (
                f"nothing was run: commands.sandbox is bwrap, and {self._problem}. The user can "
                'install bubblewrap, or set commands.sandbox = "none"'
            )
            raise ToolFailure(msg)
        return (*self._start(folder), *command)

    def problem(self) -> str:
        """Return why it does not work here, as the end of a sentence; empty: it does. Blocks."""
        if self._root == self._root.parent:
            return "the workspace is the whole system, which leaves nothing to protect"
        try:
            done = subprocess.run(  # noqa: S603 - an argument list of our own
                [*self._start(self._root), "/bin/sh", "-c", ":"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                # The trial needs nothing of the user's, keys least of all.
                env={},
                timeout=PROBE_S,
                check=False,
            )
        except FileNotFoundError:
            return "bwrap is not installed"
        except (OSError, subprocess.SubprocessError) as error:
            return f"bwrap cannot be started ({error})"
        if done.returncode == 0:
            return ""
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return f"bwrap does not work here ({words[-1][:200] if words else done.returncode})"

    def _start(self, folder: Path) -> tuple[str, ...]:
        root = str(self._root)
        seen = (*_FOUND_IN_RUN, *(_NAME_SERVICE if self._has_network else ()))
        return (
            located("bwrap", self._search_path),
            *("--ro-bind", "/", "/"),
            *("--dev", "/dev"),
            *("--proc", "/proc"),
            # Sockets of others lie here: a container service would give all rights back.
            *("--tmpfs", "/run"),
            *("--tmpfs", "/tmp"),  # noqa: S108 - the box's own
            *(("--tmpfs", "/var/tmp") if os.path.isdir("/var/tmp") else ()),  # noqa: S108, PTH112 - as above
            *(part for path in seen for part in ("--ro-bind-try", path, path)),
            *("--bind", root, root),
            *(part for path in self._read_only for part in ("--ro-bind-try", path, path)),
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *(() if self._has_network else ("--unshare-net",)),
            "--die-with-parent",
            *("--setenv", "TMPDIR", "/tmp"),  # noqa: S108 - the box's own
            *("--chdir", str(folder)),
            "--",
        )
