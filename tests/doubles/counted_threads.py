"""Threads of an event loop that count what is given to them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class CountedThreads(ThreadPoolExecutor):
    """Goes in the place of a loop's own; each piece of work is one change of threads and back."""

    def __init__(self) -> None:
        super().__init__(max_workers=2)
        self.given = 0

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Count, and do the same."""
        self.given += 1
        return super().submit(fn, *args, **kwargs)
