"""Processes are found by mark, session and descent, and by nothing else."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.tools.marked_processes import (
    CALL_VARIABLE,
    Family,
    ProcessFacts,
    ProcessTable,
    ProcFolderTable,
    PsutilTable,
    end_family,
    find_family,
    is_same_process,
    kill,
    system_table,
)
from tests.doubles.processes import wait_until

NOBODY = 999_999_999
"""A number above any process id."""


class FakeTable:
    """A made-up process table."""

    def __init__(self, *processes: ProcessFacts, marked: tuple[int, ...] = ()) -> None:
        self._processes = processes
        self._marked = marked

    def processes(self) -> tuple[ProcessFacts, ...]:
        return self._processes

    def has_variable(self, pid: int, name: str, value: str) -> bool:
        return pid in self._marked and bool(name and value)

    def command(self, pid: int) -> str:
        return f"program {pid}"


def facts(pid: int, parent: int = 1, session: int = 0, started: float = 1.0) -> ProcessFacts:
    return ProcessFacts(pid=pid, parent_pid=parent, session_pid=session, started=started)


def family() -> Family:
    return Family(variable=CALL_VARIABLE, mark="m")


def found(table: ProcessTable, wanted: Family) -> list[int]:
    return [member.pid for member in find_family(table, wanted)]


def test_the_marked_and_all_that_descends_from_them_are_found() -> None:
    table = FakeTable(facts(10), facts(11, 10), facts(12, 11), facts(13), marked=(10,))

    assert found(table, family()) == [10, 11, 12]


def test_a_shells_own_session_is_found_without_marks() -> None:
    table = FakeTable(facts(20, 1, 19), facts(21, 20, 21), facts(22, 1, 22))
    wanted = Family(variable=CALL_VARIABLE, mark="m", leader_pid=19)

    assert found(table, wanted) == [20, 21]


def test_a_known_process_counts_only_while_it_is_the_same() -> None:
    table = FakeTable(facts(30, started=5.0), facts(31, started=6.0))
    wanted = Family(
        variable=CALL_VARIABLE, mark="m", known=(facts(30, started=5.0), facts(31, started=1.0))
    )

    assert found(table, wanted) == [30]


def test_this_process_and_its_ancestors_are_never_found() -> None:
    own = os.getpid()
    table = FakeTable(facts(40), facts(own, 40), facts(41, own), marked=(40, own, 41))

    assert found(table, family()) == [41]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; print(); sys.stdout.flush(); sys.stdin.read()"],
        env={**os.environ, "CARAMELO_CALL": "sleeper"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    with process:
        yield process
        process.kill()


@pytest.mark.parametrize("table", [ProcFolderTable(), PsutilTable()], ids=["proc", "psutil"])
def test_both_tables_see_the_same(table: ProcessTable, sleeper: subprocess.Popen[bytes]) -> None:
    (seen,) = [process for process in table.processes() if process.pid == sleeper.pid]

    assert seen.parent_pid == os.getpid()
    assert seen.session_pid == os.getsid(0)
    assert table.has_variable(sleeper.pid, "CARAMELO_CALL", "sleeper")
    assert not table.has_variable(sleeper.pid, "CARAMELO_CALL", "sleep")
    assert not table.has_variable(NOBODY, "CARAMELO_CALL", "sleeper")
    assert Path(sys.executable).name in table.command(sleeper.pid)
    assert table.command(NOBODY) == ""
    assert is_same_process(table, seen)
    assert end_family(table, Family(variable=CALL_VARIABLE, mark="sleeper"))
    sleeper.wait()
    assert not is_same_process(table, seen)


async def test_a_long_command_line_is_shown_cut() -> None:
    table = ProcFolderTable()
    with subprocess.Popen(["sleep", *["60"] * 200]) as process:  # noqa: ASYNC220 - takes 1 ms
        await wait_until(lambda: table.command(process.pid) != "")
        shown = table.command(process.pid)
        process.kill()

    assert len(shown) == 200
    assert shown.endswith("…")


def test_one_that_will_not_die_is_left_after_a_while() -> None:
    table = FakeTable(facts(NOBODY), marked=(NOBODY,))

    assert not end_family(table, family(), limit_s=0.0)


def test_killing_who_is_gone_is_no_error() -> None:
    kill(NOBODY)


def test_linux_reads_its_own_table() -> None:
    assert isinstance(system_table(), ProcFolderTable)


class FullTable(FakeTable):
    """A system in which no file can be opened, for so many looks."""

    def __init__(self, *, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def processes(self) -> tuple[ProcessFacts, ...]:
        self.looks -= 1
        if self.looks >= 0:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().processes()


def test_a_family_is_looked_for_until_files_can_be_opened_again() -> None:
    table = FullTable(looks=3)
    assert end_family(table, family())
    assert table.looks == -1


def test_a_family_that_cannot_be_looked_for_is_not_said_to_be_gone() -> None:
    assert not end_family(FullTable(looks=10_000), family(), limit_s=0.0)
