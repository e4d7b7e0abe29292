"""Search batches of files for a JavaScript regular expression; a program of its own.

Owns the engine's process: started by ``regex_process`` as a script, it takes a pattern and
batches over a pipe and answers with places, until the pipe closes. The engine has no time limit
and cannot be interrupted, so the only safe stop is the end of its process: the parent kills
it, and the process's own alarm ends it should the parent be gone. It opens no file, imports
nothing of this package and sees no environment. Proven by
tests/unit/tools/search/test_regex_worker.py and tests/property/test_regex_worker.py.

Messages to the worker are frames of a kind, a length and a body; ``P`` carries a pattern as
JSON, ``F`` a batch: how many places are wanted, the number of files, their lengths, their bytes.
Each is answered by one JSON frame.
"""

import importlib
import json
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol, cast

HEADER = struct.Struct(">cI")
"""Kind and length of the body in bytes."""
LENGTH = struct.Struct(">I")
"""One length or count."""
PATTERN, FILES = b"P", b"F"

MEMORY_LIMIT_BYTES = 1_073_741_824
"""Address space of the process (1 GB): a pattern that eats memory ends its own process only."""


class _Regex(Protocol):
    """What is used of ``regress.Regex``."""

    def find(self, text: str, /) -> object | None: ...


class Engine(Protocol):
    """What is used of the module ``regress``."""

    @property
    def RegressError(self) -> type[Exception]:  # noqa: N802 - the engine's own name
        """Raised for a pattern that is not valid."""
        ...

    def Regex(self, pattern: str, flags: str | None = None, /) -> _Regex:  # noqa: N802 - as above
        """Compile a pattern."""
        ...


class LineSearch:
    """One compiled pattern, tested line by line."""

    def __init__(
        self, engine: Engine, pattern: str, flags: str, *, asks_whole: bool = False
    ) -> None:
        """Compile the pattern; the engine's error comes through when it is not valid.

        Args:
            engine: The engine.
            pattern: JavaScript RegExp source.
            flags: Its flags.
            asks_whole: Whether no match in the whole text means none in any line; asked first
                then, since most files hold none.
        """
        self._regex = engine.Regex(pattern, flags)
        # With ``m`` the anchors hold at every line end, so no line's match is missed.
        self._whole = engine.Regex(pattern, flags + "m") if asks_whole else None

    def matching(self, data: bytes) -> Iterator[int]:
        """Yield the number (1-based) of each line that matches, in order.

        Args:
            data: UTF-8, each line ended by LF.
        """
        text = data.decode()
        if self._whole is not None and self._whole.find(text) is None:
            return
        lines = text.split("\n")
        # What stands after the last line end is no line.
        lines.pop()
        find = self._regex.find
        for number, line in enumerate(lines, start=1):
            if find(line) is not None:
                yield number


def search_batch(search: LineSearch, files: Sequence[bytes], wanted: int) -> list[list[int]]:
    """Return at most ``wanted`` places as ``[index of the file, line number]``."""
    places: list[list[int]] = []
    for index, data in enumerate(files):
        for number in search.matching(data):
            places.append([index, number])
            if len(places) >= wanted:
                return places
    return places


def split_batch(body: bytes) -> tuple[int, list[bytes]]:
    """Return how many places are wanted and the files of a batch."""
    wanted, count = (LENGTH.unpack_from(body, place)[0] for place in (0, LENGTH.size))
    start = LENGTH.size * 2
    position = start + LENGTH.size * count
    files: list[bytes] = []
    for index in range(count):
        (length,) = LENGTH.unpack_from(body, start + LENGTH.size * index)
        files.append(body[position : position + length])
        position += length
    return wanted, files


def join_batch(files: Sequence[bytes], wanted: int) -> bytes:
    """Return the body of a batch, as ``split_batch`` reads it."""
    lengths = b"".join(LENGTH.pack(len(data)) for data in files)
    return b"".join([LENGTH.pack(wanted), LENGTH.pack(len(files)), lengths, *files])


def serve(source: BinaryIO, sink: BinaryIO, engine: Engine, alarm_s: float) -> None:
    """Answer frames until the source ends.

    Args:
        source: Where frames come from.
        sink: Where answers go.
        engine: The engine.
        alarm_s: Longest work on one frame; then the process ends itself.
    """
    search: LineSearch | None = None
    while len(head := source.read(HEADER.size)) == HEADER.size:
        kind, length = HEADER.unpack(head)
        body = source.read(length)
        # The default act of SIGALRM ends the process even while the engine runs.
        signal.setitimer(signal.ITIMER_REAL, alarm_s)
        answer: dict[str, object]
        if kind == PATTERN:
            search, answer = _compiled(engine, body)
        elif search is None:
            answer = {"error": "no pattern was given"}
        else:
            wanted, files = split_batch(body)
            answer = {"places": search_batch(search, files, wanted)}
        signal.setitimer(signal.ITIMER_REAL, 0)
        data = json.dumps(answer).encode()
        sink.write(LENGTH.pack(len(data)) + data)
        sink.flush()


def _compiled(engine: Engine, body: bytes) -> tuple[LineSearch | None, dict[str, object]]:
    pattern, flags, asks_whole = cast("tuple[str, str, bool]", json.loads(body))
    try:
        return LineSearch(engine, pattern, flags, asks_whole=asks_whole), {}
    except (engine.RegressError, UnicodeEncodeError) as error:
        return None, {"error": str(error)}


def limit_memory() -> None:
    """Bound the address space, where the system lets us."""
    try:
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    except (ImportError, ValueError, OSError):
        # macOS knows the limit but may refuse to set it; the time limit still holds.
        return


def main(engine_folder: str, alarm_s: float) -> None:
    """Load the engine from where the parent found it and serve the pipes."""
    limit_memory()
    sys.path.append(engine_folder)
    engine = cast("Engine", importlib.import_module("regress"))
    serve(sys.stdin.buffer, sys.stdout.buffer, engine, alarm_s)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
