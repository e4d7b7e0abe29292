"""Measure a megabyte of streamed Markdown, and an app that waits for an answer.

``python -m benchmarks.burst``: both behind 5,000 messages, over the whole app in a pseudo
terminal. The lag of the event loop is measured inside the app, from the first event of the stream
to a second after the last.
"""

import sys
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.conversation import quiet, row, until_filled
from benchmarks.program import ProgramInTerminal
from benchmarks.rows import Row, table

MESSAGES = 5_000
ROUNDS = 3
IDLE_S = 10.0
"""How long the app that waits is watched."""


def opened(*more: str) -> ProgramInTerminal:
    """Return a start of the app on a long conversation."""
    module = "benchmarks.conversation_app"
    return ProgramInTerminal(command=[sys.executable, "-m", module, str(MESSAGES), *more])


def memory_mb(program: ProgramInTerminal) -> float:
    """Return what the program takes of the memory."""
    return float(psutil.Process(program.pid).memory_full_info().pss) / 1_000_000


def burst() -> tuple[float, float, float]:
    """Return seconds to the painted end, the worst lag in ms, and the growth in MB."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "lag"
        with opened(str(report)) as program:
            until_filled(program, MESSAGES)
            before = memory_mb(program)
            program.press(b"burst")
            quiet(program)
            started = time.perf_counter()
            program.press(b"\r")
            program.wait_for(lambda screen: "BURST-END" in screen, limit_s=60)
            took = time.perf_counter() - started
            while not report.exists() or not report.read_text():
                program.read(0.1)
            return took, float(report.read_text()) * 1000, memory_mb(program) - before


def waiting() -> tuple[float, float]:
    """Return the CPU in percent, and the bytes to the terminal, while a question waits."""
    with opened() as program:
        until_filled(program, MESSAGES)
        program.press(b"ask\r")
        program.wait_for(lambda screen: "ready: y runs it once" in screen)
        quiet(program)
        process = psutil.Process(program.pid)
        before, seen = sum(process.cpu_times()[:2]), program.bytes_seen
        end = time.perf_counter() + IDLE_S
        while time.perf_counter() < end:
            program.read(0.5)
        cpu = (sum(process.cpu_times()[:2]) - before) / IDLE_S * 100
        return cpu, float(program.bytes_seen - seen)


def burst_rows() -> list[Row]:
    """Return all figures."""
    bursts = [burst() for _ in range(ROUNDS)]
    cpu, printed = waiting()
    what = f"1 MB of Markdown behind {MESSAGES:,} messages"
    return [
        row(f"{what}: Enter to the painted end", "s", [one[0] for one in bursts]),
        row(f"{what}: worst lag of the event loop", "ms", [one[1] for one in bursts]),
        row(f"{what}: growth of memory (PSS)", "MB", [one[2] for one in bursts]),
        row(f"a question waits, CPU over {IDLE_S:.0f} s", "%", [cpu]),
        row(f"a question waits, to the terminal in {IDLE_S:.0f} s", "bytes", [printed]),
    ]


if __name__ == "__main__":
    print(table(burst_rows()))
