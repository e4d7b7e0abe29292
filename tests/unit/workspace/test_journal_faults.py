"""Entries and images on disks that fail; faults are put in by a child's audit hook."""

import subprocess
import sys
from pathlib import Path

_BEGIN = """
import errno, sys
from pathlib import Path
from caramelo_tui.domain.ids import CallId, SystemClock
from caramelo_tui.workspace.journal import Journal
folder = Path(sys.argv[1])
def record(journal, before, after):
    return journal.record(
        call_id=CallId("c"), turn_id=None, run_id=None, path="a", before=before, after=after
    )
journal = Journal(folder, SystemClock())
"""
_FAILED_SYNC = """
first = record(journal, b"1", b"2")
is_failing = True
def hook(event, arguments):
    if event == "caramelo.sync" and is_failing:
        raise OSError(errno.EIO, "failing")
sys.addaudithook(hook)
try:
    record(journal, b"1", b"2")
except OSError:
    is_failing = False
second = record(journal, b"2", b"3")
journal.void(second)
assert Journal(folder, SystemClock()).entries() == (first,) == journal.entries()
"""
_UNSYNCED_IMAGE = """
journal.keep(b"before", is_synced=False)
heard = []
def hook(event, arguments):
    if event == "caramelo.sync":
        heard.append(Path(f"/proc/self/fd/{arguments[0]}").readlink().name)
sys.addaudithook(hook)
entry = record(journal, b"before", b"after")
assert entry.before_hash in heard, heard
heard.clear()
record(journal, b"before", b"after")
assert heard == ["journal.jsonl"], heard
"""


def run(child: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN + child, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_an_entry_that_could_not_be_made_to_last_takes_no_number(tmp_path: Path) -> None:
    run(_FAILED_SYNC, tmp_path / "s")


def test_an_image_that_was_kept_in_passing_is_on_the_disk_before_the_entry(tmp_path: Path) -> None:
    run(_UNSYNCED_IMAGE, tmp_path / "s")
