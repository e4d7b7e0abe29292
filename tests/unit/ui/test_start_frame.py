import os
import pty
import select
import signal
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from caramelo_tui.sessions.frame_file import FrameFile
from caramelo_tui.ui import start_frame
from caramelo_tui.ui.start_frame import StartFrame
from caramelo_tui.ui.start_picture import Field, Picture, picture_path, written

PATIENCE_S = 20.0
PICTURE = Picture(20, Field(2, 3, 10, "38;5;7"), ["head", "> \x1b[2mAsk\x1b[0m", ""])


class Window:
    """A terminal with a frame in it."""

    def __init__(self) -> None:
        self.outside, self.inside = pty.openpty()
        termios.tcsetwinsize(self.inside, (3, 20))
        self.before = termios.tcgetattr(self.inside)
        self.frame = StartFrame(self.inside, self.inside)
        self.shown = b""

    def type(self, data: bytes) -> None:
        os.write(self.outside, data)

    def wait_for(self, wanted: bytes) -> None:
        while wanted not in self.shown:
            assert select.select([self.outside], [], [], PATIENCE_S)[0], self.shown
            self.shown += os.read(self.outside, 65_536)

    def typed(self, count: int) -> bytes:
        """Hand over once the frame has read so many bytes."""
        deadline = time.monotonic() + PATIENCE_S
        while len(self.frame._typed) < count:
            assert time.monotonic() < deadline, self.frame._typed
            os.sched_yield()
        return self.frame.stop().typed

    def close(self) -> None:
        os.close(self.outside)
        os.close(self.inside)


@pytest.fixture
def window() -> Iterator[Window]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    window = Window()
    yield window
    window.close()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_the_picture_is_drawn_on_the_alternate_screen(window: Window) -> None:
    window.frame.draw(PICTURE)
    window.wait_for(b"\x1b[3;1H\x1b[0m\x1b[0m")
    assert window.shown.startswith(b"\x1b[?1049h")
    assert b"\x1b[2;1H\x1b[0m> \x1b[2mAsk\x1b[0m" in window.shown
    assert window.typed(0) == b""


def test_plain_text_is_shown_where_the_prompt_is(window: Window) -> None:
    window.frame.draw(PICTURE)
    window.type(b"h")
    window.wait_for(b"\x1b[2;3H\x1b[0;38;5;7mh\x1b[7m \x1b[27m" + b" " * 8)
    window.type("é".encode())
    window.wait_for("hé\x1b[7m".encode())
    assert window.typed(3) == "hé".encode()


@pytest.mark.parametrize(
    "typed",
    [b"\r", b"\x1b[A", b"\x1b[200~a\rb\x1b[201~", b"\x7f", b"\t", b"\x1a\x1c\x13", "漢".encode()],
)
def test_what_is_no_plain_text_is_kept_and_not_acted_upon(window: Window, typed: bytes) -> None:
    window.frame.draw(PICTURE)
    window.type(b"x")
    window.wait_for(b"x\x1b[7m")
    window.type(typed)
    window.type(b"y")
    assert window.typed(len(typed) + 2) == b"x" + typed + b"y"
    window.frame._print("end")
    window.wait_for(b"end")
    # Nothing of it is shown, nor what comes after it: the app does that.
    assert window.shown.endswith(b"x\x1b[7m \x1b[27m" + b" " * 8 + b"\x1b[0mend")


def test_more_than_the_prompt_is_wide_is_kept(window: Window) -> None:
    window.frame.draw(PICTURE)
    text = b"0123456789" * 3
    for sign in text:
        window.type(bytes([sign]))
    assert window.typed(len(text)) == text


def test_the_terminal_comes_back_as_it_was(window: Window) -> None:
    window.frame.draw(PICTURE)
    local = cast("int", termios.tcgetattr(window.inside)[3])
    assert not local & (termios.ECHO | termios.ICANON)
    assert local & termios.ISIG, "ctrl+c has to end the program"
    window.frame.take_back()
    assert termios.tcgetattr(window.inside) == window.before
    window.wait_for(b"\x1b[?2004l\x1b[?1049l\x1b[?25h")


def test_the_app_gets_the_settings_from_before(window: Window) -> None:
    window.frame.draw(PICTURE)
    assert window.frame.stop().settings == window.before


def test_a_signal_before_the_app_ends_the_program(window: Window) -> None:
    window.frame.draw(PICTURE)
    with pytest.raises(SystemExit) as ended:
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 143
    window.frame.take_back()


@pytest.mark.parametrize(
    "variables", [{"TERM": ""}, {"TERM": "dumb"}, {"TERM": "xterm", "COLUMNS": "80"}]
)
def test_nothing_is_drawn_where_the_app_would_be_another(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_frame, "picture_path", lambda *_: pytest.fail("it was looked for"))
    start_frame.show([], variables)
    assert not start_frame.is_shown()


def test_what_others_may_write_is_not_drawn(tmp_path: Path) -> None:
    path = tmp_path / "picture"
    FrameFile(path, depends_on=()).save(written(PICTURE, []))
    assert start_frame._kept_picture(str(path)) == PICTURE
    path.chmod(0o622)
    assert start_frame._kept_picture(str(path)) is None
    path.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for other in (link, tmp_path / "pipe", tmp_path, tmp_path / "none"):
        assert start_frame._kept_picture(str(other)) is None
    path.write_bytes(b"\xff\xfe")
    assert start_frame._kept_picture(str(path)) is None
    assert start_frame._kept_picture("") is None


def test_without_a_terminal_nothing_is_drawn(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    variables = {"TERM": "xterm", "CARAMELO_HOME": str(tmp_path)}
    FrameFile(Path(picture_path([], variables)), depends_on=()).save(written(PICTURE, []))
    start_frame.show([], variables)
    assert not start_frame.is_shown()
    assert start_frame.hand_over() is None
    start_frame.take_back()
    assert capfd.readouterr() == ("", "")
