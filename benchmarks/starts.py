"""Measure the start of the installed program, and the program at rest, from outside."""

import re
import time

import psutil

from benchmarks.figures import Samples
from benchmarks.program import ProgramInTerminal, time_to_end
from benchmarks.scripted import LIMIT_S, PROMPT_SIGN, Scripted, scripted

IDLE_S = 10.0
"""How long the idle program is watched."""
_SETTLE_S = 4.0
"""What a start leaves behind is done by then."""
_ENTER_S = 0.1
"""Enter is pressed again after so long until the model is asked."""


def versions(rounds: int) -> Samples:
    """Return the time of ``--version``, after one that warms the disk."""
    times = [time_to_end(["--version"]) * 1000 for _ in range(3 * rounds + 1)]
    return {"version_ms": times[1:]}


def starts(rounds: int) -> Samples:
    """Return what is seen when, from a start in a home that has been used."""
    with scripted() as model:
        _first_request(model)
        model.requests()
        found: dict[str, list[float]] = {}
        for _ in range(rounds):
            for key, measure in _STARTS.items():
                found.setdefault(key, []).append(measure(model) * 1000)
        return found


def _first_paint(model: Scripted) -> float:
    with model.opened() as program:
        return program.wait_for(lambda screen: bool(screen.strip()))


def _first_key(model: Scripted) -> float:
    with model.opened() as program:
        program.press(b"\x15ZQ")
        # Before the program takes the terminal, that echoes what is typed by itself.
        return program.wait_for(lambda screen: re.search(r"┃.*ZQ", screen) is not None)


def _ready(model: Scripted) -> float:
    with model.opened() as program:
        return program.wait_for(lambda screen: "Tools" in screen and "Changes" in screen)


def _first_request(model: Scripted) -> float:
    """Return the seconds to the first request of somebody who types at once.

    Raises:
        TimeoutError: If the model is not asked.
    """
    model.requests()
    with model.opened() as program:
        started = time.monotonic()
        program.wait_for(lambda screen: PROMPT_SIGN in screen)
        program.press(b"bench:hello")
        deadline = started + LIMIT_S
        while time.monotonic() < deadline:
            program.press(b"\r")
            program.read(_ENTER_S)
            if requests := model.requests():
                # Let it end as it would, so that the next start finds a whole session.
                program.wait_for(lambda screen: "scripted model" in screen)
                return requests[0].came - started
    raise TimeoutError("the model was not asked")


_STARTS = {
    "first_paint_ms": _first_paint,
    "first_key_ms": _first_key,
    "ready_ms": _ready,
    "first_request_ms": _first_request,
}


def rest(rounds: int) -> Samples:
    """Return CPU, bytes and memory of the idle program, and while a question waits."""
    del rounds
    with scripted() as model:
        with model.opened() as program:
            program.wait_for(lambda screen: "Tools" in screen and PROMPT_SIGN in screen)
            cpu, printed, memory = watched(program)
            program.press(b"bench:hello\r")
            program.wait_for(lambda screen: "scripted model" in screen, limit_s=LIMIT_S)
            asked_mb = memory_mb(program)
        with model.opened("--mode", "each") as program:
            program.wait_for(lambda screen: PROMPT_SIGN in screen)
            program.press(b"bench:ask\r")
            program.wait_for(lambda screen: "runs it once" in screen, limit_s=LIMIT_S)
            waiting_cpu, waiting_printed, _ = watched(program)
    return {
        "idle_cpu": [cpu],
        "idle_bytes": [printed],
        "idle_mb": [memory],
        "asked_mb": [asked_mb],
        "waiting_cpu": [waiting_cpu],
        "waiting_bytes": [waiting_printed],
    }


def memory_mb(program: ProgramInTerminal) -> float:
    """Return what the program takes of the memory (PSS)."""
    return float(psutil.Process(program.pid).memory_full_info().pss) / 1_000_000


def watched(program: ProgramInTerminal) -> tuple[float, float, float]:
    """Return the CPU in percent, the bytes to the terminal, and the memory in MB at rest."""
    _read_for(program, _SETTLE_S)
    process = psutil.Process(program.pid)
    # The exact clock of the scheduler: the ticks of cpu_times are as long as what is looked for.
    before, seen = _cpu_s(process.pid), program.bytes_seen
    _read_for(program, IDLE_S)
    cpu = (_cpu_s(process.pid) - before) / IDLE_S * 100
    return cpu, float(program.bytes_seen - seen), memory_mb(program)


def _cpu_s(pid: int) -> float:
    # The kernel's number of another process's clock (CPUCLOCK_SCHED).
    return time.clock_gettime((~pid << 3) | 2)


def _read_for(program: ProgramInTerminal, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        program.read(min(left, 0.5))
