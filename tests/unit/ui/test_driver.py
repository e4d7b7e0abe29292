import inspect
import threading
from typing import TYPE_CHECKING

from textual import events
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from caramelo_tui.ui.driver import GatedDriver, GateState, InputGate, let_alt_digits_through

if TYPE_CHECKING:
    from textual.message import Message


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


def test_textual_still_hands_input_to_the_method_that_is_overridden() -> None:
    assert "process_message" in inspect.getsource(LinuxDriver.run_input_thread)
    assert issubclass(GatedDriver, Driver)
    assert GatedDriver.process_message is not LinuxDriver.process_message


def test_alt_with_a_digit_is_a_key_of_its_own() -> None:
    let_alt_digits_through()
    for digit in "1234":
        parser = XTermParser(debug=False)
        fed = [*parser.feed(f"\x1b{digit}"), *parser.feed("")]
        assert [event.key for event in fed if isinstance(event, events.Key)] == [f"alt+{digit}"]
