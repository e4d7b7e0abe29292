import os
import select
import threading
from collections.abc import Iterator

import pytest
from textual import events
from textual.message import Message

from caramelo_tui.ui.terminal_input import TerminalInput

PATIENCE_S = 20.0


class Reading:
    """An input thread on a pipe."""

    def __init__(self, early: bytes = b"") -> None:
        self.source, self.keyboard = os.pipe()
        self.input = TerminalInput(self.source)
        self.got: list[str] = []
        self._came = threading.Condition()
        self.input.open()
        self.thread = threading.Thread(
            target=self.input.run, args=(early,), kwargs={"debug": False, "take": self._take}
        )
        self.thread.start()

    def _take(self, message: Message) -> None:
        with self._came:
            name = message.key if isinstance(message, events.Key) else type(message).__name__
            self.got.append(name)
            self._came.notify_all()

    def wait_for(self, names: list[str]) -> None:
        with self._came:
            assert self._came.wait_for(lambda: self.got == names, PATIENCE_S), self.got

    def close(self) -> None:
        self.input.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        for descriptor in {self.source, self.keyboard}:
            os.close(descriptor)


@pytest.fixture
def reading() -> Iterator[Reading]:
    reading = Reading(early=b"ab")
    yield reading
    reading.close()


def test_what_was_typed_early_comes_first(reading: Reading) -> None:
    os.write(reading.keyboard, b"c\r")
    reading.wait_for(["a", "b", "c", "enter"])


def test_an_escape_alone_is_a_key_after_a_moment(reading: Reading) -> None:
    os.write(reading.keyboard, b"\x1b")
    reading.wait_for(["a", "b", "escape"])


def test_a_sequence_that_begins_early_is_one_key() -> None:
    reading = Reading(early=b"\x1b[")
    os.write(reading.keyboard, b"A")
    reading.wait_for(["up"])
    reading.close()


def test_a_sign_in_two_pieces_is_one_key() -> None:
    first, second = "é".encode()[:1], "é".encode()[1:]
    reading = Reading(early=first)
    os.write(reading.keyboard, second + b"x")
    with reading._came:
        assert reading._came.wait_for(lambda: reading.got[-1:] == ["x"], PATIENCE_S)
    assert len(reading.got) == 2
    reading.close()


def test_bytes_that_are_no_text_end_nothing(reading: Reading) -> None:
    os.write(reading.keyboard, b"\xff\xfe")
    os.write(reading.keyboard, b"x")
    with reading._came:
        assert reading._came.wait_for(lambda: reading.got[-1:] == ["x"], PATIENCE_S)


def test_the_thread_waits_without_an_end_while_nothing_is_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[float | None] = []
    real = select.select

    def noting(
        sources: list[int], targets: list[int], others: list[int], limit: float | None
    ) -> tuple[list[int], list[int], list[int]]:
        limits.append(limit)
        ready: tuple[list[int], list[int], list[int]] = real(sources, targets, others, limit)
        return ready

    monkeypatch.setattr(select, "select", noting)
    reading = Reading()
    os.write(reading.keyboard, b"x")
    reading.wait_for(["x"])
    reading.close()
    # Once for the key, once for the end: a wait with a limit would be a wake-up at rest.
    assert limits == [None, None]


def test_a_terminal_that_ended_wakes_nobody_for_ever() -> None:
    reading = Reading(early=b"x")
    reading.wait_for(["x"])
    os.close(reading.keyboard)
    reading.keyboard = reading.source
    reading.close()
    assert reading.input.waits <= 2


def test_it_reads_again_after_a_suspension(reading: Reading) -> None:
    reading.input.stop()
    reading.thread.join(PATIENCE_S)
    reading.input.stop()
    reading.input.open()
    reading.thread = threading.Thread(
        target=reading.input.run, args=(b"",), kwargs={"debug": False, "take": reading._take}
    )
    reading.thread.start()
    os.write(reading.keyboard, b"c")
    reading.wait_for(["a", "b", "c"])
