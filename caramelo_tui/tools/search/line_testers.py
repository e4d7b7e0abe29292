"""Test batches of lines with one of two engines.

Owns who tests a batch: ripgrep where the pattern was written for it, the worker for the rest and
for what ripgrep gives up on. Knows nothing of files and rows. Proven by
tests/unit/tools/search/test_line_testers.py.
"""

import contextlib
from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from itertools import accumulate
from typing import Protocol

from caramelo_tui.tools.search.regex_process import Place, RegexProcess, Watch
from caramelo_tui.tools.search.ripgrep import Ripgrep, RipgrepRun

Places = Callable[[], Sequence[Place]]
"""Waits for the answer about a batch."""

_NUMBERS_ONLY = ("--max-columns=1", "--line-number", "--no-filename")
"""Only the numbers of lines are of interest, not what stands in them."""
_AS_IT_COMES = ("--text", "--encoding=none")
_MOST_GIVEN_UP = 16
"""Files that ripgrep may give up on; then the worker does the rest: finding such a file costs
several runs."""


class LineTester(Protocol):
    """Tests one batch after the other."""

    def testing(self, texts: Sequence[bytes], wanted: int) -> AbstractContextManager[Places]:
        """Begin with a batch; the caller has time for other things until it asks for the answer.

        Args:
            texts: Lines as the pattern's view has them.
            wanted: The first so many places are enough.
        """
        ...


class WorkerTester:
    """The engine in its own process."""

    def __init__(self, worker: RegexProcess, watch: Watch) -> None:
        """Take a worker that has its pattern."""
        self._worker = worker
        self._watch = watch

    @contextlib.contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Generator[Places]:
        """Begin with a batch (see ``LineTester``)."""
        self._worker.send_batch(texts, wanted, self._watch)
        yield lambda: self._worker.receive_places(self._watch)


class RipgrepTester:
    """ripgrep, and the worker for what it gives up on."""

    def __init__(
        self, ripgrep: Ripgrep, pattern: Sequence[str], watch: Watch, rest: LineTester
    ) -> None:
        """Take the pattern.

        Args:
            ripgrep: The program.
            pattern: The options that carry it.
            watch: Ends a run.
            rest: Tests what ripgrep gives up on.
        """
        self._ripgrep = ripgrep
        self._options = [*_NUMBERS_ONLY, *_AS_IT_COMES, *pattern]
        self._watch = watch
        self._rest = rest
        self._given_up = 0

    @contextlib.contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Generator[Places]:
        """Begin with a batch (see ``LineTester``)."""
        if self._given_up >= _MOST_GIVEN_UP:
            with self._rest.testing(texts, wanted) as places:
                yield places
            return
        with self._run(texts, wanted) as run:
            yield lambda: self._places(run, texts, wanted)

    def _run(self, texts: Sequence[bytes], wanted: int) -> AbstractContextManager[RipgrepRun]:
        options = [*self._options, f"--max-count={wanted}", "--", "-"]
        return self._ripgrep.start(options, text=b"".join(texts))

    def _places(self, run: RipgrepRun, texts: Sequence[bytes], wanted: int) -> Sequence[Place]:
        answer = run.answer(self._watch)
        if not answer.has_failed:
            return places_of(
                [int(row.split(b":", 1)[0]) for row in answer.stdout.splitlines()], texts
            )
        if not self._takes_pattern():
            self._given_up = _MOST_GIVEN_UP
        if len(texts) == 1:
            self._given_up += 1
        if len(texts) > 1 and self._given_up < _MOST_GIVEN_UP:
            return self._by_halves(texts, wanted)
        with self._rest.testing(texts, wanted) as places:
            return places()

    def _by_halves(self, texts: Sequence[bytes], wanted: int) -> Sequence[Place]:
        # One line of one file was too much for it; the others need not wait for the worker.
        middle = len(texts) // 2
        found: list[Place] = []
        for start, part in ((0, texts[:middle]), (middle, texts[middle:])):
            if len(found) < wanted:
                with self.testing(part, wanted - len(found)) as places:
                    found += [Place(index=start + at.index, line=at.line) for at in places()]
        return found

    def _takes_pattern(self) -> bool:
        with self._run([], 1) as run:
            return not run.answer(self._watch).has_failed


def places_of(numbers: Sequence[int], texts: Sequence[bytes]) -> list[Place]:
    """Return where lines of a batch, numbered through from 1, stand in its texts."""
    ends = list(accumulate(text.count(b"\n") for text in texts))
    places: list[Place] = []
    for number in numbers:
        index = bisect_left(ends, number)
        places.append(Place(index=index, line=number - (ends[index - 1] if index else 0)))
    return places
