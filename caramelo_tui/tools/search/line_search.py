"""Find the lines of the workspace that a JavaScript regular expression matches.

Owns the search itself: it reads files in one thread while another process tests them, and ends
in time whatever the pattern does. Knows no schema and no rendering. Proven by
tests/unit/tools/search/test_line_search.py.
"""

import contextlib
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.file_source import SourceCounts, text_files
from caramelo_tui.tools.search.js_pattern import flags_of, spell
from caramelo_tui.tools.search.js_text import View
from caramelo_tui.tools.search.line_rows import LineRows, LinesFound
from caramelo_tui.tools.search.line_testers import (
    FallbackTester,
    LineTester,
    RipgrepRuns,
    WorkerTester,
)
from caramelo_tui.tools.search.regex_process import (
    RegexProcess,
    RegexProcesses,
    SearchTimedOut,
    Watch,
    WorkerDied,
)
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.workspace.file_io import FileStore


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
    left_out = SourceCounts()
    source = text_files(files, query.start, left_out, look_up=watch.remaining_s)
    with contextlib.closing(LineRows(source, left_out, query.max_rows)) as rows:
        try:
            # A bad start shows here, before a worker is held.
            rows.read_first()
            with engines.processes.borrow() as worker:
                rows.collect(*_tester(query, engines.ripgrep, worker, watch))
        except SearchTimedOut:
            return rows.result(is_timed_out=True)
        except WorkerDied:
            msg = (
                "the search process ended before the search did, probably at its memory limit; "
                "use a simpler pattern."
            )
            raise ToolFailure(msg) from None
        return rows.result()


def _tester(
    query: LineQuery, ripgrep: Ripgrep, worker: RegexProcess, watch: Watch
) -> tuple[LineTester, View]:
    flags = flags_of(is_case_sensitive=query.is_case_sensitive)
    # The source as it came is judged first; what is searched for is another spelling of it.
    worker.set_pattern(query.pattern, flags, watch)
    spelling = spell(query.pattern, is_case_sensitive=query.is_case_sensitive)
    worker.set_pattern(spelling.source, spelling.flags, watch, asks_whole=spelling.asks_whole)
    by_worker = WorkerTester(worker, watch)
    if spelling.pcre2 is None or not ripgrep.is_available:
        return by_worker, spelling.view
    runs = RipgrepRuns(ripgrep, ("--pcre2", "-e", spelling.pcre2), watch)
    return FallbackTester(runs, by_worker), spelling.view
