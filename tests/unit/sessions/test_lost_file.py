"""A session file that somebody removes while its session runs is there again, with all it held."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.lost_file import brought_back
from caramelo_tui.sessions.store import SessionFile, SessionHeader, load_events

HEADER = SessionHeader(session_id=SessionId("s-1"), workspace="/w", started_at=1.0)


def test_it_is_back_with_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "state" / "s.jsonl"
    file = SessionFile(path, HEADER)
    file.append(['{"type":"A"}'])
    held = path.read_bytes()
    shutil.rmtree(tmp_path / "state")
    file.append(['{"type":"B"}'])
    file.append(['{"type":"C"}'])
    assert path.read_bytes() == held + b'{"type":"B"}\n{"type":"C"}\n'
    assert path.stat().st_mode & 0o777 == 0o600
    other = SessionFile(path, HEADER)
    with pytest.raises(BlockingIOError):
        other.take()
    file.close()


def test_it_is_back_when_the_session_ends(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    file = SessionFile(path, HEADER)
    file.append(['{"type":"A"}'])
    path.unlink()
    file.close()
    assert load_events(path).header == HEADER


def test_what_took_its_name_is_let_be(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    file = SessionFile(path, HEADER)
    file.append(['{"type":"A"}'])
    path.unlink()
    path.write_text("another's")
    with pytest.raises(FileExistsError):
        file.append(['{"type":"B"}'])
    file.close()
    assert path.read_text() == "another's"


def test_nothing_half_is_left_where_it_cannot_be_brought_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(descriptor, b"all of it")
    path.unlink()

    def full(descriptor: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, f"no room for {len(data)} bytes at {descriptor}")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="no room"):
        brought_back(descriptor, path)
    monkeypatch.undo()
    assert not path.exists()
    os.close(descriptor)
