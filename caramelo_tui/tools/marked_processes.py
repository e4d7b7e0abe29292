"""Find and end everything that a command started.

Owns the question "which processes belong to this call or session": those that carry its
mark in their environment, those in the shell's own session, and all their descendants. A
process that both cleared its environment and left the session, and whose parent is gone, is
not found. Starts nothing. Blocking; callers use a thread. Proven by
tests/unit/tools/test_marked_processes.py.
"""

import logging
import os
import signal
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from caramelo_tui.domain.system_faults import is_full_table

_log = logging.getLogger(__name__)

SESSION_VARIABLE = "CARAMELO_SESSION"
"""Carries the session's mark in every child's environment."""
CALL_VARIABLE = "CARAMELO_CALL"
"""Carries the mark of one call in the environment of all that it starts."""

_PROC = Path("/proc")
_READ_BYTES = 65_536
_RESCAN_S = 0.005
"""Pause between two looks at the process table: killed processes need a moment to go."""
_SHOWN_COMMAND_CHARS = 200
"""A command line is shown in one row; the rest of a long one helps nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFacts:
    """One living process."""

    pid: int
    parent_pid: int
    session_pid: int
    """Process id of the session's leader; 0 when unknown."""
    started: float
    """Start time in the table's own unit; with the pid it names one process for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What makes a process one of ours."""

    variable: str
    """``SESSION_VARIABLE`` or ``CALL_VARIABLE``."""
    mark: str
    """The value that the variable must have."""
    leader_pid: int | None = None
    """A shell that is not reaped yet: all of its session and its descendants belong too."""
    known: Collection[ProcessFacts] = ()
    """Processes found earlier; they count as long as they are still the same ones."""


class ProcessTable(Protocol):
    """How the system's processes are read.

    Where no file can be opened any more, ``OSError`` says so: a process that cannot be looked at
    for that reason is not one that is gone.
    """

    def processes(self) -> Iterable[ProcessFacts]:
        """Return every living process; zombies are left out."""
        ...

    def has_variable(self, pid: int, name: str, value: str) -> bool:
        """Whether a process started with this variable; False when it cannot be read."""
        ...

    def command(self, pid: int) -> str:
        """Return the process's command line for display; empty when it cannot be read."""
        ...


class ProcFolderTable:
    """Linux: reads ``/proc`` directly, which is several times faster than a library."""

    def processes(self) -> Iterable[ProcessFacts]:
        """Return every living process; zombies are left out."""
        # Names first: the folder is closed again before a file of it needs a descriptor.
        for name in os.listdir(_PROC):  # noqa: PTH208 - names only, of hundreds of processes
            if name.isdecimal() and (facts := _facts_from_stat(int(name))):
                yield facts

    def has_variable(self, pid: int, name: str, value: str) -> bool:
        """Whether a process started with this variable; False when it cannot be read.

        Raises:
            OSError: If no file can be opened any more.
        """
        try:
            environment = _told_of(pid, "environ")
        except OSError as error:
            if is_full_table(error):
                raise
            # Gone, or of another user: then it carries no mark of ours.
            return False
        # With a NUL before and behind each: splitting all of them up takes longer.
        return f"\0{name}={value}\0".encode() in b"\0%b\0" % environment

    def command(self, pid: int) -> str:
        """Return the process's command line for display; empty when it cannot be read."""
        try:
            raw = _told_of(pid, "cmdline")
        except OSError:
            return ""
        return _shown(raw.rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace"))


class PsutilTable:
    """macOS and others without ``/proc``; loads psutil on first use."""

    def processes(self) -> Iterable[ProcessFacts]:
        """Return every living process; zombies are left out."""
        import psutil  # noqa: PLC0415 - not needed on Linux, and slow to load

        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.status() != psutil.STATUS_ZOMBIE:
                    yield ProcessFacts(
                        pid=process.pid,
                        parent_pid=process.ppid(),
                        session_pid=_session_of(process.pid),
                        started=process.create_time(),
                    )

    def has_variable(self, pid: int, name: str, value: str) -> bool:
        """Whether a process started with this variable; False when it cannot be read."""
        import psutil  # noqa: PLC0415 - not needed on Linux, and slow to load

        try:
            return psutil.Process(pid).environ().get(name) == value
        except (psutil.Error, OSError):
            return False

    def command(self, pid: int) -> str:
        """Return the process's command line for display; empty when it cannot be read."""
        import psutil  # noqa: PLC0415 - not needed on Linux, and slow to load

        try:
            return _shown(" ".join(psutil.Process(pid).cmdline()))
        except (psutil.Error, OSError):
            return ""


def system_table() -> ProcessTable:
    """Return the fastest table that works on this system."""
    return ProcFolderTable() if (_PROC / "self" / "environ").exists() else PsutilTable()


def find_family(table: ProcessTable, family: Family) -> tuple[ProcessFacts, ...]:
    """Return the living members of a family by rising pid, its leader included.

    This process and its ancestors are never members.
    """
    everything = {facts.pid: facts for facts in table.processes()}
    spared = _with_ancestors(os.getpid(), everything)
    known = {(facts.pid, facts.started) for facts in family.known}
    members = {
        facts.pid
        for facts in everything.values()
        if facts.pid not in spared
        and (
            (facts.pid, facts.started) in known
            or _is_led_by(facts, family.leader_pid)
            or table.has_variable(facts.pid, family.variable, family.mark)
        )
    }
    _add_descendants(members, everything)
    return tuple(everything[pid] for pid in sorted(members - spared))


def end_family(table: ProcessTable, family: Family, *, limit_s: float = 2.0) -> bool:
    """Kill a family until none of it is left.

    Args:
        table: Where processes are looked up.
        family: Whom to end.
        limit_s: Seconds after which one that will not die (stuck in the kernel) is left, or that
            nobody could look for, since no file could be opened all the time.

    Returns:
        Whether all of them are gone.
    """
    deadline = time.monotonic() + limit_s
    # The first look comes before the first kill: descendants that cleared their environment
    # and left the session are known only while their parents live.
    while (members := _family_if_seen(table, family)) != ():
        for member in members or ():
            kill(member.pid)
        if time.monotonic() > deadline:
            _log.warning("not everything could be ended: %s", members or "no file can be opened")
            return False
        time.sleep(_RESCAN_S)
    return True


def _family_if_seen(table: ProcessTable, family: Family) -> tuple[ProcessFacts, ...] | None:
    """Return a family's living members; ``None`` while no file can be opened to look for them.

    Raises:
        OSError: If looking fails otherwise.
    """
    try:
        return find_family(table, family)
    except OSError as error:
        if not is_full_table(error):
            raise
        # Whoever else ends meanwhile gives descriptors back.
        return None


def kill(pid: int) -> None:
    """Send SIGKILL; a process that is gone or not ours to end is left alone."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def is_same_process(table: ProcessTable, facts: ProcessFacts) -> bool:
    """Whether a process found earlier still lives (and its number was not given away)."""
    if isinstance(table, ProcFolderTable):
        now = _facts_from_stat(facts.pid)
        return now is not None and now.started == facts.started
    return any(
        other.pid == facts.pid and other.started == facts.started for other in table.processes()
    )


def _is_led_by(facts: ProcessFacts, leader_pid: int | None) -> bool:
    return leader_pid is not None and leader_pid in {facts.pid, facts.session_pid}


def _add_descendants(members: set[int], everything: dict[int, ProcessFacts]) -> None:
    children: dict[int, list[int]] = {}
    for facts in everything.values():
        children.setdefault(facts.parent_pid, []).append(facts.pid)
    waiting = list(members)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in members:
                members.add(child)
                waiting.append(child)


def _with_ancestors(pid: int, everything: dict[int, ProcessFacts]) -> set[int]:
    line = {0, 1}
    while pid not in line:
        line.add(pid)
        facts = everything.get(pid)
        pid = facts.parent_pid if facts else 0
    return line


def _told_of(pid: int, file: str) -> bytes:
    """Return what the system tells of a process, without the layers of a file object.

    All processes of the machine are read after each command.
    """
    descriptor = os.open(f"{_PROC}/{pid}/{file}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts: list[bytes] = []
        while part := os.read(descriptor, _READ_BYTES):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _facts_from_stat(pid: int) -> ProcessFacts | None:
    try:
        raw = _told_of(pid, "stat")
    except OSError as error:
        if is_full_table(error):
            raise
        return None
    # The name stands in parentheses and may itself hold blanks and parentheses.
    fields = raw[raw.rfind(b")") + 2 :].split()
    if fields[0] in {b"Z", b"X"}:
        return None
    return ProcessFacts(
        pid=pid,
        parent_pid=int(fields[1]),
        session_pid=int(fields[3]),
        started=float(fields[19]),
    )


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def _shown(command: str) -> str:
    if len(command) <= _SHOWN_COMMAND_CHARS:
        return command
    return command[: _SHOWN_COMMAND_CHARS - 1] + "…"
