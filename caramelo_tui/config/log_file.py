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
LOG_NAME = "caramelo.log"
"""Name of the file in the logs folder."""


class _JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields)


class _PrivateFile(RotatingFileHandler):
    """A log file that only the user can read, created so."""

    def _open(self) -> io.TextIOWrapper:
        make_private_folder(Path(self.baseFilename).parent)
        descriptor = open_private(Path(self.baseFilename), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        return io.TextIOWrapper(io.FileIO(descriptor, "a"), encoding="ascii", errors="replace")


def start_logging(folder: Path, *, is_debug: bool) -> None:
    """Send warnings (with ``is_debug`` everything of ours) to the log file.

    The file is made at the first line. A folder that cannot be written costs the log, not the
    program: the first line that fails is dropped, and so are the next.
    """
    logger = logging.getLogger("caramelo_tui")
    for old in logger.handlers[:]:
        logger.removeHandler(old)
        old.close()
    handler = _PrivateFile(folder / LOG_NAME, maxBytes=MAX_BYTES, backupCount=1, delay=True)
    handler.setFormatter(_JsonLines())
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if is_debug else logging.WARNING)
    logger.propagate = False
    # The terminal belongs to the app: a log that fails must not print there.
    logging.raiseExceptions = False
