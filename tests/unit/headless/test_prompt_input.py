"""The prompt of a headless run: argument, standard input, or both; never a terminal."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless import prompt_input
from caramelo_tui.headless.prompt_input import read_prompt


class Piped:
    """Standard input with something in it."""

    def __init__(self, data: bytes | None) -> None:
        self.reading, self.writing = os.pipe()
        self.said: list[str] = []
        if data is not None:
            os.write(self.writing, data)
            os.close(self.writing)

    def prompt(self, argument: str | None, *, patience_s: float = 30.0) -> str:
        try:
            return read_prompt(argument, self.reading, say=self._hear(), patience_s=patience_s)
        finally:
            os.close(self.reading)

    def _hear(self) -> Callable[[str], None]:
        def hear(text: str) -> None:
            self.said.append(text)
            os.close(self.writing)

        return hear


def test_without_an_argument_standard_input_is_the_prompt() -> None:
    assert Piped(b"do it\n").prompt(None) == "do it\n"


def test_without_standard_input_the_argument_is_the_prompt() -> None:
    assert Piped(b"").prompt("do it") == "do it"
    assert Piped(b" \n").prompt("do it") == "do it"


def test_standard_input_is_attached_below_the_argument() -> None:
    assert Piped(b"the log\n").prompt("explain") == "explain\n\nthe log\n"


def test_much_is_read_to_its_end() -> None:
    piped = Piped(None)
    data = b"x" * 300_000

    def write() -> None:
        with os.fdopen(piped.writing, "wb") as sink:
            sink.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    assert piped.prompt(None) == data.decode()
    writer.join()


@pytest.mark.parametrize("argument", [None, "", " \n"])
def test_no_prompt_at_all_is_an_error(argument: str | None) -> None:
    with pytest.raises(ConfigError, match="PROMPT: is missing"):
        Piped(b" \n").prompt(argument)


def test_a_terminal_is_never_read() -> None:
    master, terminal = os.openpty()
    try:
        os.write(master, b"typed ahead\n")
        assert read_prompt("do it", terminal, say=pytest.fail) == "do it"
        with pytest.raises(ConfigError, match="is missing"):
            read_prompt(None, terminal, say=pytest.fail)
        assert os.read(terminal, 100) == b"typed ahead\n"
    finally:
        os.close(master)
        os.close(terminal)


def test_a_silent_standard_input_is_said_to_be_waited_for() -> None:
    piped = Piped(None)
    assert piped.prompt("do it", patience_s=0.0) == "do it"
    assert len(piped.said) == 1
    assert "</dev/null" in piped.said[0]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert Piped(b"a\xff").prompt(os.fsdecode(b"p\xfe")) == "p\ufffd\n\na\ufffd"


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(ConfigError, match="standard input: cannot be read"):
            read_prompt(None, folder, say=pytest.fail)
    finally:
        os.close(folder)


def test_too_much_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_input, "LIMIT_BYTES", 10)
    with pytest.raises(ConfigError, match="standard input: is longer"):
        Piped(b"x" * 11).prompt(None)
