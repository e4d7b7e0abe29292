"""Search batches of files for a JavaScript regular expression; a program of its own.

Owns the engine's process: started by ``regex_process`` as a script, it takes a pattern and
batches over a pipe and answers with rows, until the pipe closes. The engine has no time limit
and cannot be interrupted, so the only safe stop is the end of its process: the parent kills
it, and the process's own alarm ends it should the parent be gone. It opens no file, imports
nothing of this package and sees no environment. Proven by
tests/unit/tools/search/test_regex_worker.py and tests/property/test_regex_worker.py.

Messages to the worker are frames of a kind, a length and a body; ``P`` carries a pattern as
JSON, ``F`` a batch: how many rows are wanted, the number of files, their lengths, their bytes.
Each is answered by one JSON frame.
"""

import importlib
import json
import re
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
TEXT_LIMIT_CHARACTERS = 300
"""Longest text of a row."""
_CUT_MARK = " [cut]"
_BOM = "\ufeff"

_ONLY_WITHIN_LINES = re.compile(
    r"""
    (?: [^\\\[(\x00-\x1f]                       # a character for itself, quantifiers, anchors
      | \\ (?: [dwSbB] | [^A-Za-z0-9\x00-\x1f] ) # classes without line ends, escaped signs
      | \( (?! \?)                              # a group
      | \(\?:
      | \(\?<[A-Za-z_$][A-Za-z0-9_$]*>
      | \[ (?! \^)                              # a class, but no negated one
        (?: [^\\\]\x00-\x1f] | \\ (?: [dwS] | [^A-Za-z0-9\x00-\x1f] ) )*+
        \]
    )*+
    """,
    re.VERBOSE,
)
"""Patterns that can match no line end and look at nothing around a match. For these alone a
search of the whole file is exact as a first question: if it finds nothing, no line matches.
Look-arounds, back-references, negated classes and inline flags are left to the lines."""


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

    def __init__(self, engine: Engine, pattern: str, flags: str) -> None:
        """Compile the pattern; the engine's error comes through when it is not valid."""
        self._regex = engine.Regex(pattern, flags)
        self._whole: _Regex | None = None
        if can_ask_whole_file(pattern):
            # With ``m`` the anchors hold at every line end, so no line's match is missed.
            self._whole = engine.Regex(pattern, flags + "m")

    def rows(self, data: bytes) -> Iterator[tuple[int, str]]:
        """Yield number (1-based) and text of each line that matches, in order."""
        text = data.decode("utf-8", "replace").removeprefix(_BOM)
        if self._whole is not None and self._whole.find(text) is None:
            return
        lines = text.split("\n")
        if not lines[-1]:
            # What stands after the last line end is no line.
            lines.pop()
        find = self._regex.find
        for number, line in enumerate(lines, start=1):
            bare = line.removesuffix("\r")
            if find(bare) is not None:
                yield number, bare


def can_ask_whole_file(pattern: str) -> bool:
    """Return whether a search of the whole file can rule it out (see the expression above)."""
    return _ONLY_WITHIN_LINES.fullmatch(pattern) is not None


def cut_row(text: str) -> str:
    """Return the text of a row, cut with a mark where it is too long."""
    if len(text) <= TEXT_LIMIT_CHARACTERS:
        return text
    return text[:TEXT_LIMIT_CHARACTERS] + _CUT_MARK


def search_batch(search: LineSearch, files: Sequence[bytes], wanted: int) -> list[list[object]]:
    """Return at most ``wanted`` rows as ``[index of the file, line number, text]``."""
    rows: list[list[object]] = []
    for index, data in enumerate(files):
        for number, text in search.rows(data):
            rows.append([index, number, cut_row(text)])
            if len(rows) >= wanted:
                return rows
    return rows


def split_batch(body: bytes) -> tuple[int, list[bytes]]:
    """Return how many rows are wanted and the files of a batch."""
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
            answer = {"rows": search_batch(search, files, wanted)}
        signal.setitimer(signal.ITIMER_REAL, 0)
        data = json.dumps(answer).encode()
        sink.write(LENGTH.pack(len(data)) + data)
        sink.flush()


def _compiled(engine: Engine, body: bytes) -> tuple[LineSearch | None, dict[str, object]]:
    request = cast("dict[str, str]", json.loads(body))
    try:
        return LineSearch(engine, request["pattern"], request["flags"]), {}
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
