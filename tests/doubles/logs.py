"""Undo what starting the program's log changes for the whole process."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

_NAMES = ("caramelo_tui", "asyncio", "")


@contextmanager
def logging_as_before() -> Generator[None]:
    """Put handlers, levels and the process-wide switch back behind the block."""
    loggers = [logging.getLogger(name) for name in _NAMES]
    before = [(log.handlers[:], log.level, log.propagate) for log in loggers]
    raises = logging.raiseExceptions
    try:
        yield
    finally:
        logging.raiseExceptions = raises
        for log, (handlers, level, propagates) in zip(loggers, before, strict=True):
            for handler in set(log.handlers) - set(handlers):
                handler.close()
            log.handlers[:] = handlers
            log.setLevel(level)
            log.propagate = propagates
