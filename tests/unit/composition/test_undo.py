"""Where checkpoints lie."""

from pathlib import Path

from caramelo_tui.composition.undo import session_journal
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.workspace.journal_entries import RecordedChange
from tests.doubles.clocks import ManualClock


def test_the_sessions_of_a_workspace_share_contents_and_nothing_else(tmp_path: Path) -> None:
    root, checkpoints = tmp_path / "work", tmp_path / "state"
    change = RecordedChange(call_id=CallId("c"), path="a", before=None, after=b"same")
    for name in ("one", "two"):
        journal = session_journal(checkpoints, root, SessionId(name), ManualClock())
        assert journal.entries() == ()
        journal.record_change(change)
        again = session_journal(checkpoints, root, SessionId(name), ManualClock())
        (entry,) = again.entries()
        assert entry.after_hash is not None
        assert again.blob(entry.after_hash) == b"same"
    blobs = [path for path in checkpoints.rglob("blobs/*/*") if path.is_file()]
    assert len(blobs) == 1
    assert not root.exists()
