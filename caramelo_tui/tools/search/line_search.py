"""Find the lines of the workspace that a JavaScript regular expression matches.

Owns the search itself: it reads files in one thread while another process tests them, and ends
in time whatever the pattern does. Knows no schema and no rendering. Proven by
tests/unit/tools/search/test_line_search.py.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.file_source import SourceCounts, SourceFile, text_files
from caramelo_tui.tools.search.js_pattern import flags_of, spell
from caramelo_tui.tools.search.js_text import View, cut_row, lines_of
from caramelo_tui.tools.search.line_testers import LineTester, RipgrepTester, WorkerTester
from caramelo_tui.tools.search.regex_process import (
    Place,
    RegexProcess,
    RegexProcesses,
    SearchTimedOut,
    Watch,
    WorkerDied,
)
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.workspace.file_io import FileStore

_BATCH_BYTES = 4_194_304
_BATCH_FILES = 1_024
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """What tests lines."""

    processes: RegexProcesses
    """Workers that know the language; they judge every pattern."""
    ripgrep: Ripgrep
    """Tests most patterns, many times faster."""


def find_lines(files: FileStore, query: LineQuery, engines: Engines, stop: StopFlag) -> LinesFound:
    """Search; blocks, call it from a thread.

    Raises:
        PatternRefused: If the engine does not take the pattern.
        ToolFailure: If the start is missing or the worker failed.
        Stopped: If ``stop`` was set; what tested lines is killed then.
    """
    watch = engines.processes.watch(stop)
    with contextlib.closing(LineRows(files, query, watch)) as rows:
        try:
            # A bad start shows here, before a worker is held.
            rows.read_first()
            with engines.processes.borrow() as worker:
                _search(rows, query, engines.ripgrep, worker)
        except SearchTimedOut:
            return rows.result(is_timed_out=True)
        except WorkerDied:
            msg = (
                "the search process ended before the search did, probably at its memory limit; "
                "use a simpler pattern."
            )
            raise ToolFailure(msg) from None
        return rows.result()


def _search(rows: "LineRows", query: LineQuery, ripgrep: Ripgrep, worker: RegexProcess) -> None:
    flags = flags_of(is_case_sensitive=query.is_case_sensitive)
    # The source as it came is judged first; what is searched for is another spelling of it.
    worker.set_pattern(query.pattern, flags, rows.watch)
    spelling = spell(query.pattern, is_case_sensitive=query.is_case_sensitive)
    worker.set_pattern(spelling.source, spelling.flags, rows.watch, asks_whole=spelling.asks_whole)
    by_worker = WorkerTester(worker, rows.watch)
    tester: LineTester = by_worker
    if ripgrep.is_available and spelling.pcre2 is not None:
        pattern = ("--pcre2", "-e", spelling.pcre2)
        tester = RipgrepTester(ripgrep, pattern, rows.watch, by_worker)
    rows.collect(tester, spelling.view)


class LineRows:
    """The rows of one search under way."""

    def __init__(self, files: FileStore, query: LineQuery, watch: Watch) -> None:
        """Take the files and what is wanted; reads nothing yet."""
        self.watch = watch
        self._most = query.max_rows
        self._left_out = SourceCounts()
        self._source = text_files(files, query.start, self._left_out, look_up=watch.remaining_s)
        self._batches = self._read_batches()
        self._next: list[SourceFile] | None = None
        self._rows: list[FoundLine] = []
        self._searched = 0

    def read_first(self) -> None:
        """Read the first files.

        Raises:
            ToolFailure: If nothing that can be read stands at the start.
            SearchTimedOut: If the time is up.
        """
        self._next = next(self._batches, None)

    def collect(self, tester: LineTester, view: View) -> None:
        """Search from the first files on, to the end or until there are rows enough.

        Raises:
            SearchTimedOut: If the time is up; the rows until then are kept.
        """
        while self._next and self._wanted > 0:
            batch = self._next
            texts = [view.of(file.data) for file in batch]
            with tester.testing(texts, self._wanted) as places:
                # The next files are read while the other process is busy with these.
                self._next = next(self._batches, None)
                self._add(batch, places())
            self._searched += len(batch)

    def _add(self, batch: Sequence[SourceFile], places: Sequence[Place]) -> None:
        for index, found in groupby(places, key=lambda place: place.index):
            file = batch[index]
            lines = lines_of(file.data)
            self._rows += [
                FoundLine(path=file.path, line=place.line, text=cut_row(lines[place.line - 1]))
                for place in found
            ]

    def close(self) -> None:
        """Let the folder go that the reading holds."""
        self._source.close()

    @property
    def _wanted(self) -> int:
        # One more than asked for tells whether the cap cut something.
        return self._most + 1 - len(self._rows)

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
            rows=tuple(self._rows[: self._most]),
            has_more=len(self._rows) > self._most,
            files_searched=self._searched,
            left_out=self._left_out,
            is_timed_out=is_timed_out,
        )
