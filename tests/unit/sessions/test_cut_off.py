"""The offer to take up a session that was cut off."""

from pathlib import Path

from caramelo_tui.sessions.cut_off import cut_off_notes
from caramelo_tui.sessions.opening import open_session
from tests.doubles.stored_sessions import Told, write_session


def test_a_session_that_was_cut_off_is_offered(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b").begin("c").turn())
    [note] = cut_off_notes(tmp_path)
    assert "/resume" in note
    opened = open_session(path)
    try:
        assert cut_off_notes(tmp_path) == ()
    finally:
        opened.file.close()


def test_nothing_is_said_of_a_session_that_ended(tmp_path: Path) -> None:
    assert cut_off_notes(tmp_path / "none") == ()
    write_session(tmp_path, Told("a").begin("c").turn())
    write_session(tmp_path, Told("b").exchange("c", "d"))
    assert cut_off_notes(tmp_path) == ()
