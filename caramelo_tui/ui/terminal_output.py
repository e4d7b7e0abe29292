"""Write to a terminal that may be gone.

Owns the stream that Textual's writer thread prints to: what a closed window can't take any more
is dropped. An error there would end the thread, its queue would fill, and the program would wait
for it for ever. Proven by tests/unit/ui/test_driver.py.
"""

import io
from typing import IO


class TerminalOutput(io.TextIOBase):
    """A text stream whose reader may go away."""

    def __init__(self, stream: IO[str]) -> None:
        super().__init__()
        self._stream = stream

    def write(self, text: str, /) -> int:
        """Print, or drop what nobody can see; never raises ``OSError``."""
        try:
            return self._stream.write(text)
        except OSError:
            # Nobody is left to be told, and the end is on its way by SIGHUP.
            return len(text)

    def flush(self) -> None:
        """Bring out what was printed; never raises ``OSError``."""
        try:
            self._stream.flush()
        except OSError:
            # As above; the next write is dropped as well.
            return

    def fileno(self) -> int:
        """Return the descriptor of the terminal."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream.isatty()
