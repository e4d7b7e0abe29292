"""Measure typing, scrolling, searching and changing panes in conversations short and long.

``python -m benchmarks.conversation``: the same figures with 50, 500 and 5,000 messages, each over
the whole app in a pseudo terminal; typing while a model streams at full speed, with the longest
also at 2 KB a second. A key counts as painted when its character, which the stream never has, is
in what the program prints.
"""

import itertools
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import psutil

from benchmarks.program import ProgramInTerminal
from benchmarks.rows import Row, table

LENGTHS = (50, 500, 5_000)
LETTERS = [letter.encode() for letter in "GINQRUVWXYZ"]
"""Neither in the streamed text nor at the end of a control sequence that the program prints."""
KEYS = 60
"""Keys that are typed while the model streams."""
KEY_PAUSE_S = 0.11
PAGES = 30
PANE_KEYS = (b"\x1bOQ", b"\x1bOS", b"\x1b[15~", b"\x1bOR")
"""F2, F4, F5 and F3."""
PANE_ROUNDS = 8
LIMIT_S = 5.0


def measure(messages: int) -> list[Row]:
    """Return the figures of one length."""
    command = [sys.executable, "-m", "benchmarks.conversation_app", str(messages)]
    with ProgramInTerminal(command=command) as program:
        filled = program.wait_for(
            lambda screen: f"prompt {messages // 3 - 1}" in screen, limit_s=90
        )
        quiet(program)
        memory = psutil.Process(program.pid).memory_full_info().pss / 1_000_000
        program.press(b"\x1bOR")
        quiet(program)
        pages = [timed(program, key, bool) for key in page_keys()]
        panes = [timed(program, key, bool) for key in PANE_KEYS * PANE_ROUNDS]
        program.press(b"/")
        quiet(program)
        program.press(b"what is lef")
        quiet(program)
        found = re.compile(rb"of (\x1b\[[0-9;]*m)?" + f"{messages // 3:,}".encode())
        search = timed(program, b"t", lambda data: found.search(data) is not None)
        program.press(b"\r\x1b")
        quiet(program)
        program.press(b"\x1b")
        quiet(program)
        typed = typed_while(program, b"go\r")
        grown = psutil.Process(program.pid).memory_full_info().pss / 1_000_000
    name = f"{messages:,} messages"
    return [
        row(f"{name}: until they are shown", "s", [filled]),
        row(f"{name}: page up and down, key to paint, p50", "ms", pages, share=0.5),
        row(f"{name}: page up and down, key to paint, p95", "ms", pages, share=0.95),
        row(f"{name}: go to another pane, key to paint, p50", "ms", panes, share=0.5),
        row(f"{name}: go to another pane, key to paint, p95", "ms", panes, share=0.95),
        row(f"{name}: search, last key to the count", "ms", [search]),
        row(f"{name}: key to paint at full speed, p50", "ms", typed, share=0.5),
        row(f"{name}: key to paint at full speed, p95", "ms", typed, share=0.95),
        row(f"{name}: memory (PSS)", "MB", [memory]),
        row(f"{name}: memory after the stream", "MB", [grown]),
    ]


def typed_slowly(messages: int) -> list[float]:
    """Return what each key takes while a model streams as models do."""
    command = [sys.executable, "-m", "benchmarks.conversation_app", str(messages)]
    with ProgramInTerminal(command=command) as program:
        until_filled(program, messages)
        return typed_while(program, b"slow\r")


def measure_slow(messages: int) -> list[Row]:
    """Return the figures of typing while a model streams as models do."""
    typed = typed_slowly(messages)
    name = f"{messages:,} messages"
    return [
        row(f"{name}: key to paint at 2 KB/s, p50", "ms", typed, share=0.5),
        row(f"{name}: key to paint at 2 KB/s, p95", "ms", typed, share=0.95),
    ]


def until_filled(program: ProgramInTerminal, messages: int) -> float:
    """Wait until the conversation is shown and nothing moves; return the seconds to the former."""
    last = f"prompt {messages // 3 - 1}"
    filled = program.wait_for(lambda screen: last in screen, limit_s=90)
    quiet(program)
    return filled


def typed_while(program: ProgramInTerminal, prompt: bytes) -> list[float]:
    """Send a prompt that streams for ever; return what each key takes meanwhile."""
    program.press(prompt)
    program.wait_for(lambda screen: "stops it" in screen)
    time.sleep(1)
    return [
        timed(program, letter, partial(contains, letter))
        for letter in itertools.islice(itertools.cycle(LETTERS), KEYS)
    ]


def contains(sign: bytes, data: bytes) -> bool:
    """Return whether a letter was printed."""
    return sign in data


def page_keys() -> list[bytes]:
    """Return page up twice and page down once or twice, so that no end is reached."""
    return [b"\x1b[5~", b"\x1b[5~", b"\x1b[6~", b"\x1b[5~", b"\x1b[6~"] * (PAGES // 5)


def quiet(program: ProgramInTerminal) -> None:
    """Read until nothing came for a while."""
    deadline = time.perf_counter() + LIMIT_S
    while program.read(0.4) and time.perf_counter() < deadline:
        pass


def timed(program: ProgramInTerminal, key: bytes, holds: Callable[[bytes], bool]) -> float:
    """Return the milliseconds from a key to the output that holds; what came before is read.

    Raises:
        TimeoutError: If the program does not answer.
    """
    until = time.perf_counter() + KEY_PAUSE_S
    while (rest := until - time.perf_counter()) > 0:
        program.read_raw(rest)
    seen = b""
    start = time.perf_counter()
    program.press(key)
    while not holds(seen):
        if time.perf_counter() - start > LIMIT_S:
            message = f"no answer to {key!r}"
            raise TimeoutError(message)
        seen += program.read_raw(0.5)
    return (time.perf_counter() - start) * 1000


def row(what: str, unit: str, values: Sequence[float], *, share: float = 0.5) -> Row:
    """Return a row with the value below which a share of all values lies."""
    ordered = sorted(values)
    place = min(int(share * len(ordered)), len(ordered) - 1)
    value = statistics.median(ordered) if share == 0.5 else ordered[place]
    return Row(
        what=what,
        unit=unit,
        median=round(value, 1),
        smallest=round(ordered[0], 1),
        largest=round(ordered[-1], 1),
        rounds=len(ordered),
    )


def conversation_rows() -> list[Row]:
    """Return the figures of all lengths."""
    rows = [one for messages in LENGTHS for one in measure(messages)]
    return [*rows, *measure_slow(LENGTHS[-1])]


if __name__ == "__main__":
    print(table(conversation_rows()))
