"""Measure keys and painting in the installed program, from outside."""

import itertools
import time

import psutil

from benchmarks.figures import Samples
from benchmarks.program import ProgramInTerminal
from benchmarks.scripted import LIMIT_S, PROMPT_SIGN, Scripted, scripted
from benchmarks.starts import memory_mb

KEYS = 40
SIZES = (50, 200, 1_000)
"""Kilobytes of a long answer."""
_GAP_S = 0.12
"""Between two keys; somebody who types fast."""
_LETTERS = "¡¢£¤¥§©«¬®°±¶»¿÷øþæß"
"""Not in what the model says, nor in a control sequence."""
_FIRST_SECONDS_S = 2.5
_FIRST_GAP_S = 0.06
_CHARACTERS = 26_000
_PAUSE_MS = 10
"""After each 20 characters: 2 KB a second."""
_KEY_LIMIT_S = 2.0


def keys(rounds: int) -> Samples:
    """Return key echoes at rest, in the first seconds, and while the model streams."""
    found: dict[str, list[float]] = {}
    with scripted() as model:
        for _ in range(rounds):
            for key, values in _round(model).items():
                found.setdefault(key, []).extend(values)
    return found


def _round(model: Scripted) -> Samples:
    with model.opened() as program:
        program.wait_for(lambda screen: PROMPT_SIGN in screen)
        end = time.perf_counter() + _FIRST_SECONDS_S
        letters = itertools.cycle(_LETTERS)
        first: list[float | None] = []
        while time.perf_counter() < end:
            first.append(_echo(program, next(letters), _FIRST_GAP_S))
        program.read(1)
        idle = [_echo(program, letter, _GAP_S) for letter in itertools.islice(letters, KEYS)]
        program.press(b"\x15" * 3 + f"bench:stream {_CHARACTERS} {_PAUSE_MS}".encode())
        program.read(0.5)
        program.press(b"\r")
        program.wait_for(lambda screen: "Section 1" in screen, limit_s=LIMIT_S)
        process = psutil.Process(program.pid)
        before, began = sum(process.cpu_times()[:2]), time.perf_counter()
        typed = [_echo(program, letter, _GAP_S) for letter in itertools.islice(letters, KEYS)]
        cpu = (sum(process.cpu_times()[:2]) - before) / (time.perf_counter() - began) * 100
    return {
        "echo_first_ms": _came(first),
        "echo_idle_ms": _came(idle),
        "echo_stream_ms": _came(typed),
        "keys_lost": [float(sum(one is None for one in (*first, *idle, *typed)))],
        "stream_cpu": [cpu],
    }


def _came(echoes: list[float | None]) -> list[float]:
    return [echo for echo in echoes if echo is not None]


def _echo(program: ProgramInTerminal, letter: str, gap_s: float) -> float | None:
    """Return the milliseconds from a key to its character; ``None``: it was lost."""
    until = time.perf_counter() + gap_s
    while (rest := until - time.perf_counter()) > 0:
        program.read_raw(rest)
    seen, sign = b"", letter.encode()
    start = time.perf_counter()
    program.press(sign)
    while sign not in seen:
        if time.perf_counter() - start > _KEY_LIMIT_S:
            return None
        seen += program.read_raw(0.2)
    return (time.perf_counter() - start) * 1000


def bursts(rounds: int) -> Samples:
    """Return the time until long answers are painted, and what the longest leaves behind."""
    found: dict[str, list[float]] = {}
    with scripted() as model:
        for _ in range(rounds):
            for kilobytes in SIZES:
                painted, growth = _burst(model, kilobytes)
                found.setdefault(f"burst_{kilobytes}_s", []).append(painted)
                if kilobytes == SIZES[-1]:
                    found.setdefault("burst_growth_mb", []).append(growth)
    return found


def _burst(model: Scripted, kilobytes: int) -> tuple[float, float]:
    """Return the seconds from the answer's first byte to its painted end, and the growth."""
    model.requests()
    with model.opened() as program:
        program.wait_for(lambda screen: PROMPT_SIGN in screen)
        # One answer before, so that what the first one loads is no growth.
        program.press(b"bench:hello\r")
        program.wait_for(lambda screen: "scripted model" in screen, limit_s=LIMIT_S)
        program.read(1)
        model.requests()
        before = memory_mb(program)
        program.press(f"bench:stream {kilobytes * 1000} 0\r".encode())
        program.wait_for(lambda screen: "STREAM-END-MARK" in screen, limit_s=LIMIT_S)
        painted = time.monotonic()
        while not (requests := model.requests()):
            program.read(0.05)
        program.read(1)
        return painted - requests[0].began, memory_mb(program) - before
