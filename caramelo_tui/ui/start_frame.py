"""Draw the first picture before anything else is loaded, and keep what is typed meanwhile.

Owns the terminal from the first hundredths of a second until Textual takes over: a picture that
an earlier start with the same words kept is drawn on the alternate screen, plain text that is
typed is shown in the prompt, and every byte is kept for the app, which gets them in order; none
is acted upon, but ctrl+c ends the program. Must load nothing of the program and little of Python:
this is what the first picture waits for. Proven by tests/unit/ui/test_start_frame.py and
tests/e2e/test_start_frame.py.
"""

import _thread  # what `threading` is made of; that module is loaded later
import os
import select
import signal
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn

from caramelo_tui.ui.start_picture import MAX_BYTES, Field, Picture, picture_path, read

_Settings = list[int | list[bytes | int]]

_SIMPLE_TERMINALS = frozenset({"", "dumb"})
"""Kinds of terminals on which nothing can be drawn."""
_OTHER_SIZES = ("COLUMNS", "LINES")
"""With these the app is drawn for another size than the terminal's."""
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?7l"
_LEAVE = "\x1b[?7h\x1b[?2004l\x1b[?1049l\x1b[?25h"
_FIRST_WIDE = "\u0300"
"""Characters before this one that can be printed take one cell."""
_READ_BYTES = 4096
_KIND_AND_OTHERS = 0o177077
"""The bits that say what a thing is, and what others than its owner may do with it."""
_OWN_FILE = 0o100000


class Handover(NamedTuple):
    """What the app's driver takes over."""

    settings: _Settings
    """The terminal's, from before the picture."""
    typed: bytes


class StartFrame:
    """A picture on the terminal."""

    def __init__(self, source: int, target: int) -> None:
        """Take the terminal.

        Raises:
            termios.error: If it is none.
        """
        self._source = source
        self._target = target
        self._settings: _Settings = termios.tcgetattr(source)
        self._field = Field(1, 1, 0, "0")
        self._typed = b""
        self._echoed = ""
        self._is_silent = False
        self._wake_reader, self._wake = os.pipe()
        self._reading = _thread.allocate_lock()
        """Held while the thread reads."""

    def draw(self, picture: Picture) -> None:
        """Draw the picture and keep what is typed from now on."""
        self._field = picture.field
        self._set_raw()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _end)
        rows = (f"\x1b[{y};1H\x1b[0m{row}" for y, row in enumerate(picture.rows, 1))
        self._print(_ENTER + "".join(rows) + "\x1b[0m")
        self._reading.acquire()
        _thread.start_new_thread(self._read, ())

    def stop(self) -> Handover:
        """Read no more; the picture stays."""
        os.write(self._wake, b"\0")
        self._reading.acquire()
        os.close(self._wake)
        os.close(self._wake_reader)
        return Handover(self._settings, self._typed)

    def take_back(self) -> None:
        """Give the terminal back as it was."""
        self.stop()
        self._print(_LEAVE)
        with suppress(termios.error):
            # The window may be closed.
            termios.tcsetattr(self._source, termios.TCSANOW, self._settings)

    def _set_raw(self) -> None:
        """Get bytes as they are typed; ctrl+c is still a signal, no other key is one."""
        wanted = termios.tcgetattr(self._source)
        wanted[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
        wanted[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
        characters = wanted[6]
        characters[termios.VMIN], characters[termios.VTIME] = 1, 0
        off = bytes([os.fpathconf(self._source, "PC_VDISABLE")])
        characters[termios.VSUSP] = characters[termios.VQUIT] = off
        termios.tcsetattr(self._source, termios.TCSANOW, wanted)

    def _read(self) -> None:
        try:
            while (
                self._wake_reader not in select.select([self._source, self._wake_reader], [], [])[0]
            ):
                if not (data := os.read(self._source, _READ_BYTES)):
                    break
                self._typed += data
                self._echo(data)
        except OSError:
            # The window is closed: SIGHUP says so too, and that ends the program.
            self._is_silent = True
        finally:
            self._reading.release()

    def _echo(self, data: bytes) -> None:
        """Show plain text; after anything else nothing is shown until the app takes it in."""
        text = self._echoed + data.decode("utf-8", "replace")
        is_simple = text.isprintable() and max(text) < _FIRST_WIDE
        if self._is_silent or not is_simple or len(text) >= self._field.width:
            self._is_silent = True
            return
        self._echoed = text
        field = self._field
        blank = " " * (field.width - len(text) - 1)
        place, colours = f"\x1b[{field.row};{field.column}H", f"\x1b[0;{field.colours}m"
        self._print(f"{place}{colours}{text}\x1b[7m \x1b[27m{blank}\x1b[0m")

    def _print(self, text: str) -> None:
        data = text.encode()
        with suppress(OSError):
            # Nobody is left to see it, and the end is on its way by SIGHUP.
            while data:
                data = data[os.write(self._target, data) :]


class _Holder:
    """The one terminal of the process."""

    frame: StartFrame | None = None


def show(words: Sequence[str], variables: Mapping[str, str]) -> None:
    """Draw the picture of a start with these words, where there is one that holds."""
    if variables.get("TERM", "") in _SIMPLE_TERMINALS or any(map(variables.get, _OTHER_SIZES)):
        return
    picture = _kept_picture(picture_path(words, variables))
    if picture is None:
        return
    source, target = 0, 2
    try:
        size = os.get_terminal_size(target)
        if not os.isatty(1) or tuple(size) != (picture.columns, len(picture.rows)):
            return
        frame = StartFrame(source, target)
        _Holder.frame = frame
        frame.draw(picture)
    except (OSError, termios.error):
        # One of the three streams is no terminal: the start says so itself where it matters.
        return


def is_shown() -> bool:
    """Whether the picture is on the terminal."""
    return _Holder.frame is not None


def hand_over() -> Handover | None:
    """Leave the picture to the app; ``None``: there is none."""
    frame, _Holder.frame = _Holder.frame, None
    return None if frame is None else frame.stop()


def take_back() -> None:
    """Give the terminal back as it was, unless the app has it."""
    frame, _Holder.frame = _Holder.frame, None
    if frame is not None:
        frame.take_back()


def _kept_picture(path: str) -> Picture | None:
    if not path:
        return None
    try:
        # What others can write, or what is no file, is not drawn.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            is_own = found.st_uid == os.getuid() and found.st_mode & _KIND_AND_OTHERS == _OWN_FILE
            data = os.read(descriptor, MAX_BYTES) if is_own else b""
        finally:
            os.close(descriptor)
        return read(data.decode())
    except (OSError, ValueError):
        return None


def _end(number: int, _frame: object) -> NoReturn:
    """End the program by a signal that comes before the app can take it."""
    sys.exit(128 + number)
