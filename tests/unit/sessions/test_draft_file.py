import os
import stat
from pathlib import Path

import pytest

from caramelo_tui.sessions.draft_file import MOST_BYTES, DraftFile


def test_what_an_ended_program_left_is_taken_once(tmp_path: Path) -> None:
    first = DraftFile(tmp_path / "drafts")
    first.save("half a thought\nünï \u202e")
    first.close()
    assert DraftFile(tmp_path / "drafts").load() == "half a thought\nünï \u202e"
    assert DraftFile(tmp_path / "drafts").load() == ""
    assert not list((tmp_path / "drafts").iterdir())


def test_the_draft_of_a_running_program_is_its_own(tmp_path: Path) -> None:
    running = DraftFile(tmp_path)
    running.save("mine")
    assert DraftFile(tmp_path).load() == ""
    running.close()
    assert DraftFile(tmp_path).load() == "mine"


def test_a_draft_that_was_sent_leaves_nothing(tmp_path: Path) -> None:
    draft = DraftFile(tmp_path)
    draft.save("text")
    draft.save("  \n")
    draft.close()
    draft.close()
    assert not list(tmp_path.iterdir())


def test_the_newest_of_several_is_taken(tmp_path: Path) -> None:
    for name in ("old", "new"):
        draft = DraftFile(tmp_path)
        draft.save(name)
        draft.close()
    paths = {path.read_text(): path for path in tmp_path.glob("*.txt")}
    new = paths["new"].stat()
    paths["old"].touch()
    os.utime(paths["old"], ns=(new.st_atime_ns, new.st_mtime_ns - 10**9))
    assert DraftFile(tmp_path).load() == "new"


def test_only_the_user_may_read_it(tmp_path: Path) -> None:
    draft = DraftFile(tmp_path / "a" / "drafts")
    draft.save("x")
    for path in (tmp_path / "a" / "drafts").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    draft.close()


def test_a_huge_draft_is_not_kept(tmp_path: Path) -> None:
    draft = DraftFile(tmp_path)
    draft.save("small")
    draft.save("x" * (MOST_BYTES + 1))
    draft.close()
    assert DraftFile(tmp_path).load() == ""


def test_a_folder_that_is_none_is_no_draft_and_an_error_to_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    draft = DraftFile(tmp_path / "file")
    assert draft.load() == ""
    with pytest.raises(OSError, match="file"):
        draft.save("x")


def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("")
    (tmp_path / "x.lock").symlink_to(tmp_path / "target")
    (tmp_path / "x.txt").write_text("planted")
    assert DraftFile(tmp_path).load() == ""
    assert (tmp_path / "target").exists()
