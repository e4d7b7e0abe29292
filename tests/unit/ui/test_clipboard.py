"""Text goes to the terminal's clipboard, wrapped, bounded and as it was seen."""

import base64
import re

import pytest

from caramelo_tui.ui.clipboard import MAX_BYTES, copy_text, plain_sequence
from caramelo_tui.ui.terminal_sequences import wrapped
from tests.pilot.pane_app import PaneApp


class KeepingApp(PaneApp):
    """Keeps what is said and copied."""

    def __init__(self) -> None:
        super().__init__((), "caramelo")
        self.said: list[str] = []

    def notify(self, message: str, **_: object) -> None:
        self.said.append(message)


def decoded(sequence: str) -> str:
    found = re.search(r"\]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found is not None
    return base64.b64decode(found[1]).decode()


def test_the_plain_sequence_holds_the_text() -> None:
    assert plain_sequence("naïve\n") == "\x1b]52;c;bmHDr3ZlCg==\x07"


@pytest.mark.parametrize("variables", [{"TMUX": "/tmp/x,1,0"}, {"TERM": "tmux-256color"}])
def test_tmux_gets_its_escapes_doubled(variables: dict[str, str]) -> None:
    sequence = wrapped(plain_sequence("text"), variables)
    assert sequence.startswith("\x1bPtmux;\x1b\x1b]52;c;")
    assert sequence.endswith("\x07\x1b\\")
    assert decoded(sequence) == "text"


@pytest.mark.parametrize("variables", [{"STY": "12.pts"}, {"TERM": "screen-256color"}])
def test_screen_gets_pieces_that_it_takes(variables: dict[str, str]) -> None:
    text = "a long text " * 400
    sequence = wrapped(plain_sequence(text), variables)
    pieces = sequence.removeprefix("\x1bP").removesuffix("\x1b\\").split("\x1b\\\x1bP")
    assert max(map(len, pieces)) <= 512
    assert decoded("".join(pieces)) == text


def test_nothing_is_wrapped_without_a_multiplexer() -> None:
    assert not wrapped(plain_sequence("text"), {"TERM": "xterm-256color"})


def test_copying_says_that_it_was_sent() -> None:
    app = KeepingApp()
    copy_text(app, "one\ntwo")
    assert app.clipboard == "one\ntwo"
    assert app.said == ["2 lines (7 B) sent to the terminal."]


def test_what_hides_is_copied_as_its_mark() -> None:
    app = KeepingApp()
    copy_text(app, "ls\r\n\x1b[201~rm\u202e\r")
    assert app.clipboard == "ls\n<U+001B>[201~rm<U+202E><U+000D>"


def test_a_text_that_no_terminal_takes_is_not_sent() -> None:
    app = KeepingApp()
    copy_text(app, "ä" * (MAX_BYTES // 2 + 1))
    copy_text(app, "")
    assert not app.clipboard
    assert app.said == [
        "74,996 bytes are more than terminals take (74,994). Nothing was sent.",
        "There is nothing to copy.",
    ]
