"""Find the lines of the workspace that a JavaScript regular expression matches.

Owns the search itself, shared by whoever searches with this engine: it reads files in one
thread while a worker process tests them, and ends in time whatever the pattern does. Knows no
schema and no rendering. Proven by tests/unit/tools/search/test_line_search.py.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.file_source import SourceCounts, SourceFile, text_files
from caramelo_tui.tools.search.regex_process import (
    RegexProcess,
    RegexProcesses,
    SearchTimedOut,
    Watch,
    WorkerDied,
)
from caramelo_tui.workspace.file_io import FileStore

_BATCH_BYTES = 1_048_576
_BATCH_FILES = 256
"""One message to the worker: large enough to keep it busy, small enough to stop soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineQuery:
    """What is searched for and where."""

    pattern: str
    """JavaScript RegExp source."""
    is_case_sensitive: bool
    start: ResolvedPath
    """Folder or file."""
    max_rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLine:
    """A line that matched."""

    path: str
    """Workspace-relative."""
    line: int
    """1-based."""
    text: str
    """Without the line end, cut with a mark when long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesFound:
    """The answer of a search."""

    rows: tuple[FoundLine, ...]
    """By path, then line."""
    has_more: bool
    """Whether further lines match beyond the cap."""
    files_searched: int
    left_out: SourceCounts
    """Files met and not searched. This and the count above are complete only when
    ``has_more`` is false and nothing timed out."""
    is_timed_out: bool = False
    """Whether the time limit ended the search; ``rows`` are those found until then."""


def find_lines(
    files: FileStore, query: LineQuery, processes: RegexProcesses, stop: StopFlag
) -> LinesFound:
    """Search; blocks, call it from a thread.

    Raises:
        PatternRefused: If the engine does not take the pattern.
        ToolFailure: If the start is missing or the worker failed.
        Stopped: If ``stop`` was set; the worker is killed then.
    """
    with contextlib.closing(_Search(files, query, processes.watch(stop))) as search:
        try:
            first = search.first_batch()
            with processes.borrow() as worker:
                search.run(worker, first)
        except SearchTimedOut:
            return search.result(is_timed_out=True)
        except WorkerDied:
            msg = (
                "the search process ended before the search did, probably at its memory limit; "
                "use a simpler pattern."
            )
            raise ToolFailure(msg) from None
        return search.result()


class _Search:
    """One search under way."""

    def __init__(self, files: FileStore, query: LineQuery, watch: Watch) -> None:
        self._query = query
        self._watch = watch
        self._left_out = SourceCounts()
        self._source = text_files(files, query.start, self._left_out, look_up=watch.remaining_s)
        self._batches = self._read_batches()
        self._rows: list[FoundLine] = []
        self._searched = 0

    def first_batch(self) -> list[SourceFile] | None:
        """Read the first files; a bad start shows here, before a worker is held."""
        return next(self._batches, None)

    def run(self, worker: RegexProcess, batch: list[SourceFile] | None) -> None:
        """Search from ``batch`` on, to the end or until there are rows enough."""
        flags = "" if self._query.is_case_sensitive else "i"
        worker.set_pattern(self._query.pattern, flags, self._watch)
        while batch and self._wanted > 0:
            worker.send_batch([file.data for file in batch], self._wanted, self._watch)
            # The next files are read while the worker is busy with these.
            following = next(self._batches, None)
            for row in worker.receive_rows(self._watch):
                path = batch[row.index].path
                self._rows.append(FoundLine(path=path, line=row.line, text=row.text))
            self._searched += len(batch)
            batch = following

    def close(self) -> None:
        """Let the folder go that the reading holds."""
        self._source.close()

    @property
    def _wanted(self) -> int:
        # One more than asked for tells whether the cap cut something.
        return self._query.max_rows + 1 - len(self._rows)

    def _read_batches(self) -> Iterator[list[SourceFile]]:
        batch: list[SourceFile] = []
        size = 0
        for file in self._source:
            batch.append(file)
            size += len(file.data)
            if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def result(self, *, is_timed_out: bool = False) -> LinesFound:
        """Return what was found so far."""
        return LinesFound(
            rows=tuple(self._rows[: self._query.max_rows]),
            has_more=len(self._rows) > self._query.max_rows,
            files_searched=self._searched,
            left_out=self._left_out,
            is_timed_out=is_timed_out,
        )
