"""Keep keys that are typed before the app can take them.

Owns the gate between the terminal's input thread and the app: keys and pastes wait until the
prompt has the focus, then they arrive in their order; without it Textual drops what is typed in
the first tenths of a second. While a start question stands, new keys pass and the early ones go
on waiting: what was meant for the prompt never answers a question.

Owns also that ``alt`` with a key is a key and never text, that a terminal that goes away does not
hold up the end, and that nothing is painted while another program has the terminal.

Uses names of Textual that are not documented (``process_message``, the table of sequences); tests
pin them for each release. Proven by tests/unit/ui/test_driver.py and tests/e2e/.
"""

import sys
import threading
from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING, cast

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from caramelo_tui.ui import start_frame
from caramelo_tui.ui.terminal_input import TerminalInput
from caramelo_tui.ui.terminal_output import TerminalOutput
from caramelo_tui.ui.terminal_sequences import RESTORE_TITLE, SAVE_TITLE

if TYPE_CHECKING:
    from textual.app import App

ALTERNATE_SCREEN = "\x1b[?1049h"
"""What Textual enters the alternate screen with."""


class GateState(Enum):
    """What happens to a key now."""

    HOLDING = auto()
    """It waits."""
    PASSING = auto()
    """It passes; those held before go on waiting."""
    OPEN = auto()
    """It passes, and nothing waits."""


class InputGate:
    """Hold messages until they can be taken; order is kept. Safe to use from two threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: list[Message] = []
        self._state = GateState.HOLDING

    @property
    def state(self) -> GateState:
        """What happens to a key now."""
        return self._state

    def admit(self, message: Message, deliver: Callable[[Message], None]) -> None:
        """Deliver a message, or keep it for later."""
        with self._lock:
            if self._state is GateState.HOLDING and isinstance(message, events.Key | events.Paste):
                self._held.append(message)
                return
            deliver(message)

    def hold(self) -> None:
        """Hold new keys again, behind those that wait already."""
        with self._lock:
            if self._state is GateState.PASSING:
                self._state = GateState.HOLDING

    def let_pass(self) -> None:
        """Let new keys pass and keep the held ones; does nothing on an open gate."""
        with self._lock:
            if self._state is GateState.HOLDING:
                self._state = GateState.PASSING

    def open(self, deliver: Callable[[Message], None]) -> None:
        """Deliver what was held, in order, and let everything pass from now on."""
        with self._lock:
            held, self._held = self._held, []
            self._state = GateState.OPEN
            for message in held:
                deliver(message)


def let_alt_digits_through() -> None:
    """Let alt with 1 to 4 be these keys.

    Textual's table reads the sequences as the signs that macOS types with them, so that a jump
    to a pane would type ``¡`` into the prompt. Without an entry the parser reports ``alt+1``.
    """
    table = cast("dict[str, object]", ANSI_SEQUENCES_KEYS)
    for digit in "1234":
        table.pop(f"\x1b{digit}", None)


class GatedDriver(LinuxDriver):
    """Textual's terminal driver with a gate for early keys."""

    def __init__(
        self,
        app: "App[object]",
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        # Textual leaves the type of the app open in its own signature.
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly
            app, debug=debug, mouse=mouse, size=size
        )
        self.gate = InputGate()
        """Closed until the app opens it."""
        self.is_lent = False
        """Whether another program has the terminal; what is painted meanwhile is dropped."""
        if sys.__stderr__ is not None:
            # The writer thread needs no more of a file than this.
            self._file = TerminalOutput(sys.__stderr__)  # type: ignore[assignment]  # as said above
        self._early = b""
        self._keeps_picture = False
        self._input = TerminalInput(self.fileno)
        let_alt_digits_through()

    def process_message(self, message: Message) -> None:
        """Take one message from the input thread."""
        if isinstance(message, events.Key) and "alt+" in message.key:
            message.character = None
        self.gate.admit(message, super().process_message)

    def open_gate(self) -> None:
        """Deliver the early keys and let all others pass."""
        self.gate.open(super().process_message)

    def write(self, data: str) -> None:
        """Print, unless another program has the terminal: it is painted anew afterwards.

        The thread that prints is gone meanwhile, and a queue that nobody empties would hold up
        the loop, and the agent with it.
        """
        # To enter the alternate screen again would wipe the first picture off some terminals.
        if not self.is_lent and not (self._keeps_picture and data == ALTERNATE_SCREEN):
            super().write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, with what was typed into the first picture; keep its title."""
        handover = start_frame.hand_over()
        self._keeps_picture = handover is not None
        self._input.open()
        self._early = b"" if handover is None else handover.typed
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's own has no types
        self._keeps_picture = False
        if handover is not None:
            self.attrs_before = list(handover.settings)
        self.write(SAVE_TITLE)

    def run_input_thread(self) -> None:
        """Hand on what is typed, after what was typed before the app was there."""
        early, self._early = self._early, b""
        self._input.run(early, debug=self._debug, take=self.process_message)

    def disable_input(self) -> None:
        """Take no more input: the thread is woken, it would wait for a key."""
        self._input.stop()
        super().disable_input()

    def stop_application_mode(self) -> None:
        """Give the terminal back with its own title."""
        self.write(RESTORE_TITLE)
        super().stop_application_mode()

    def switch_mouse(self) -> bool:
        """Leave the mouse to the terminal, or take it back; return whether it is the app's now."""
        if self._mouse:
            self._disable_mouse_support()
            self._mouse = False
        else:
            self._mouse = True
            self._enable_mouse_support()
        return self._mouse

    def suspend_application_mode(self) -> None:
        """Leave the terminal to another program."""
        super().suspend_application_mode()
        self.is_lent = True

    def resume_application_mode(self) -> None:
        """Take the terminal back."""
        self.is_lent = False
        super().resume_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """Resume after a suspension, and only then.

        A window that closes sends SIGCONT too, and so does anybody else: resuming an app that
        was never suspended starts a second thread for its keys and one for its output.
        """
        if self._auto_restart and self._must_signal_resume:
            self.resume_application_mode()
