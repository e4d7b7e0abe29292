"""Write the program's own log.

Owns one bounded file of JSON lines, private to the user. Control characters are escaped, so
that outside text cannot forge a line. Keys are never handed to a logger by anybody; this
file adds no filter that could be trusted instead. Proven by
tests/unit/config/test_log_file.py.
"""

import io
import json
import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from caramelo_tui.workspace.private_files import make_private_folder, open_private

MAX_BYTES = 2 * 1024 * 1024
"""Size at which the log is turned over; one older file is kept."""
MAX_MESSAGE_CHARS = 8 * 1024
"""Length of a message and of a trace in the log; what is longer is cut."""
LOG_NAME = "caramelo.log"
"""Name of the file in the logs folder."""
_LOGGERS = ("caramelo_tui", "asyncio")
"""Ours, and the event loop's: it reports what went wrong in a task that nobody waits for."""


class _JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _cut(record.getMessage()),
        }
        if record.exc_info:
            # The end of a trace says what happened.
            fields["trace"] = self.formatException(record.exc_info)[-MAX_MESSAGE_CHARS:]
        return json.dumps(fields)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE_CHARS else f"{text[:MAX_MESSAGE_CHARS]}… (cut)"


class _PrivateFile(RotatingFileHandler):
    """A log file that only the user can read, created so."""

    def _open(self) -> io.TextIOWrapper:
        make_private_folder(Path(self.baseFilename).parent)
        descriptor = open_private(Path(self.baseFilename), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        return io.TextIOWrapper(io.FileIO(descriptor, "a"), encoding="ascii", errors="replace")


def start_logging(folder: Path, *, is_debug: bool) -> None:
    """Send warnings (with ``is_debug`` everything of ours) to the log file.

    The file is made at the first line. A folder that cannot be written costs the log, not the
    program: a line that fails is dropped, and each next one tries again.
    """
    handler = _PrivateFile(folder / LOG_NAME, maxBytes=MAX_BYTES, backupCount=1, delay=True)
    handler.setFormatter(_JsonLines())
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        for old in logger.handlers[:]:
            logger.removeHandler(old)
            old.close()
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    if is_debug:
        logging.getLogger(_LOGGERS[0]).setLevel(logging.DEBUG)
    # The terminal belongs to the app: neither a log that fails nor a library that nobody listens
    # to may print there.
    logging.raiseExceptions = False
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.NullHandler())


def log_path() -> str:
    """Return the file that problems are logged to, empty before ``start_logging``."""
    for handler in logging.getLogger(_LOGGERS[0]).handlers:
        if isinstance(handler, _PrivateFile):
            return handler.baseFilename
    return ""
