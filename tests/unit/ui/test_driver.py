import errno
import inspect
import io
import threading
from typing import IO, TYPE_CHECKING, cast

import pytest
from textual import events
from textual._parser import Parser
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver

from caramelo_tui.ui import start_frame
from caramelo_tui.ui.driver import (
    ALTERNATE_SCREEN,
    GatedDriver,
    GateState,
    InputGate,
    let_alt_digits_through,
)
from caramelo_tui.ui.start_frame import Handover
from caramelo_tui.ui.terminal_input import TerminalInput
from caramelo_tui.ui.terminal_output import TerminalOutput

if TYPE_CHECKING:
    from textual.message import Message

from caramelo_tui.ui.terminal_sequences import SAVE_TITLE


def bare_driver() -> tuple[GatedDriver, io.StringIO]:
    """Return a driver without a terminal, and what it prints."""
    driver, output = GatedDriver.__new__(GatedDriver), io.StringIO()
    driver._writer_thread = WriterThread(output)
    driver._input = TerminalInput(0)
    driver._keeps_picture = False
    driver.is_lent = False
    return driver, output


def print_all(driver: GatedDriver) -> None:
    writer = driver._writer_thread
    assert writer is not None
    writer.start()
    writer.stop()


def keys(*names: str) -> list[events.Key]:
    return [events.Key(name, name) for name in names]


def test_early_keys_and_pastes_wait_and_keep_their_order() -> None:
    gate = InputGate()
    got: list[Message] = []
    early = [*keys("a", "b"), events.Paste("c")]
    for message in early:
        gate.admit(message, got.append)
    assert got == []
    gate.open(got.append)
    (late,) = keys("d")
    gate.admit(late, got.append)
    assert got == [*early, late]


def test_other_messages_pass_at_once() -> None:
    gate = InputGate()
    got: list[Message] = []
    moved = events.AppFocus()
    gate.admit(moved, got.append)
    assert got == [moved]


def test_new_keys_pass_while_early_ones_wait_for_the_prompt() -> None:
    gate = InputGate()
    got: list[Message] = []
    early, late = keys("t", "r")
    gate.admit(early, got.append)
    gate.let_pass()
    gate.admit(late, got.append)
    assert got == [late]
    gate.open(got.append)
    assert got == [late, early]


def test_letting_pass_does_not_close_an_open_gate() -> None:
    gate = InputGate()
    gate.open(lambda _message: None)
    gate.let_pass()
    assert gate.state is GateState.OPEN


def test_keys_from_another_thread_keep_their_order_while_the_gate_opens() -> None:
    gate = InputGate()
    got: list[Message] = []
    sent = keys(*[str(number) for number in range(500)])

    def type_all() -> None:
        for key in sent:
            gate.admit(key, got.append)

    typist = threading.Thread(target=type_all)
    typist.start()
    gate.open(got.append)
    typist.join()
    assert got == sent


def test_textual_still_has_what_the_driver_overrides() -> None:
    assert "process_message" in inspect.getsource(LinuxDriver.run_input_thread)
    assert "self.run_input_thread()" in inspect.getsource(LinuxDriver._run_input_thread)
    start = inspect.getsource(LinuxDriver.start_application_mode)
    assert f"self.write({ALTERNATE_SCREEN!r})".replace("'", '"') in start
    assert "self.attrs_before = termios.tcgetattr" in start
    assert "self.attrs_before)" in inspect.getsource(LinuxDriver.stop_application_mode)
    assert "_timeout_time" in inspect.getsource(Parser)
    assert issubclass(GatedDriver, Driver)
    assert GatedDriver.process_message is not LinuxDriver.process_message


def test_alt_with_a_digit_is_a_key_of_its_own() -> None:
    let_alt_digits_through()
    for digit in "1234":
        parser = XTermParser(debug=False)
        fed = [*parser.feed(f"\x1b{digit}"), *parser.feed("")]
        assert [event.key for event in fed if isinstance(event, events.Key)] == [f"alt+{digit}"]


class GoneTerminal(io.StringIO):
    """A terminal whose window was closed."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.EIO, "Input/output error")

    def flush(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


def test_a_closed_window_does_not_hold_up_the_end() -> None:
    writer = WriterThread(cast("IO[str]", TerminalOutput(GoneTerminal())))
    writer.start()
    for _ in range(100):
        writer.write("x")
    writer.stop()
    assert not writer.is_alive()


def test_output_passes_on_what_it_is_given() -> None:
    stream = io.StringIO()
    output = TerminalOutput(stream)
    assert output.write("abc") == 3
    output.flush()
    assert stream.getvalue() == "abc"
    assert output.isatty() is False


def test_a_signal_to_go_on_resumes_a_suspended_app_only() -> None:
    driver = GatedDriver.__new__(GatedDriver)
    driver._auto_restart = True
    resumed: list[bool] = []
    driver.resume_application_mode = lambda: resumed.append(True)  # type: ignore[method-assign]  # observed here
    driver._must_signal_resume = False
    driver._sigcont_application()
    assert resumed == []
    driver._must_signal_resume = True
    driver._sigcont_application()
    assert resumed == [True]


def test_nothing_is_painted_while_another_program_has_the_terminal() -> None:
    driver, output = bare_driver()
    driver.is_lent = True
    driver.write("hidden")
    driver.is_lent = False
    driver.write("shown")
    print_all(driver)
    assert output.getvalue() == "shown"


def test_the_terminals_own_title_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinuxDriver, "start_application_mode", lambda _self: None)
    monkeypatch.setattr(LinuxDriver, "stop_application_mode", lambda _self: None)
    driver, output = bare_driver()
    driver.is_lent = False
    driver.start_application_mode()
    driver.stop_application_mode()
    print_all(driver)
    assert output.getvalue() == "\x1b[22;2t\x1b[23;2t"


def test_the_mouse_goes_to_the_terminal_and_comes_back() -> None:
    driver, output = bare_driver()
    driver.is_lent = False
    driver._mouse = True
    assert driver.switch_mouse() is False
    assert driver.switch_mouse() is True
    print_all(driver)
    off, on = output.getvalue().split("\x1b[?1000h")
    assert "\x1b[?1000l" in off
    assert "\x1b[?1003l" in off
    assert "\x1b[?1003h" in on


def test_the_first_picture_is_not_wiped_off_and_the_shell_gets_its_settings_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(driver: GatedDriver) -> None:
        driver.attrs_before = ["raw"]
        driver.write(ALTERNATE_SCREEN)
        driver.write("rest")

    monkeypatch.setattr(LinuxDriver, "start_application_mode", start)
    handovers = [Handover([1, 2], b"abc"), None]
    monkeypatch.setattr(start_frame, "hand_over", lambda: handovers.pop(0))
    driver, output = bare_driver()
    driver.start_application_mode()
    assert (driver.attrs_before, driver._early) == ([1, 2], b"abc")
    # After a suspension the alternate screen has to be entered again.
    driver.start_application_mode()
    assert (driver.attrs_before, driver._early) == (["raw"], b"")
    print_all(driver)
    assert output.getvalue() == f"rest{SAVE_TITLE}{ALTERNATE_SCREEN}rest{SAVE_TITLE}"
    driver._input.stop()
