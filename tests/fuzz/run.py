"""Run one target on inputs that are made from those that are kept.

Owns the ways to make inputs: ``atheris``, which looks at what each input reaches, where it is
installed (``pip install atheris``), and plain mutation where it is not. What breaks a promise is
written beside the kept inputs of the target, so that from then on the tests ask it too.

    python -m tests.fuzz.run shell_policy --seconds 300
"""

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

TARGETS = (
    "streams",
    "shell_policy",
    "edits",
    "globs",
    "js_patterns",
    "settings_files",
    "session_files",
)
CORPUS = Path(__file__).parent / "corpus"
_LONGEST = 2_000
"""Bytes of an input that is made."""
_MOST_CHANGES = 6
Target = Callable[[bytes], None]


class FuzzTarget(Protocol):
    """What a module of ``tests.fuzz.targets`` has."""

    SEEDS: Sequence[bytes]

    def fuzz_one(self, data: bytes) -> None:
        """Ask the target."""


class Atheris(Protocol):
    """What is used of the fuzzer."""

    def instrument_imports(self, include: Sequence[str]) -> AbstractContextManager[None]:
        """Watch what is imported meanwhile."""

    def Setup(self, arguments: Sequence[str], target: Target) -> None:  # noqa: N802 - its name
        """Take the target."""

    def Fuzz(self) -> None:  # noqa: N802 - its name
        """Run until the time is over; ends the program."""


def target_of(name: str) -> FuzzTarget:
    """Return a target by its name in ``TARGETS``."""
    return cast("FuzzTarget", import_module(f"tests.fuzz.targets.{name}"))


def kept(name: str) -> list[bytes]:
    """Return the inputs that are kept for a target, in the order of their names."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def keep(name: str, data: bytes) -> Path:
    """Write an input beside the kept ones."""
    path = CORPUS / name / hashlib.sha256(data).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def changed(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return an input with a few parts changed, taken away, doubled or taken from another."""
    made = bytearray(data)
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        start = chance.randint(0, len(made))
        end = min(len(made), start + chance.choice((0, 1, 1, 2, 4, 16)))
        other = chance.choice(others) or b"\0"
        begin = chance.randrange(len(other))
        part = (
            bytes([chance.randrange(256)]),
            chance.choice((b"\n", b"'", b'"', b"\\", b"{", b"}", b"[", b"\xff", b"*", b"\xed\xa0")),
            bytes(made[start:end]) * 2,
            other[begin : begin + chance.choice((1, 4, 16, 64))],
            b"",
        )
        made[start:end] = chance.choice(part)
    return bytes(made[:_LONGEST])


def mutate_for(name: str, seconds: float, chance: random.Random) -> int:
    """Ask a target until the time is over; return how often.

    Raises:
        BaseException: What the target raised; its input is kept.
    """
    target = target_of(name)
    inputs = [*target.SEEDS, *kept(name), b""]
    end = time.monotonic() + seconds
    asked = 0
    while time.monotonic() < end:
        data = changed(chance.choice(inputs), inputs, chance)
        asked += 1
        try:
            target.fuzz_one(data)
        except BaseException:
            print(f"kept as {keep(name, data)}", file=sys.stderr)  # noqa: T201 - a program's answer
            raise
    return asked


def fuzz_with_atheris(name: str, seconds: int) -> None:
    """Fuzz a target; ends the program."""
    atheris = cast("Atheris", import_module("atheris"))
    with atheris.instrument_imports(include=["caramelo_tui"]):
        target = target_of(name)
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    working = Path(__file__).parents[2] / "artifacts" / "fuzz" / name
    working.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(target.SEEDS):
        (working / f"seed-{number}").write_bytes(data)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={_LONGEST}",
        "-timeout=30",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(working), str(folder)], target.fuzz_one)
    atheris.Fuzz()


def main() -> int:
    """Fuzz the target that is named on the command line."""
    parser = argparse.ArgumentParser(description="Fuzz one target.")
    parser.add_argument("target", choices=TARGETS, nargs="?")
    parser.add_argument("--list", action="store_true", help="name the targets")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    asked = parser.parse_args()
    if asked.list or asked.target is None:
        print(*TARGETS, sep="\n")  # noqa: T201 - a program's answer
        return 0
    if find_spec("atheris") is not None and not asked.plain:
        fuzz_with_atheris(asked.target, asked.seconds)
        return 0
    if not asked.plain:
        print("atheris is not installed: inputs are made without looking at what they reach.")  # noqa: T201 - a program's answer
    count = mutate_for(asked.target, asked.seconds, random.Random())  # noqa: S311 - no secret
    print(f"{asked.target}: {count} inputs, nothing found.")  # noqa: T201 - a program's answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
