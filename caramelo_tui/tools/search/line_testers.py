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

from caramelo_tui.domain.errors import ToolFailure
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


_ADVICE = "\n\nConsider enabling"


class RipgrepRuns:
    """Runs ripgrep on batches, for one pattern."""

    def __init__(self, ripgrep: Ripgrep, pattern: Sequence[str], watch: Watch) -> None:
        """Take the pattern as the options that carry it."""
        self._ripgrep = ripgrep
        self._options = [*_NUMBERS_ONLY, *_AS_IT_COMES, *pattern]
        self._watch = watch

    def start(self, texts: Sequence[bytes], wanted: int) -> AbstractContextManager[RipgrepRun]:
        """Begin with a batch."""
        options = [*self._options, f"--max-count={wanted}", "--", "-"]
        return self._ripgrep.start(options, text=b"".join(texts))

    def places(self, run: RipgrepRun, texts: Sequence[bytes]) -> Sequence[Place] | None:
        """Return the answer about a batch, or ``None`` where ripgrep gave up."""
        answer = run.answer(self._watch)
        if answer.has_failed:
            return None
        numbers = [int(row.split(b":", 1)[0]) for row in answer.stdout.splitlines()]
        return places_of(numbers, texts)

    def refusal(self) -> str | None:
        """Return why ripgrep does not take the pattern, or ``None`` if it does.

        Its advice about flags of its own is left out: the model cannot set them.
        """
        with self.start([], 1) as run:
            answer = run.answer(self._watch)
        if not answer.has_failed:
            return None
        said = answer.stderr.decode("utf-8", "replace").removeprefix("rg: ")
        return said.partition(_ADVICE)[0].strip()


class RipgrepTester:
    """ripgrep alone, for its own patterns."""

    def __init__(self, runs: RipgrepRuns) -> None:
        """Take the runs; their pattern is one that ripgrep takes."""
        self._runs = runs

    @contextlib.contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Generator[Places]:
        """Begin with a batch (see ``LineTester``)."""
        with self._runs.start(texts, wanted) as run:
            yield lambda: self._places(run, texts)

    def _places(self, run: RipgrepRun, texts: Sequence[bytes]) -> Sequence[Place]:
        places = self._runs.places(run, texts)
        if places is None:
            raise ToolFailure("ripgrep ended with an error.")
        return places


class FallbackTester:
    """ripgrep, and another tester for what it gives up on."""

    def __init__(self, runs: RipgrepRuns, rest: LineTester) -> None:
        """Take the runs, and who tests what they give up on."""
        self._runs = runs
        self._rest = rest
        self._given_up = 0

    @contextlib.contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Generator[Places]:
        """Begin with a batch (see ``LineTester``)."""
        if self._given_up >= _MOST_GIVEN_UP:
            with self._rest.testing(texts, wanted) as places:
                yield places
            return
        with self._runs.start(texts, wanted) as run:
            yield lambda: self._places(run, texts, wanted)

    def _places(self, run: RipgrepRun, texts: Sequence[bytes], wanted: int) -> Sequence[Place]:
        places = self._runs.places(run, texts)
        if places is not None:
            return places
        if self._runs.refusal() is not None:
            self._given_up = _MOST_GIVEN_UP
        if len(texts) == 1:
            self._given_up += 1
        if len(texts) > 1 and self._given_up < _MOST_GIVEN_UP:
            return self._by_halves(texts, wanted)
        with self._rest.testing(texts, wanted) as answer:
            return answer()

    def _by_halves(self, texts: Sequence[bytes], wanted: int) -> Sequence[Place]:
        # One line of one file was too much for it; the others need not wait for the worker.
        middle = len(texts) // 2
        found: list[Place] = []
        for start, part in ((0, texts[:middle]), (middle, texts[middle:])):
            if len(found) < wanted:
                with self.testing(part, wanted - len(found)) as places:
                    found += [Place(index=start + at.index, line=at.line) for at in places()]
        return found


def places_of(numbers: Sequence[int], texts: Sequence[bytes]) -> list[Place]:
    """Return where lines of a batch, numbered through from 1, stand in its texts."""
    ends = list(accumulate(text.count(b"\n") for text in texts))
    places: list[Place] = []
    for number in numbers:
        index = bisect_left(ends, number)
        places.append(Place(index=index, line=number - (ends[index - 1] if index else 0)))
    return places
