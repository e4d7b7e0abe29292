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


def test_a_line_that_was_cut_in_the_middle_does_not_keep_it_from_being_offered(
    tmp_path: Path,
) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b").begin("c").turn())
    path.write_bytes(path.read_bytes() + b'{"type":"RunEnded","seq":9')
    assert len(cut_off_notes(tmp_path)) == 1


def test_a_session_that_cannot_be_gone_on_with_is_not_offered(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b").begin("c").turn())
    path.write_bytes(b"\xff" + path.read_bytes())
    assert cut_off_notes(tmp_path) == ()
