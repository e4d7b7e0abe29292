"""Fork sessions from a process that has everything loaded, kill them, look at what is left.

``python -m tests.crash.server --runs N --seed S`` kills N sessions by chance; ``--each-step``
kills one session at each of its steps and lets each step fail. Every failure is printed with what
plays it again (``--only``). Has one thread: what threads hold is not forked.
"""

import argparse
import contextlib
import ctypes
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.checks import Left, problems_of
from tests.crash.disk_hook import ERRORS, Fault
from tests.crash.scenarios import Scenario, scenario_of
from tests.crash.victim import run_victim

_PATIENCE_S = 60.0
_SET_SUBREAPER = 36
_NEVER = 1e9


@dataclass
class Told:
    """What a victim said before its end."""

    shown: dict[int, int] = field(default_factory=dict[int, int])
    said: list[str] = field(default_factory=list[str])
    steps: int = 0
    has_ended: bool = False


@dataclass(frozen=True)
class Case:
    """One session and its end."""

    seed: str
    fault: Fault = field(default_factory=lambda: Fault(step=0))
    kill_after_s: float = _NEVER
    acts: int = 4

    def text(self) -> str:
        """Return it as ``--only`` takes it."""
        fault = self.fault
        step = f"{fault.step}:{fault.error}:{fault.share:.3f}"
        return f"{self.seed}:{self.acts}:{step}:{self.kill_after_s:.4f}"


def case_of(text: str) -> Case:
    """Return the case of a text."""
    seed, acts, step, error, share, after = text.split(":")
    return Case(
        seed=seed,
        acts=int(acts),
        fault=Fault(step=int(step), error=int(error), share=float(share)),
        kill_after_s=float(after),
    )


def forked(work: Callable[[], None]) -> int:
    """Run ``work`` in a child and return its id; the child ends with 0, or 1 for an exception."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - the child's last words
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(code)


def lines_until(pipe: int, pid: int, kill_after_s: float) -> Iterator[str]:
    """Yield what comes out of a pipe, and end the child when its time has come."""
    rest, kill_at = b"", time.monotonic() + min(kill_after_s, _PATIENCE_S)
    while True:
        left = kill_at - time.monotonic()
        if left <= 0:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            kill_at = _NEVER
            left = _PATIENCE_S
        if not select.select([pipe], [], [], min(left, _PATIENCE_S))[0]:
            continue
        data = os.read(pipe, 65536)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        yield from (line.decode() for line in lines)


def play(case: Case, scenario: Scenario, folder: Path) -> tuple[Told, int]:
    """Play a case and return what was told, and how the child ended."""
    root = folder / "project"
    for path, content in scenario.first.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    reading, writing = os.pipe()
    pid = forked(lambda: run_victim(scenario, folder, case.fault, writing))
    os.close(writing)
    told = Told()
    for line in lines_until(reading, pid, case.kill_after_s):
        kind, _, rest = line.partition(" ")
        if kind == "seen":
            seq, mark = rest.split()
            told.shown[int(seq)] = int(mark)
        elif kind == "said":
            told.said.append(rest)
        elif kind == "steps":
            told.steps = int(rest)
        elif kind == "end":
            told.has_ended = True
    os.close(reading)
    _, status = os.waitpid(pid, 0)
    _reap()
    return told, status


def _reap() -> None:
    """Wait for the commands that outlived the session; they came to us (subreaper)."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def failures_of(case: Case) -> tuple[list[str], Told]:
    """Play a case and return what is wrong."""
    scenario = scenario_of(case.seed, acts=case.acts)
    folder = Path(tempfile.mkdtemp(prefix="crash-", dir=_fast_folder()))
    try:
        told, status = play(case, scenario, folder)
        left = Left(
            scenario=scenario,
            folder=folder,
            shown=told.shown,
            was_refused=case.fault.error != 0,
        )
        problems = _of_end(case, told, status, left)
        reading, writing = os.pipe()

        def check() -> None:
            for problem in problems_of(left):
                os.write(writing, f"{problem}\n".encode())

        pid = forked(check)
        os.close(writing)
        problems += list(lines_until(reading, pid, _NEVER))
        os.close(reading)
        if os.waitpid(pid, 0)[1]:
            problems.append("the session cannot be looked at or taken up again")
        return problems, told
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _of_end(case: Case, told: Told, status: int, left: Left) -> list[str]:
    """Return what is wrong with the end itself."""
    was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not told.has_ended:
        is_meant = was_killed and (not case.fault.error or case.kill_after_s < _PATIENCE_S)
        return [] if is_meant else [f"the session ended by itself (status {status})"]
    if case.fault.error and left.files() != left.scenario.last:
        reason = os.strerror(case.fault.error)
        if not any(reason in text for text in told.said):
            return [f"files are not what was asked for, and nobody said why: {told.said}"]
    if not case.fault.step and left.files() != left.scenario.last:
        return [f"the scenario itself does not come true: {told.said}"]
    return []


def _fast_folder() -> str | None:
    """Return a folder in memory, where there is one: it is not the disk that is tested."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def by_chance(seed: str, runs: int) -> Iterator[Case]:
    """Yield cases that end at a step or a moment of chance."""
    chance = random.Random(seed)  # noqa: S311 - tests, not secrets
    steps, seconds = 120, 0.5
    for number in range(runs):
        name = f"{seed}-{number}"
        if chance.random() < 0.75:
            fault = Fault(step=chance.randint(1, steps), share=chance.random())
            yield Case(seed=name, fault=fault)
        else:
            yield Case(seed=name, kill_after_s=chance.uniform(0.0, seconds))


def each_step(seed: str, every: int) -> Iterator[Case]:
    """Yield one session killed at each ``every``-th step, and with each of them failing."""
    case = Case(seed=seed, acts=3)
    total = failures_of(case)[1].steps
    sys.stdout.write(f"{seed}: {total} steps\n")
    for step in range(1, total + 1, every):
        for share in (0.0, 0.6, 1.0):
            yield Case(seed=seed, acts=3, fault=Fault(step=step, share=share))
        for error in ERRORS:
            yield Case(seed=seed, acts=3, fault=Fault(step=step, error=error))


def main() -> int:
    """Play what is asked for; 1 when anything was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--each-step", type=int, default=0, metavar="EVERY")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    # Commands of a killed session become our children: nothing is looked at before they end.
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    cases: list[Iterator[Case]] = [by_chance(options.seed, options.runs)]
    if options.each_step:
        cases.append(each_step(options.seed, options.each_step))
    if options.only:
        cases = [iter([case_of(options.only)])]
    count = failed = killed = 0
    for case in (case for more in cases for case in more):
        problems, told = failures_of(case)
        count += 1
        killed += not told.has_ended
        failed += bool(problems)
        for problem in problems:
            sys.stdout.write(f"FAILED {case.text()} {problem}\n")
    sys.stdout.write(f"{count} sessions, {killed} of them killed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
