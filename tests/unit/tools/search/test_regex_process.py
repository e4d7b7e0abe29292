"""A worker ends in time, is used again when it may be, and sees no secrets."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from caramelo_tui.tools.search.regex_process import (
    PatternRefused,
    RegexProcess,
    RegexProcesses,
    SearchTimedOut,
    Watch,
    WorkerDied,
)

ENDLESS = "(a+)+$"
HOSTILE_LINE = b"a" * 60 + b"!\n"


@pytest.fixture
def processes() -> Iterator[RegexProcesses]:
    made = RegexProcesses()
    yield made
    made.close()


def far() -> Watch:
    return Watch(deadline=time.monotonic() + 20, stop=StopFlag())


def soon() -> Watch:
    return Watch(deadline=time.monotonic() + 0.2, stop=StopFlag())


def search(worker: RegexProcess, pattern: str, *files: bytes, wanted: int = 10) -> list[object]:
    worker.set_pattern(pattern, "i", far())
    worker.send_batch(files, wanted, far())
    return [(place.index, place.line) for place in worker.receive_places(far())]


def test_worker_is_used_again_after_a_search_and_after_a_refused_pattern(
    processes: RegexProcesses,
) -> None:
    with processes.borrow() as worker:
        assert search(worker, "X", b"a\nx\n", b"x\n") == [(0, 2), (1, 1)]
    first = processes.pids
    with (
        pytest.raises(PatternRefused, match="Unbalanced parenthesis"),
        processes.borrow() as worker,
    ):
        worker.set_pattern("(", "", far())
    with processes.borrow() as worker:
        assert search(worker, "y", b"y\n") == [(0, 1)]

    assert processes.pids == first


def test_megabytes_pass_the_pipe_both_ways(processes: RegexProcesses) -> None:
    line = "é" * 290
    data = f"{line}\n".encode() * 400

    with processes.borrow() as worker:
        rows = search(worker, "é", *[data] * 20, wanted=2_000)

    assert len(rows) == 2_000
    assert rows[-1] == (4, 400)


def start_endless(worker: RegexProcess) -> None:
    worker.set_pattern(ENDLESS, "", far())
    worker.send_batch([HOSTILE_LINE], 1, far())


def test_endless_pattern_is_killed_at_the_deadline(processes: RegexProcesses) -> None:
    pids: list[int] = []

    def work() -> None:
        with processes.borrow() as worker:
            pids.append(worker.pid)
            start_endless(worker)
            worker.receive_places(soon())

    with pytest.raises(SearchTimedOut):
        work()
    assert not psutil.pid_exists(pids[0])
    assert processes.pids == ()


def test_stop_flag_ends_the_wait_and_the_worker(processes: RegexProcesses) -> None:
    stop = StopFlag()
    pids: list[int] = []

    def work() -> None:
        with processes.borrow() as worker:
            pids.append(worker.pid)
            watch = Watch(deadline=time.monotonic() + 20, stop=stop)
            worker.set_pattern(ENDLESS, "", watch)
            worker.send_batch([HOSTILE_LINE], 1, watch)
            threading.Timer(0, stop.set).start()
            worker.receive_places(watch)

    with pytest.raises(Stopped):
        work()
    assert not psutil.pid_exists(pids[0])


def test_time_that_is_over_sends_nothing(processes: RegexProcesses) -> None:
    with pytest.raises(SearchTimedOut), processes.borrow() as worker:
        worker.set_pattern("x", "", Watch(deadline=0, stop=StopFlag()))


def test_dead_worker_is_noticed_and_replaced(processes: RegexProcesses) -> None:
    def work() -> None:
        with processes.borrow() as worker:
            os.kill(worker.pid, signal.SIGKILL)
            search(worker, "x", b"x" * 500_000)

    with pytest.raises(WorkerDied):
        work()
    with processes.borrow() as worker:
        search(worker, "x", b"x")
        pid = worker.pid
    os.kill(pid, signal.SIGKILL)
    # Not reaped here, only waited for: the pool finds out by itself.
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    with processes.borrow() as worker:
        assert worker.pid != pid
        assert search(worker, "x", b"x\n") == [(0, 1)]


def test_worker_ends_itself_when_its_parent_is_gone() -> None:
    worker = RegexProcess(alarm_s=0.1)
    start_endless(worker)

    with pytest.raises(WorkerDied):
        worker.receive_places(far())
    worker.end()


def test_worker_ends_when_the_pipe_closes() -> None:
    worker = RegexProcess(alarm_s=20)
    process = worker._process
    assert process.stdin is not None
    process.stdin.close()

    assert process.wait(10) == 0
    worker.end()


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment from /proc")
def test_worker_sees_no_environment_and_no_workspace(
    processes: RegexProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBE_API_KEY", "secret-7")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")

    with processes.borrow() as worker:
        search(worker, "x", b"x")
        environment = Path(f"/proc/{worker.pid}/environ").read_bytes()
        folder = Path(f"/proc/{worker.pid}/cwd").readlink()
        descriptors = list(Path(f"/proc/{worker.pid}/fd").iterdir())

    assert environment == b"LD_LIBRARY_PATH=/nowhere\0"
    assert folder == Path("/")
    assert len(descriptors) == 3


def test_idle_workers_are_few_and_busy_ones_are_apart(processes: RegexProcesses) -> None:
    with processes.borrow() as one, processes.borrow() as two, processes.borrow() as three:
        assert len({one.pid, two.pid, three.pid}) == 3
        assert len(processes.pids) == 3

    assert len(processes.pids) == 2


def test_close_ends_idle_and_busy_workers_and_starts_no_more(processes: RegexProcesses) -> None:
    pids: list[int] = []
    with processes.borrow() as one, processes.borrow() as two:
        pids += [one.pid, two.pid]

    def close_while_busy() -> None:
        with processes.borrow() as busy:
            start_endless(busy)
            processes.close()
            busy.receive_places(far())

    with pytest.raises(WorkerDied):
        close_while_busy()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    with pytest.raises(ToolFailure, match="closing"), processes.borrow():
        pass
    processes.close()


def test_missing_engine_is_said(processes: RegexProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_nothing)

    with pytest.raises(ToolFailure, match="regress"), processes.borrow():
        pass


def test_interpreter_that_cannot_be_started_is_said(
    processes: RegexProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")

    with pytest.raises(ToolFailure, match="could not be started"), processes.borrow():
        pass
