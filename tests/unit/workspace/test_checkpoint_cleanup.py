"""Old checkpoints go, and what is too much."""

import os
from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.workspace.checkpoint_cleanup import KeepRule, clean_up
from caramelo_tui.workspace.journal import BLOBS_NAME, JOURNAL_NAME, Journal
from caramelo_tui.workspace.journal_entries import RecordedChange
from tests.doubles.clocks import ManualClock

DAY = 86_400.0
NOW = 1_000 * DAY
ALL = KeepRule(days=30, size_bytes=10**9)


@pytest.fixture
def checkpoints(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints"


def session(checkpoints: Path, name: str, *, days: float, content: bytes) -> Path:
    """Make a session that changed a file some days ago."""
    workspace = checkpoints / "work"
    journal = Journal(workspace / name, ManualClock(), blobs=workspace / BLOBS_NAME)
    journal.record_change(RecordedChange(call_id=CallId("c"), path="a", before=None, after=content))
    age(workspace / name / JOURNAL_NAME, days)
    for blob in blobs(checkpoints):
        age(blob, days)
    return workspace / name


def age(path: Path, days: float) -> None:
    os.utime(path, (NOW - days * DAY, NOW - days * DAY))


def blobs(checkpoints: Path) -> list[Path]:
    return [path for path in (checkpoints / "work" / BLOBS_NAME).rglob("*") if path.is_file()]


def test_sessions_go_by_age_with_the_contents_that_only_they_name(checkpoints: Path) -> None:
    new = session(checkpoints, "new", days=5, content=b"both")
    old = session(checkpoints, "old", days=31, content=b"both")
    older = session(checkpoints, "older", days=40, content=b"only")
    clean_up(checkpoints, ALL, now=NOW, current=checkpoints)
    assert new.exists()
    assert not old.exists()
    assert not older.exists()
    assert [blob.read_bytes() for blob in blobs(checkpoints)] == [b"both"]


def test_the_oldest_go_until_the_rest_fits(checkpoints: Path) -> None:
    paths = [
        session(checkpoints, f"s{days}", days=days, content=f"{days}".encode() * 4_000)
        for days in (20, 15, 10)
    ]
    clean_up(checkpoints, KeepRule(days=30, size_bytes=10_000), now=NOW, current=checkpoints)
    assert [path.exists() for path in paths] == [False, False, True]


def test_the_session_that_runs_and_those_of_today_are_spared(checkpoints: Path) -> None:
    current = session(checkpoints, "current", days=90, content=b"1" * 500)
    today = session(checkpoints, "today", days=0.5, content=b"2" * 500)
    clean_up(checkpoints, KeepRule(days=30, size_bytes=1), now=NOW, current=current)
    assert current.exists()
    assert today.exists()
    assert len(blobs(checkpoints)) == 2


def test_a_young_content_that_nobody_names_is_spared(checkpoints: Path) -> None:
    session(checkpoints, "s", days=1, content=b"x")
    journal = Journal(
        checkpoints / "work" / "s", ManualClock(), blobs=checkpoints / "work" / BLOBS_NAME
    )
    for content, days in ((b"young", 2.0), (b"old", 4.0)):
        name = journal.keep(content)
        assert name is not None
        age(checkpoints / "work" / BLOBS_NAME / name[:2] / name, days)
    clean_up(checkpoints, ALL, now=NOW, current=checkpoints)
    assert sorted(blob.read_bytes() for blob in blobs(checkpoints)) == [b"x", b"young"]


def test_without_checkpoints_nothing_happens(checkpoints: Path) -> None:
    clean_up(checkpoints, ALL, now=NOW, current=checkpoints)
    assert not checkpoints.exists()


def test_links_are_not_followed(checkpoints: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / JOURNAL_NAME).write_text("")
    age(outside / JOURNAL_NAME, 90)
    session(checkpoints, "s", days=1, content=b"x")
    (checkpoints / "work" / "link").symlink_to(outside)
    clean_up(checkpoints, ALL, now=NOW, current=checkpoints)
    assert (outside / JOURNAL_NAME).exists()
